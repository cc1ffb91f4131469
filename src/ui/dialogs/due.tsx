import { setDue } from "../acts/tasks.ts";
import { Chooser } from "../parts/chooser.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/marks.tsx";
import { hideOverlay } from "../state/overlay.ts";
import { today } from "../state/screen.ts";
import { addDays, dayWords, dueWords, nextMonday } from "../words/dates.ts";
import { count } from "../words/names.ts";

/** Chooses the day on which tasks are due, also by typing it. */
export const DueDialog = ({ ids }: { readonly ids: readonly string[] }) => (
  <Dialog label={`When ${count(ids.length, "task is", "tasks are")} due`} class="palette">
    <Chooser
      label="Due date"
      placeholder="Today, tomorrow, in 3 days, 2027-01-31"
      none="Type a day, such as “in 3 days” or “2027-01-31”."
      choices={(text) =>
        daysFor(text).map(([name, day]) => ({
          key: name,
          shown: (
            <>
              <Icon name={day === null ? "x" : "calendar"} />
              <span class="name">{name}</span>
              <span class="soft">{day === null ? "" : dayWords(day, today.value)}</span>
            </>
          ),
          run: async () => {
            const isSet = await setDue(ids, day);
            if (isSet) hideOverlay();
            return isSet;
          },
        }))
      }
    />
  </Dialog>
);

const daysFor = (text: string): readonly (readonly [name: string, day: string | null])[] => {
  const typed = text.trim().toLowerCase();
  const now = today.value;
  const iso = /^\d{4}-\d\d-\d\d$/.test(typed) && !Number.isNaN(Date.parse(typed)) ? typed : null;
  const days = /^(?:in )?(\d{1,4}) ?d(?:ays?)?$/.exec(typed)?.[1];
  const all: readonly (readonly [string, string | null])[] = [
    ["Today", now],
    ["Tomorrow", addDays(now, 1)],
    ["Next week", nextMonday(now)],
    ["In a month", addDays(now, 30)],
    ["No due date", null],
  ];
  return [
    ...(iso === null ? [] : [[dueWords(iso, now), iso] as const]),
    ...(days === undefined ? [] : [[`In ${days} days`, addDays(now, Number(days))] as const]),
    ...all.filter(([name]) => name.toLowerCase().includes(typed)),
  ];
};

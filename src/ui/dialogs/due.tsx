import { useEffect } from "preact/hooks";
import { setDue } from "../acts/tasks.ts";
import { Calendar } from "../parts/calendar.tsx";
import { Chooser } from "../parts/chooser.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/marks.tsx";
import { tasks } from "../state/client.ts";
import { hideOverlay } from "../state/overlay.ts";
import { loadPhrases, phrases } from "../state/phrases.ts";
import { today } from "../state/screen.ts";
import { addDays, dayWords, dueWords, nextMonday } from "../words/dates.ts";
import { count } from "../words/names.ts";

/** Chooses the day on which tasks are due, also by typing it. */
export const DueDialog = ({ ids }: { readonly ids: readonly string[] }) => {
  useEffect(loadPhrases, []);
  return (
    <Dialog label={`When ${count(ids.length, "task is", "tasks are")} due`} class="palette">
      <Chooser
        label="Due date"
        placeholder="Friday, 1 dec, in 2 weeks, end of month"
        none="Type a day, such as “next friday”, “1 dec” or “+3”."
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
      <Calendar
        chosen={dueOf(ids)}
        onPick={(day) => void setDue(ids, day).then((isSet) => isSet && hideOverlay())}
      />
    </Dialog>
  );
};

/** The day that all of the tasks are due; null if they differ. */
const dueOf = (ids: readonly string[]): string | null => {
  const [first = null, ...others] = new Set(ids.map((id) => tasks.value.get(id)?.due ?? null));
  return others.length > 0 ? null : first;
};

const daysFor = (text: string): readonly (readonly [name: string, day: string | null])[] => {
  const typed = text.trim().toLowerCase();
  const now = today.value;
  const meant = phrases.value?.dayOf(typed, now, navigator.language) ?? null;
  const all: readonly (readonly [string, string | null])[] = [
    ["Today", now],
    ["Tomorrow", addDays(now, 1)],
    ["Next week", nextMonday(now)],
    ["In a month", addDays(now, 30)],
    ["No due date", null],
  ];
  return [
    ...(meant === null ? [] : [[dueWords(meant, now), meant] as const]),
    ...all.filter(
      ([name, day]) => name.toLowerCase().includes(typed) && (day === null || day !== meant),
    ),
  ];
};

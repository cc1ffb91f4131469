import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { keyOf } from "../keys/meaning.ts";
import { firstWeekday } from "../state/settings.ts";
import { today } from "../state/screen.ts";
import { addDays, addMonths, dayWords, noonOf } from "../words/dates.ts";
import { Icon } from "./marks.tsx";

type CalendarProps = {
  /** `YYYY-MM-DD`. */
  readonly chosen: string | null;
  readonly onPick: (day: string) => void;
};

const MONTH = new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric" });
const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: "narrow" });

const STEPS: Readonly<Record<string, (day: string) => string>> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  PageUp: (day) => addMonths(day, -1),
  PageDown: (day) => addMonths(day, 1),
};

/** A month, from which a day is chosen: by a press, or with the arrows, Page Up and Page Down, and Enter. */
export const Calendar = ({ chosen, onPick }: CalendarProps) => {
  const at = useSignal(chosen ?? today.value);
  const grid = useRef<HTMLTableElement>(null);
  const hasMoved = useRef(false);
  const day = at.value;
  useLayoutEffect(() => {
    if (hasMoved.current) grid.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
    hasMoved.current = false;
  }, [day]);
  const weeks = weeksOf(day);
  return (
    <div class="calendar">
      <header>
        <button
          type="button"
          class="icon-button small"
          aria-label="The month before"
          onClick={() => (at.value = addMonths(day, -1))}
        >
          <Icon name="arrow-left" size={14} />
        </button>
        <b role="status">{MONTH.format(noonOf(day))}</b>
        <button
          type="button"
          class="icon-button small"
          aria-label="The month after"
          onClick={() => (at.value = addMonths(day, 1))}
        >
          <Icon name="arrow-right" size={14} />
        </button>
      </header>
      <table
        ref={grid}
        role="grid"
        aria-label="Days"
        onKeyDown={(event) => {
          const step = STEPS[keyOf(event)];
          if (!step) return;
          event.preventDefault();
          event.stopPropagation();
          hasMoved.current = true;
          at.value = step(day);
        }}
      >
        <thead aria-hidden="true">
          <tr>
            {weeks[0]?.map((one) => (
              <th key={one}>{WEEKDAY.format(noonOf(one))}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((one) => (
                <td key={one} aria-selected={one === chosen}>
                  <button
                    type="button"
                    class={classesOf(one, day, chosen)}
                    tabIndex={one === day ? 0 : -1}
                    aria-label={dayWords(one, today.value)}
                    aria-current={one === today.value ? "date" : undefined}
                    onClick={() => onPick(one)}
                  >
                    {Number(one.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const classesOf = (one: string, shown: string, chosen: string | null): string =>
  [
    "day",
    one.slice(0, 7) === shown.slice(0, 7) ? "" : "outside",
    one === today.value ? "today" : "",
    one === chosen ? "chosen" : "",
  ].join(" ");

/** The weeks of a day's month, each with all of its days. Always six, so that nothing jumps. */
const weeksOf = (day: string): readonly (readonly string[])[] => {
  const first = `${day.slice(0, 7)}-01`;
  const start = addDays(first, -((noonOf(first).getDay() - firstWeekday() + 7) % 7));
  return Array.from({ length: 6 }, (_week, week) =>
    Array.from({ length: 7 }, (_day, index) => addDays(start, 7 * week + index)),
  );
};

import { type Instant, parseInstant } from "../../domain/base/instant.ts";
import { momentWords } from "../ui/time.tsx";
import type { Problems } from "../shared/form.ts";
import { CHOICES, type Typed } from "./since.ts";

type FormProps = {
  readonly path: string;
  readonly typed: Typed;
  readonly problems: Problems;
  readonly now: Instant;
};

/** Chooses since when to look at the key's changes. Looking does not change anything. */
export const SinceForm = ({ path, typed, problems, now }: FormProps) => (
  <form method="get" action={path} novalidate>
    <div class="field">
      <label for="since">Changes made</label>
      <select id="since" name="since">
        {parseInstant(typed.choice) !== null && (
          <option value={typed.choice} selected>
            since the time below
          </option>
        )}
        {CHOICES.map(([value, words]) => (
          <option key={value} value={value} selected={value === (typed.choice || "24h")}>
            {words}
          </option>
        ))}
      </select>
    </div>
    <div class="field">
      <label for="at">Or since a date and time</label>
      <p class="hint" id="at-hint">
        <span data-zone-words>{`In UTC. It is now ${momentWords(now)}`}</span>
      </p>
      <input
        id="at"
        name="at"
        type="datetime-local"
        value={typed.at}
        aria-invalid={problems["at"] ? "true" : undefined}
        aria-describedby={problems["at"] ? "at-hint at-problem" : "at-hint"}
      />
      {problems["at"] && (
        <p class="problem" id="at-problem">
          {problems["at"]}
        </p>
      )}
    </div>
    <input type="hidden" name="zone" value={String(typed.zone)} data-zone />
    <button>Show changes</button>
  </form>
);

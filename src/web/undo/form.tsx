import { type Instant, parseInstant } from "../../domain/base/instant.ts";
import type { ApiKey } from "../../domain/people/api-key.ts";
import { Shown } from "../ui/shown.tsx";
import { momentWords } from "../ui/time.tsx";
import type { Problems } from "../shared/form.ts";
import { CHOICES, type Typed } from "./since.ts";

type FormProps = {
  readonly path: string;
  readonly typed: Typed;
  /** The account's other keys that may write. */
  readonly others: readonly ApiKey[];
  readonly problems: Problems;
  readonly now: Instant;
};

/** Chooses since when to look at the key's changes. Looking does not change anything. */
export const SinceForm = ({ path, typed, others, problems, now }: FormProps) => (
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
    {others.length > 0 && (
      <fieldset class="field">
        <legend>Together with changes of</legend>
        {others.map(({ id, name, hint }) => (
          <label key={id}>
            <input
              type="checkbox"
              name={`with.${id}`}
              value="yes"
              checked={typed.others.includes(id)}
            />
            <Shown text={name} /> <code>{hint}</code>
          </label>
        ))}
        <p class="hint">
          If keys overwrote each other, undo them together: everything goes back to what it was
          before.
        </p>
      </fieldset>
    )}
    <input type="hidden" name="zone" value={String(typed.zone)} data-zone />
    <button>Show changes</button>
  </form>
);

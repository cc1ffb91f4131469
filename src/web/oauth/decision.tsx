import type { ComponentChildren } from "preact";
import type { Problems } from "../shared/form.ts";
import { FormProblem } from "../ui/fields.tsx";

type DecisionProps = {
  /** The request's parameters, which the form repeats. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly problems: Problems;
  readonly children: ComponentChildren;
};

/** The form in which a person allows a request or cancels it. */
export const Decision = ({ parameters, problems, children }: DecisionProps) => (
  <form method="post" action="/oauth/authorize" novalidate>
    <FormProblem problems={problems} />
    {Object.entries(parameters).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    {children}
    <div class="actions">
      <button class="main" name="decision" value="allow">
        Allow
      </button>
      <button class="quiet" name="decision" value="deny">
        Cancel
      </button>
    </div>
  </form>
);

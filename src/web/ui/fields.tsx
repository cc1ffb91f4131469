import type { ComponentChildren, JSX } from "preact";
import type { Problems } from "../shared/form.ts";

type InputProps = JSX.IntrinsicElements["input"] & { readonly "data-fragment"?: string };

type FieldProps = {
  readonly name: string;
  readonly label: string;
  /** Help with filling it in. */
  readonly hint?: ComponentChildren;
  readonly problems: Problems;
  readonly input?: InputProps;
};

/** A labelled field of a form, with its problem below it. */
export const Field = ({ name, label, hint, problems, input = {} }: FieldProps) => {
  const problem = problems[name];
  const described = [hint ? `${name}-hint` : "", problem ? `${name}-problem` : ""];
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      <input
        id={name}
        name={name}
        required
        aria-invalid={problem ? "true" : undefined}
        aria-describedby={described.filter(Boolean).join(" ") || undefined}
        // The browser focuses the first one, and scrolls to it.
        autofocus={problem !== undefined}
        {...input}
      />
      {problem && (
        <p class="problem" id={`${name}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
};

/** A problem with the form as a whole. */
export const FormProblem = ({ problems }: { readonly problems: Problems }) =>
  problems[""] ? (
    <p class="problem banner" role="alert">
      {problems[""]}
    </p>
  ) : null;

/** A sentence that says how something went, or what is in the way. */
export const Notice = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="notice" role="status">
    {children}
  </p>
);

export const EmailField = ({
  label = "E-mail",
  value,
  problems,
}: {
  readonly label?: string;
  readonly value: string;
  readonly problems: Problems;
}) => (
  <Field
    name="email"
    label={label}
    problems={problems}
    input={{ type: "email", value, autocomplete: "username" }}
  />
);

/** The current password. What was typed is never sent back. */
export const PasswordField = ({
  name = "password",
  label = "Password",
  problems,
}: {
  readonly name?: string;
  readonly label?: string;
  readonly problems: Problems;
}) => (
  <Field
    name={name}
    label={label}
    problems={problems}
    input={{ type: "password", autocomplete: "current-password" }}
  />
);

/** The second factor: a code of the authenticator app, or a recovery code, which has letters too. */
export const CodeField = ({ problems }: { readonly problems: Problems }) => (
  <Field
    name="code"
    label="Code"
    hint="Six digits from your authenticator app, or one of your recovery codes."
    problems={problems}
    input={{ autocomplete: "one-time-code", spellcheck: false, class: "code" }}
  />
);

export const NewPasswordField = ({ problems }: { readonly problems: Problems }) => (
  <Field
    name="password"
    label="New password"
    hint="At least 8 characters. Use a short sentence that you can remember, or let a password manager choose one."
    problems={problems}
    input={{ type: "password", autocomplete: "new-password", minLength: 8 }}
  />
);

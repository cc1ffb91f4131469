import type { Problems } from "../shared/form.ts";
import { EmailField, Field, FormProblem, NewPasswordField } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";

type JoinProps = {
  readonly kind: "invitation" | "setup";
  readonly typed: { readonly code: string; readonly email: string };
  readonly problems: Problems;
};

const WORDS = {
  setup: {
    title: "Set up Docket",
    about:
      "Your account will be the first one on this server. As its owner, you can invite other people.",
    code: "Setup code",
    where: "The server printed this code when it started. The link it printed fills it in for you.",
    button: "Create account",
  },
  invitation: {
    title: "Accept your invitation",
    about: "You have been invited to create an account on this server, to keep your own tasks in.",
    code: "Invitation code",
    where: "The code is part of your invitation link, which fills it in for you.",
    button: "Create account",
  },
};

/** The form that creates an account from a code: the owner's, or an invited person's. */
export const JoinPage = ({ kind, typed, problems }: JoinProps) => {
  const words = WORDS[kind];
  return (
    <Layout title={words.title}>
      <p>{words.about}</p>
      <form method="post" action={`/${kind}`} novalidate>
        <FormProblem problems={problems} />
        <Field
          name="code"
          label={words.code}
          hint={words.where}
          problems={problems}
          input={{
            value: typed.code,
            autocomplete: "off",
            spellcheck: false,
            class: "code",
            // Our script fills this in from the link's fragment, which no server and no log sees.
            "data-fragment": "",
          }}
        />
        <EmailField value={typed.email} problems={problems} />
        <NewPasswordField problems={problems} />
        <button class="main">{words.button}</button>
      </form>
    </Layout>
  );
};

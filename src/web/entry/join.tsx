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
    about: "You are about to own this server: your account is the first, and can invite others.",
    code: "Set-up code",
    where: "It was printed where the server was started, and the link from there fills it in.",
    button: "Make my account",
  },
  invitation: {
    title: "Join",
    about: "You were invited to keep your tasks on this server, in an account of your own.",
    code: "Invitation code",
    where: "It is part of the link that you were given, which fills it in.",
    button: "Make my account",
  },
};

/** The form that makes an account by a code: the owner's, or an invited person's. */
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
            // Our script puts the link's fragment in: what stands there no server and no log sees.
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

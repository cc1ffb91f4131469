import type { Instant } from "../../domain/base/instant.ts";
import { Time } from "../ui/parts.tsx";

type SectionProps = {
  /** When the app was set up, and how many recovery codes are left; null without an app. */
  readonly authenticator: { readonly createdAt: Instant; readonly codesLeft: number } | null;
};

/** The second factor beside the password: on or off, and the recovery codes that are left. */
export const AuthenticatorSection = ({ authenticator }: SectionProps) => (
  <section>
    <h2>Authenticator app</h2>
    {authenticator === null ? <Off /> : <On {...authenticator} />}
  </section>
);

const Off = () => (
  <>
    <p>
      With an authenticator app, your password works only together with a code that the app shows.
      Passkeys need no code: they are two factors already.
    </p>
    <form method="post" action="/account/authenticator/new">
      <button>Set up an authenticator app</button>
    </form>
  </>
);

const On = ({ createdAt, codesLeft }: NonNullable<SectionProps["authenticator"]>) => (
  <>
    <p>
      On since <Time at={createdAt} />. Your password works only together with a code.{" "}
      {codesLeft === 0
        ? "You have no recovery codes left."
        : `You have ${codesLeft} recovery ${codesLeft === 1 ? "code" : "codes"} left.`}
    </p>
    <div class="actions">
      <form method="post" action="/account/authenticator/codes">
        <button>Create new recovery codes</button>
      </form>
      <form
        method="post"
        action="/account/authenticator/remove"
        data-confirm="Turn the second factor off? Your password alone then signs you in."
      >
        <button class="danger">Turn off</button>
      </form>
    </div>
  </>
);

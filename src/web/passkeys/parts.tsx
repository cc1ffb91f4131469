import { passkeyHost } from "../../domain/people/passkey.ts";
import type { PageContext } from "../shared/page.ts";
import { assetPath } from "../assets.ts";
import { passkeyAddress } from "./ceremony.ts";
import { errorReply, refused } from "../../server/respond.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { type PageReply, scriptReply } from "../shared/reply.tsx";

type UseProps = {
  readonly context: PageContext;
  /** The page that the button is on. */
  readonly path: string;
  readonly action: "/account/confirm/passkey" | "/sign-in/passkey";
  readonly next: string;
  readonly label: string;
};

/** A button that asks for a passkey. Hidden until our script has checked that the browser supports them. */
export const PasskeyButton = ({ context, path, action, next, label }: UseProps) =>
  passkeyHost(context.origin) === null ? (
    <PasskeysElsewhere context={context} path={`${path}?next=${encodeURIComponent(next)}`} />
  ) : (
    <div
      hidden
      data-passkey="use"
      data-options="/sign-in/passkey/options"
      data-action={action}
      data-next={next}
    >
      <button type="button">{label}</button>
      <PasskeyScript />
    </div>
  );

type ElsewhereProps = { readonly context: PageContext; readonly path: string };

/** On a page at an address where passkeys do not work: the address where they do. */
export const PasskeysElsewhere = ({ context, path }: ElsewhereProps) => {
  const address = passkeyAddress(context, path);
  return address === null ? null : (
    <p class="hint">
      Passkeys do not work at this address. To use one, go to{" "}
      <a href={address}>{new URL(address).origin}</a>.
    </p>
  );
};

/** Where our script reports how it went, and the script itself. */
export const PasskeyScript = () => (
  <>
    <p class="problem" role="alert" />
    <script src={assetPath("passkeys.js")} type="module" />
  </>
);

/** A handler for our own script. Sends refusals as JSON, which the script shows on the page. */
export const forScript =
  <Given extends PageContext>(handle: (context: Given) => Promise<PageReply>) =>
  async (context: Given): Promise<PageReply> => {
    try {
      return await handle(context);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const failure = refused(error);
      return { ...scriptReply(null), status: failure.status, body: errorReply(failure).body };
    }
  };

/** A part of what the script sent; undefined if it is missing. */
export const part = (json: unknown, name: string): unknown =>
  typeof json === "object" && json !== null && Object.hasOwn(json, name)
    ? (json as Readonly<Record<string, unknown>>)[name]
    : undefined;

export const textPart = (json: unknown, name: string): string => {
  const value = part(json, name);
  return typeof value === "string" ? value : "";
};

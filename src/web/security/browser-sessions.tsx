import {
  browserName,
  type BrowserSession,
  type SignInMethod,
} from "../../domain/people/session.ts";
import { endBrowserSession, endOtherBrowserSessions } from "../../db/people/revocation.ts";
import type { SignedInContext } from "../shared/page.ts";
import { type PageReply, seeOther } from "../shared/reply.tsx";
import { Rows, Shown, Time } from "../ui/parts.tsx";

/** `POST /account/browser sessions/:id/end`: signs one of the account's browsers out. Does nothing if it already is. */
export const postEnd = async ({ store, who, pathId, now }: SignedInContext): Promise<PageReply> => {
  await endBrowserSession(store, who.account.id, pathId ?? "", now);
  return seeOther("/account/security?done=ended");
};

/** `POST /account/browser sessions/end-others`: signs out all browsers except this one. */
export const postEndOthers = async ({ store, who, now }: SignedInContext): Promise<PageReply> => {
  await endOtherBrowserSessions(store, who.account.id, who.browserSession.id, now);
  return seeOther("/account/security?done=ended-others");
};

const METHODS: Readonly<Record<SignInMethod, string>> = {
  openid: "OpenID",
  passkey: "passkey",
  password: "password",
  setup: "setup or invitation",
};

type SectionProps = {
  readonly context: SignedInContext;
  readonly browserSessions: readonly BrowserSession[];
};

/** The browsers signed in to these pages. The extension's devices have a page of their own. */
export const BrowserSessionSection = ({ context, browserSessions }: SectionProps) => (
  <section>
    <h2>Signed-in browsers</h2>
    <Rows
      caption="Most recently used first"
      columns={["Browser", "Address", "Signed in with", "Since", "Last used", "Actions"]}
      oneLine
    >
      {browserSessions.map((browserSession) => (
        <BrowserSessionRow
          key={browserSession.id}
          of={browserSession}
          isThis={browserSession.id === context.who.browserSession.id}
        />
      ))}
    </Rows>
    {browserSessions.length > 1 && (
      <form method="post" action="/account/visits/end-others">
        <button class="danger">Sign out all other browsers</button>
      </form>
    )}
  </section>
);

type RowProps = { readonly of: BrowserSession; readonly isThis: boolean };

const BrowserSessionRow = ({ of: browserSession, isThis }: RowProps) => (
  <tr>
    <th scope="row">
      <Shown text={browserName(browserSession.client)} />
    </th>
    <td data-label="Address">{browserSession.address}</td>
    <td data-label="Signed in with">{METHODS[browserSession.method]}</td>
    <td data-label="Since">
      <Time at={browserSession.createdAt} />
    </td>
    <td data-label="Last used">
      <Time at={browserSession.lastUsedAt} />
    </td>
    <td data-label="Actions">
      {isThis ? (
        <span class="badge good">this browser</span>
      ) : (
        <form method="post" action={`/account/visits/${encodeURIComponent(browserSession.id)}/end`}>
          <button class="quiet" aria-label={`Sign out ${browserName(browserSession.client)}`}>
            Sign out
          </button>
        </form>
      )}
    </td>
  </tr>
);

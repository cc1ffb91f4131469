import { browserName } from "../../client.ts";
import { endOneVisit, endOtherVisits } from "../../db/endings.ts";
import type { SignInMethod, Visit } from "../../visit.ts";
import type { SignedInAsk } from "../ask.ts";
import { type PageReply, seeOther } from "../reply.tsx";
import { Shown } from "../ui/shown.tsx";
import { Time } from "../ui/time.tsx";
import { Rows } from "../ui/rows.tsx";

/** `POST /account/visits/:id/end`: signs one of the account's browsers out. Does nothing if it already is. */
export const postEnd = async ({ store, who, pathId, now }: SignedInAsk): Promise<PageReply> => {
  await endOneVisit(store, who.account.id, pathId ?? "", now);
  return seeOther("/account/security?done=ended");
};

/** `POST /account/visits/end-others`: signs out all browsers except this one. */
export const postEndOthers = async ({ store, who, now }: SignedInAsk): Promise<PageReply> => {
  await endOtherVisits(store, who.account.id, who.visit.id, now);
  return seeOther("/account/security?done=ended-others");
};

const METHODS: Readonly<Record<SignInMethod, string>> = {
  openid: "OpenID",
  passkey: "passkey",
  password: "password",
  setup: "setup or invitation",
};

type SectionProps = { readonly ask: SignedInAsk; readonly visits: readonly Visit[] };

/** The browsers signed in to these pages. The extension's devices have a page of their own. */
export const VisitSection = ({ ask, visits }: SectionProps) => (
  <section>
    <h2>Signed-in browsers</h2>
    <Rows
      caption="Most recently used first"
      columns={["Browser", "Address", "Signed in with", "Since", "Last used", "Actions"]}
    >
      {visits.map((visit) => (
        <VisitRow key={visit.id} of={visit} isThis={visit.id === ask.who.visit.id} />
      ))}
    </Rows>
    {visits.length > 1 && (
      <form method="post" action="/account/visits/end-others">
        <button class="danger">Sign out all other browsers</button>
      </form>
    )}
  </section>
);

type RowProps = { readonly of: Visit; readonly isThis: boolean };

const VisitRow = ({ of: visit, isThis }: RowProps) => (
  <tr>
    <th scope="row">
      <Shown text={browserName(visit.client)} />
    </th>
    <td data-label="Address">{visit.address}</td>
    <td data-label="Signed in with">{METHODS[visit.method]}</td>
    <td data-label="Since">
      <Time at={visit.createdAt} />
    </td>
    <td data-label="Last used">
      <Time at={visit.lastUsedAt} />
    </td>
    <td data-label="Actions">
      {isThis ? (
        <span class="badge good">this browser</span>
      ) : (
        <form method="post" action={`/account/visits/${encodeURIComponent(visit.id)}/end`}>
          <button class="quiet" aria-label={`Sign out ${browserName(visit.client)}`}>
            Sign out
          </button>
        </form>
      )}
    </td>
  </tr>
);

import { browserName } from "../../client.ts";
import { endOneVisit, endOtherVisits } from "../../db/endings.ts";
import type { SignInMethod, Visit } from "../../visit.ts";
import type { SignedInAsk } from "../ask.ts";
import { type PageReply, seeOther } from "../reply.tsx";
import { Shown } from "../ui/shown.tsx";
import { Time } from "../ui/time.tsx";
import { Rows } from "../ui/rows.tsx";

/** `POST /account/visits/:id/end`: signs a browser of the account out. One that is out stays out. */
export const postEnd = async ({ store, who, pathId, now }: SignedInAsk): Promise<PageReply> => {
  await endOneVisit(store, who.account.id, pathId ?? "", now);
  return seeOther("/account/security?done=ended");
};

/** `POST /account/visits/end-others`: signs all browsers out but this one. */
export const postEndOthers = async ({ store, who, now }: SignedInAsk): Promise<PageReply> => {
  await endOtherVisits(store, who.account.id, who.visit.id, now);
  return seeOther("/account/security?done=ended-others");
};

const METHODS: Readonly<Record<SignInMethod, string>> = {
  openid: "OpenID",
  passkey: "passkey",
  password: "password",
  setup: "set-up or invitation",
};

type SectionProps = { readonly ask: SignedInAsk; readonly visits: readonly Visit[] };

/** Where the account's person is signed in to these pages. Devices of the extension have a page of their own. */
export const VisitSection = ({ ask, visits }: SectionProps) => (
  <section>
    <h2>Browsers signed in</h2>
    <Rows
      caption="The one used last first"
      columns={["Browser", "Address", "Signed in by", "Since", "Last used", "Change"]}
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
    <td data-label="Signed in by">{METHODS[visit.method]}</td>
    <td data-label="Since">
      <Time at={visit.createdAt} />
    </td>
    <td data-label="Last used">
      <Time at={visit.lastUsedAt} />
    </td>
    <td data-label="Change">
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

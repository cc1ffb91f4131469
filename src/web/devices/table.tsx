import type { Instant } from "../../domain/base/instant.ts";
import { type Session, sessionEnd, sessionState } from "../../domain/people/session.ts";
import { Rows } from "../ui/rows.tsx";
import { Shown, shownText } from "../ui/shown.tsx";
import { Time, TimeOr } from "../ui/time.tsx";

type TableProps = {
  readonly caption: string;
  readonly sessions: readonly Session[];
  readonly now: Instant;
};

/** Devices: when they were used, what their syncs did, and a button to sign out those that are signed in. */
export const DeviceTable = ({ caption, sessions, now }: TableProps) => (
  <Rows caption={caption} columns={COLUMNS} oneLine>
    {sessions.map((session) => (
      <DeviceRow key={session.id} of={session} now={now} />
    ))}
  </Rows>
);

const COLUMNS = [
  "Name",
  "Status",
  "Added",
  "Last used",
  "Last sync",
  "Pulled",
  "Applied",
  "Rejected",
  "Ends",
  "Actions",
];

type RowProps = { readonly of: Session; readonly now: Instant };

const DeviceRow = ({ of: session, now }: RowProps) => (
  <tr>
    <th scope="row" title={shownText(session.name)}>
      <Shown text={session.name} />
    </th>
    <td data-label="Status">
      <State of={session} now={now} />
    </td>
    <td data-label="Added">
      <Time at={session.createdAt} />
    </td>
    <td data-label="Last used">
      <Time at={session.lastUsedAt} />
    </td>
    <td data-label="Last sync">
      <TimeOr at={session.lastSyncAt} none="never" />
    </td>
    <td data-label="Pulled">{session.pulled ?? 0}</td>
    <td data-label="Applied">{session.applied ?? 0}</td>
    <td data-label="Rejected">{session.rejected ?? 0}</td>
    <td data-label="Ends">
      <Time at={sessionEnd(session)} />
    </td>
    <td data-label="Actions">
      {sessionState(session, now) === "live" && <SignOut of={session} />}
    </td>
  </tr>
);

const LOOKS = { live: "good", expired: "plain", revoked: "plain" } as const;
const WORDS = { live: "signed in", expired: "expired", revoked: "signed out" } as const;

const State = ({ of: session, now }: RowProps) => {
  const state = sessionState(session, now);
  return <span class={`badge ${LOOKS[state]}`}>{WORDS[state]}</span>;
};

const SignOut = ({ of: { id, name } }: { readonly of: Session }) => (
  <form
    method="post"
    action={`/account/devices/${encodeURIComponent(id)}/revoke`}
    data-confirm={`Sign out “${name}”? It stops syncing until you sign in on it again.`}
  >
    <button class="danger" aria-label={`Sign out ${name}`}>
      Sign out
    </button>
  </form>
);

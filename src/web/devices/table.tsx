import { type Instant, isInstant } from "../../domain/base/instant.ts";
import { type Session, sessionEnd, sessionState } from "../../domain/people/session.ts";
import { Rows, Shown, shownText, Time, TimeOr } from "../ui/parts.tsx";
import type { SessionPosition } from "../../db/people/sessions.ts";
import { issuerOf } from "../../server/checks/request.ts";
import type { PageContext } from "../shared/page.ts";

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
  "Received",
  "Sent",
  "Not accepted",
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
    <td data-label="Received">{session.pulled ?? 0}</td>
    <td data-label="Sent">{session.applied ?? 0}</td>
    <td data-label="Not accepted">{session.rejected ?? 0}</td>
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

/** Which part of the address holds the place in each list. */
export const PLACES = { live: "cursor", ended: "ended" } as const;

/** The address of a page of one of the two lists. The cursor is opaque to its readers. */
export const devicesPath = (kind: keyof typeof PLACES, { at, id }: SessionPosition): string =>
  `/account/devices?${PLACES[kind]}=${Buffer.from(JSON.stringify([at, id])).toString("base64url")}${kind === "ended" ? "#ended" : ""}`;

/** Where a page of a list starts; null for a cursor that was not made here. */
export const readDevicesPosition = (cursor: string): SessionPosition | null => {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    const [at, id] = Array.isArray(value) ? (value as readonly unknown[]) : [];
    return isInstant(at) && typeof id === "string" ? { at, id } : null;
  } catch {
    return null;
  }
};

/** The server's address, which people enter in the extension. */
export const serverAddress = ({ origin, service }: PageContext): string =>
  issuerOf(origin, service.settings);

import { type ApiKey, isKeyLive, type KeyState, keyState } from "../../domain/people/api-key.ts";
import type { NamedFolder } from "../../domain/tasks/folder.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { RowMenu, Rows, Shown, shownText, Time, TimeOr } from "../ui/parts.tsx";
import { Where } from "./form.tsx";

type TableProps = {
  readonly keys: readonly ApiKey[];
  /** The account's live folders. */
  readonly folders: readonly NamedFolder[];
  readonly now: Instant;
  /** Whether the account may create keys. If not, it cannot replace any either. */
  readonly pro: boolean;
};

/** All keys of an account: active ones first, and the newest first within each group. */
export const KeyTable = ({ keys, folders, now, pro }: TableProps) => (
  <Rows
    caption="Active keys first"
    columns={["Name", "Key", "Access", "Status", "Created", "Last used", "Expires", "Actions"]}
    oneLine
  >
    {inOrder(keys, now).map((key) => (
      <KeyRow key={key.id} of={key} folders={folders} now={now} pro={pro} />
    ))}
  </Rows>
);

const inOrder = (keys: readonly ApiKey[], now: Instant): readonly ApiKey[] =>
  keys.toSorted(
    (a, b) =>
      Number(isKeyLive(b, now)) - Number(isKeyLive(a, now)) ||
      b.createdAt - a.createdAt ||
      (a.id < b.id ? 1 : -1),
  );

type RowProps = Omit<TableProps, "keys"> & { readonly of: ApiKey };

const KeyRow = ({ of: key, folders, now, pro }: RowProps) => (
  <tr>
    <th scope="row" id={nameId(key)} title={shownText(key.name)}>
      <a href={`/account/activity?key=${encodeURIComponent(key.id)}`}>
        <Shown text={key.name} />
      </a>
      {key.client !== null && (
        <div class="quiet-text">
          from <Shown text={key.client} />
        </div>
      )}
    </th>
    <td data-label="Key">
      <code>{key.hint}</code>
    </td>
    <td data-label="Access">
      {key.scopes.join(" and ") || "none"} <Where of={key.restriction} folders={folders} />
      {key.review && <div class="quiet-text">you review what it creates</div>}
    </td>
    <td data-label="Status">
      <State of={key} now={now} />
    </td>
    <td data-label="Created">
      <Time at={key.createdAt} />
    </td>
    <td data-label="Last used">
      <TimeOr at={key.lastUsedAt} none="never" />
    </td>
    <td data-label="Expires">
      <TimeOr at={key.expiresAt} none="never" />
    </td>
    <td data-label="Actions">
      {(isKeyLive(key, now) || key.scopes.includes("write")) && (
        <RowMenu name={key.name}>
          {key.scopes.includes("write") && (
            <a href={keyPath(key.id, "undo")} aria-describedby={nameId(key)}>
              Undo changes
            </a>
          )}
          {isKeyLive(key, now) && <Changes of={key} pro={pro} />}
        </RowMenu>
      )}
    </td>
  </tr>
);

const LOOKS: Readonly<Record<KeyState, string>> = {
  live: "badge good",
  expired: "badge plain",
  replaced: "badge plain",
  revoked: "badge bad",
};

const State = ({ of: key, now }: { readonly of: ApiKey; readonly now: Instant }) => {
  const state = keyState(key, now);
  const ending = state === "live" && key.replacedBy !== null;
  return (
    <>
      <span class={LOOKS[state]}>{state === "live" ? "active" : state}</span>
      {ending && <span class="quiet-text"> replaced, but works until it expires</span>}
    </>
  );
};

const Changes = ({ of: key, pro }: { readonly of: ApiKey; readonly pro: boolean }) => (
  <>
    {pro && key.replacedBy === null && (
      <a href={keyPath(key.id, "replace")} aria-describedby={nameId(key)}>
        Replace
      </a>
    )}
    <form
      method="post"
      action={keyPath(key.id, "revoke")}
      data-confirm={`Revoke “${key.name}”? Everything that uses it stops working.`}
    >
      <button class="danger" aria-describedby={nameId(key)}>
        Revoke
      </button>
    </form>
  </>
);

const nameId = ({ id }: ApiKey): string => `key-${id}`;

export const keyPath = (id: string, what: "keep" | "replace" | "revoke" | "undo"): string =>
  `/account/keys/${encodeURIComponent(id)}/${what}`;

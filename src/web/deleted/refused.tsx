import { type CallRow, listCalls } from "../../db/calls/activity-pages.ts";
import type { ApiKey } from "../../domain/people/api-key.ts";
import { DAY, type Instant } from "../../domain/base/instant.ts";
import { readCookie, setCookie, type SignedInContext } from "../shared/page.ts";
import { field } from "../shared/form.ts";
import { type PageReply, seeOther } from "../shared/reply.tsx";
import { Shown, Time } from "../ui/parts.tsx";
import { listDeletions, type MassDeletion } from "../../db/history/mass-deletions.ts";

/** How long a refused delete stays on the overview, unless it is dismissed. */
const NEWS = 7 * DAY;

const DELETES = { keyId: null, outcome: "deletes", way: null } as const;

/** The newest delete by a key that was refused; null if there is none to show, or it was dismissed in this browser. */
export const readRefusedDelete = async (context: SignedInContext): Promise<CallRow | null> => {
  const { store, who, now, request, origin } = context;
  const newest = { after: null, limit: 1 };
  const [call] = (await listCalls(store, who.account.id, DELETES, newest)).rows;
  if (!call || now - call.at > NEWS) return null;
  return readCookie(request, origin, "dismissed") === markOf(call) ? null : call;
};

/** Names the call among those of all accounts. A further one has another mark, and is shown again. */
const markOf = ({ id, at, count }: CallRow): string => `${id}.${at}.${count}`;

type RefusedProps = { readonly of: CallRow | null; readonly keys: readonly ApiKey[] };

/** Names the key that tried to delete something. */
export const RefusedDelete = ({ of: call, keys }: RefusedProps) =>
  call && (
    <div class="problem banner" role="status">
      <p>
        The API key <KeyName of={keys.find(({ id }) => id === call.keyId)} /> tried to delete
        something on <Time at={call.at} />. Docket did not allow it.{" "}
        <a href="/account/activity?outcome=deletes">See the refused calls</a>
      </p>
      <form method="post" action="/account/deleted/refused/dismiss">
        <input type="hidden" name="mark" value={markOf(call)} />
        <button>Dismiss</button>
      </form>
    </div>
  );

const KeyName = ({ of: key }: { readonly of: ApiKey | undefined }) => (
  <>
    “<Shown text={key?.name ?? "unknown"} />”
  </>
);

/** `POST /account/deleted/refused/dismiss`: this browser shows the refused delete no longer. */
export const postDismiss = (context: SignedInContext): PageReply => {
  const mark = field(context.form, "mark");
  return seeOther(
    "/account",
    /^[\d.]{1,60}$/.test(mark) ? [setCookie(context.origin, "dismissed", mark)] : [],
  );
};

/** More than a person would look at one by one. */
const MOST = 20;

/** The newest pushes since then that deleted a great deal, and that nobody has restored yet. */
export const readUnanswered = async (
  { store, who, now }: SignedInContext,
  since: Instant,
): Promise<readonly MassDeletion[]> => {
  const deletions = await listDeletions(store, who.account.id, now);
  return deletions
    .filter(({ restoredAt, at }) => restoredAt === null && at >= since)
    .slice(0, MOST);
};

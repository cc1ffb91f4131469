import { type ApiKey, isKeyLive } from "../../domain/people/api-key.ts";
import { isSessionLive } from "../../domain/people/session.ts";
import { DAY, formatInstant, type Instant, MINUTE } from "../../domain/base/instant.ts";
import { listAccounts } from "../../db/people/accounts.ts";
import { listKeys } from "../../db/people/api-keys.ts";
import { findOwner } from "../../db/people/owner.ts";
import { listSessions } from "../../db/people/sessions.ts";
import { aheadOf } from "../../db/records/clock.ts";
import { changesFromTheFuture } from "../../db/history/clocks.ts";
import type { Store } from "../../db/store.ts";
import { type Finding, note, ok, problem } from "./finding.ts";

/** After this long without a call, a key is probably forgotten. */
const UNUSED = 90 * DAY;

/** Looks at the clock, and at who may reach the data. */
export const lookAtAccess = async (store: Store, now: Instant): Promise<readonly Finding[]> => [
  clockOf(store, now),
  await ownerOf(store),
  ...(await keysOf(store, now)),
  await devicesOf(store, now),
];

const clockOf = ({ clock }: Store, now: Instant): Finding =>
  aheadOf(clock, now) <= MINUTE
    ? ok("clock", `This machine's clock says ${formatInstant(now)}, which fits the data.`)
    : problem(
        "clock",
        `This machine's clock says ${formatInstant(now)}, and the data are from ${formatInstant(clock.lease)}.`,
        "Set the clock, best by NTP. Until then, changes get stamps ahead of it.",
      );

const ownerOf = async (store: Store): Promise<Finding> =>
  (await findOwner(store)) === null
    ? note(
        "owner",
        "The server has no owner yet.",
        "`docket owner link` prints the link to set it up.",
      )
    : ok("owner", "The server has an owner.");

const keysOf = async (store: Store, now: Instant): Promise<readonly Finding[]> => {
  const emails = new Map((await listAccounts(store)).map(({ id, email }) => [id, email]));
  const live = (await listKeys(store, null)).filter((key) => isKeyLive(key, now));
  const named = (key: ApiKey): string =>
    `The key "${key.name}" (${key.id}) of ${emails.get(key.accountId)}`;
  const endless = live.filter(({ expiresAt }) => expiresAt === null);
  const unused = live.filter(
    ({ createdAt, lastUsedAt, expiresAt }) =>
      expiresAt !== null && now - (lastUsedAt ?? createdAt) > UNUSED,
  );
  const findings = [
    ...endless.map((key) =>
      note(
        "keys",
        `${named(key)} never expires. ${usedWords(key)}`,
        `Replace it by one that does, or revoke it: docket key revoke ${key.id}`,
      ),
    ),
    ...unused.map((key) =>
      note("keys", `${named(key)}: ${usedWords(key)}`, `Revoke it: docket key revoke ${key.id}`),
    ),
  ];
  return findings.length > 0
    ? findings
    : [ok("keys", `Each of the ${live.length} live keys expires, and none is forgotten.`)];
};

const usedWords = ({ lastUsedAt, createdAt }: ApiKey): string =>
  lastUsedAt === null
    ? `It was made ${formatInstant(createdAt)} and never used.`
    : `It was last used ${formatInstant(lastUsedAt)}.`;

/** Devices that sent changes from the future lately. The server dates those back. */
const devicesOf = async (store: Store, now: Instant): Promise<Finding> => {
  const late = await changesFromTheFuture(store, now - 30 * DAY);
  const live = (await listSessions(store, null)).filter((one) => isSessionLive(one, now));
  const wrong = live.filter(({ id }) => late.some(({ by }) => by === id));
  if (wrong.length === 0)
    return ok(
      "devices",
      `${live.length} devices are signed in, and none sent changes from the future.`,
    );
  const sent = late.find(({ by }) => by === wrong[0]?.id);
  return problem(
    "devices",
    `The clock of ${wrong.map(({ name }) => `"${name}"`).join(", ")} is ahead: a change sent ${formatInstant(sent?.at ?? now)} says ${sent?.updatedAt}.`,
    "Set the clock of that device. The server dates such changes back, so an older edit of another device may win.",
  );
};

import { eq, isNotNull, or } from "drizzle-orm";
import type { Account, Plan } from "../../domain/people/account.ts";
import { mintCode, readCode } from "../../domain/people/code.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { invalid, Refusal } from "../../domain/base/refusal.ts";
import type { Random } from "../../domain/base/secret.ts";
import { byEmail, changeIn, insertAccount } from "./accounts.ts";
import { accountOf } from "./credentials.ts";
import { forgetAuthenticator } from "./authenticators.ts";
import {
  type CodeRow,
  type CodeState,
  deleteCodes,
  findCode,
  insertCode,
  useCode,
} from "./codes.ts";
import { selectAccount } from "./credentials.ts";
import { endCredentials, forgetProofs } from "./revocation.ts";
import type { Store } from "../store.ts";
import type { Orm } from "../query.ts";
import type { Tx } from "../writer.ts";
import { account } from "../schema/records.ts";
import { type BrowserSignIn, insertBrowserSession } from "./browser-sessions.ts";

/** Returns the account that set the server up; null before that. */
export const findOwner = async (store: Store): Promise<Account | null> => ownerOf(store.reader);

const ownerOf = async (orm: Orm): Promise<Account | null> => {
  const row = await orm.select().from(account).where(eq(account.owner, 1)).get();
  return row ? accountOf(row) : null;
};

/**
 * Whether anyone can sign in yet: the owner, or an account that was added on the command line with
 * a password.
 */
export const canSignIn = async (store: Store): Promise<boolean> =>
  (await store.reader
    .select({ id: account.id })
    .from(account)
    .where(or(eq(account.owner, 1), isNotNull(account.passwordHash)))
    .limit(1)
    .get()) !== undefined;

/**
 * Returns a new set-up code, which replaces the one before. Refused as `forbidden` once there is an
 * owner.
 */
export const issueSetUpCode = (store: Store, random: Random, now: Instant): Promise<string> =>
  store.writer.write(async (tx) => {
    await refuseSecondOwner(tx);
    await deleteCodes(tx, "setup", null);
    const code = mintCode("setup", random);
    await insertCode(tx, "setup", code, { accountId: null }, now);
    return code;
  });

/** What a person enters to join. */
export type Joining = {
  readonly code: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly plan: Plan;
};

/** The account that joined, and its browser's cookie. */
export type Joined = { readonly accountId: number; readonly secret: string };

/**
 * Creates the owner and signs their browser in. If `docket account add` already made an account
 * with this e-mail, it becomes the owner's: anyone who has the code controls the machine. If several
 * requests use one code at once, one succeeds and the others are refused because the code was used.
 */
export const setUpOwner = (
  store: Store,
  joining: Joining,
  signIn: BrowserSignIn,
  random: Random,
  now: Instant,
): Promise<Joined> =>
  store.writer.write(async (tx) => {
    const { email, passwordHash } = joining;
    const row = await goodCode(tx, "setup", joining.code, now);
    await refuseSecondOwner(tx);
    const owner = (await byEmail(tx.orm, email))
      ? await adoptAccount(tx, email, passwordHash, now)
      : await insertAccount(tx, email, joining, now);
    await tx.orm.update(account).set({ owner: 1 }).where(eq(account.id, owner.id)).run();
    await useCode(tx, row.id, null, now);
    return {
      accountId: owner.id,
      secret: await insertBrowserSession(tx, owner.id, signIn, random, now),
    };
  });

const adoptAccount = async (
  tx: Tx,
  email: string,
  passwordHash: string,
  now: Instant,
): Promise<Account> => {
  const owner = await changeIn(tx, email, () => ({ passwordHash, disabledAt: null }));
  await endCredentials(tx, owner.id, null, now);
  await forgetProofs(tx, owner.id);
  await forgetAuthenticator(tx, owner.id);
  return owner;
};

/**
 * Returns an invitation code with which one more person can create an account. Refused as
 * `forbidden` for anyone but the owner.
 */
export const issueInvitation = (
  store: Store,
  accountId: number,
  random: Random,
  now: Instant,
): Promise<string> =>
  store.writer.write(async (tx) => {
    if ((await ownerOf(tx.orm))?.id !== accountId)
      throw new Refusal("forbidden", "Only the owner of this server can invite others.");
    const code = mintCode("invitation", random);
    await insertCode(tx, "invitation", code, { accountId }, now);
    return code;
  });

/**
 * Creates an account by invitation and signs its browser in. Refused as `invalid` for a bad code. An e-mail that is
 * taken is refused as `already_there` and uses the invitation up: with each one that the owner hands out, somebody can
 * learn of one address at most whether it has an account.
 */
export const joinByInvitation = async (
  store: Store,
  joining: Joining,
  signIn: BrowserSignIn,
  random: Random,
  now: Instant,
): Promise<Joined> => {
  const joined = await store.writer.write(async (tx) => {
    const row = await goodCode(tx, "invitation", joining.code, now);
    await useCode(tx, row.id, null, now);
    if (await byEmail(tx.orm, joining.email)) return null;
    const made = await insertAccount(tx, joining.email, joining, now);
    return {
      accountId: made.id,
      secret: await insertBrowserSession(tx, made.id, signIn, random, now),
    };
  });
  if (joined) return joined;
  throw new Refusal(
    "already_there",
    `This address cannot be used, and the invitation is now used up. ${REMEDY.invitation}`,
  );
};

const refuseSecondOwner = async (tx: Tx): Promise<void> => {
  const owner = await ownerOf(tx.orm);
  if (owner)
    throw new Refusal(
      "forbidden",
      `This server already has an owner. To set a new password, run \`docket account password ${owner.email}\`.`,
    );
};

/**
 * Refuses a bad code exactly as joining with it would. Call this before hashing the password: a
 * stranger without a code must not be able to keep the server busy.
 */
export const checkCode = async (
  store: Store,
  purpose: JoiningPurpose,
  typed: string,
  now: Instant,
): Promise<void> => {
  await goodCode({ orm: store.reader }, purpose, typed, now);
};

type JoiningPurpose = "invitation" | "setup";

const goodCode = async (
  tx: Pick<Tx, "orm">,
  purpose: JoiningPurpose,
  typed: string,
  now: Instant,
): Promise<CodeRow> => {
  const { state, row } = await findCode(tx, purpose, readCode(typed), now);
  if (state !== "good") throw invalid(`${CODE_PROBLEMS[state]} ${REMEDY[purpose]}`);
  if (!(await isUsable(tx, row))) throw invalid(`${CODE_PROBLEMS.unknown} ${REMEDY[purpose]}`);
  return row;
};

/**
 * A set-up code belongs to no account. An invitation is void while the account that issued it is
 * disabled.
 */
const isUsable = async ({ orm }: Pick<Tx, "orm">, { accountId }: CodeRow): Promise<boolean> =>
  accountId === null || (await selectAccount(orm).get({ id: accountId }))?.disabledAt === null;

/** What is wrong with a code that someone entered. */
export const CODE_PROBLEMS: Readonly<Record<CodeState, string>> = {
  good: "",
  unknown: "This code is not valid. It may be mistyped, or a newer code may have replaced it.",
  used: "This code has already been used.",
  expired: "This code has expired.",
};

const REMEDY = {
  setup:
    "To get a new one, run `docket owner link` on the server's machine, or restart the server.",
  invitation: "Ask the owner of this server for a new invitation.",
};

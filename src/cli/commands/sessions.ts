import { createSession, listSessions, revokeSession } from "../../db/people/sessions.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import { type Session, sessionExpiry, sessionState } from "../../domain/people/session.ts";
import { type Command, theAccount, withStore } from "../command.ts";
import { accountFilter, emailsById, nameOf } from "./keys.ts";
import { printList, time } from "../terminal.ts";

const create: Command = {
  name: "session create",
  usage: "[--account EMAIL] [--name NAME]",
  about: "sign in a device: create a session token for the extension",
  flags: { account: true, name: true },
  words: [0, 0],
  run: async (run) => {
    const name = nameOf(run.flag("name") ?? "command line");
    const { session, secret } = await withStore(run, async (store) => {
      const account = await theAccount(run, store);
      return createSession(store, account.id, name, cryptoRandom, run.now());
    });
    run.say(
      `Session "${session.name}" (${session.id}) expires after 30 days without use, and after 180 days in any case.`,
    );
    run.say("Its token is shown only once. Paste it into the extension:");
    run.print(secret);
    return 0;
  },
};

const list: Command = {
  name: "session list",
  usage: "[--account EMAIL] [--json]",
  about: "list the sessions, including revoked and expired ones",
  flags: { account: true, json: false },
  words: [0, 0],
  run: async (run) => {
    const rows = await withStore(run, async (store) => {
      const emails = await emailsById(store);
      const sessions = await listSessions(store, await accountFilter(run, store));
      return sessions.map((session) =>
        rowOf(session, emails.get(session.accountId) ?? "", run.now()),
      );
    });
    printList(run, rows, "There are no sessions yet. Create one with `docket session create`.");
    return 0;
  },
};

const rowOf = (session: Session, account: string, now: Instant) => ({
  id: session.id,
  account,
  name: session.name,
  state: sessionState(session, now),
  created_at: time(session.createdAt),
  last_used_at: time(session.lastUsedAt),
  last_sync_at: time(session.lastSyncAt),
  pulled: session.pulled ?? 0,
  applied: session.applied ?? 0,
  rejected: session.rejected ?? 0,
  expires_at: time(sessionExpiry(session)),
  revoked_at: time(session.revokedAt),
});

const revoke: Command = {
  name: "session revoke",
  usage: "ID",
  about: "revoke a session: its device is signed out at once",
  flags: {},
  words: [1, 1],
  run: async (run) => {
    const session = await withStore(run, (store) =>
      revokeSession(store, null, run.words[0] ?? "", run.now()),
    );
    run.say(`Revoked the session "${session.name}". Its device is signed out.`);
    return 0;
  },
};

export const SESSION_COMMANDS = [create, list, revoke];

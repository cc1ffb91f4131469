import { createSession, listSessions, revokeSession } from "../../db/people/sessions.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import { type Session, sessionExpiry, sessionState } from "../../domain/people/session.ts";
import { type Command, theAccount, withStore } from "../command.ts";
import { accountFilter, emailsById, nameOf } from "./keys.ts";
import { printList, time } from "../table.ts";

const create: Command = {
  name: "session create",
  usage: "[--account EMAIL] [--name NAME]",
  about: "sign a device in: make a session token for the extension",
  flags: { account: true, name: true },
  words: [0, 0],
  run: async (run) => {
    const name = nameOf(run.flag("name") ?? "command line");
    const { session, secret } = await withStore(run, async (store) => {
      const account = await theAccount(run, store);
      return createSession(store, account.id, name, cryptoRandom, run.now());
    });
    run.say(`Session "${session.name}" (${session.id}) ends after 30 days without use.`);
    run.say("Its token is shown this once; paste it into the extension:");
    run.print(secret);
    return 0;
  },
};

const list: Command = {
  name: "session list",
  usage: "[--account EMAIL] [--json]",
  about: "list the sessions, ended ones too",
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
    printList(run, rows, "There is no session yet.");
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
  about: "refuse a session from now on",
  flags: {},
  words: [1, 1],
  run: async (run) => {
    const session = await withStore(run, (store) =>
      revokeSession(store, null, run.words[0] ?? "", run.now()),
    );
    run.say(`Session "${session.name}" is revoked.`);
    return 0;
  },
};

export const SESSION_COMMANDS = [create, list, revoke];

import { findOwner } from "../../db/people/owner.ts";
import { listAccounts } from "../../db/people/accounts.ts";
import { createSession, revokeSession } from "../../db/people/sessions.ts";
import type { Store } from "../../db/store.ts";
import { UnusableDatabase } from "../../db/unusable.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import { SETTINGS } from "../../config/settings.ts";
import { type Command, type Run, withStore } from "../command.ts";
import { type Finding, problem } from "../doctor/finding.ts";
import { plain, printList } from "../terminal.ts";

export const doctorCommand: Command = {
  name: "doctor",
  usage: "[options of serve] [--newest ADDRESS] [--json]",
  about:
    "look for trouble: data, disk, clock, backups, keys, devices, and the way from outside (which takes half a minute); exits with 1 if it finds any. Give it the server's own settings; with --newest, it asks where releases are published for a newer one",
  flags: {
    ...Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, true])),
    newest: true,
    json: false,
  },
  words: [0, 0],
  run: async (run) => {
    const findings = await lookAtAll(run);
    if (run.has("json")) printList(run, findings, "");
    else for (const line of findings.flatMap(linesOf)) run.print(plain(line));
    return findings.some(({ state }) => state === "problem") ? 1 : 0;
  },
};

const MARKS = { ok: "ok     ", note: "note   ", problem: "PROBLEM" };

const linesOf = ({ about, state, found, mend }: Finding): readonly string[] => [
  `${MARKS[state]}  ${about.padEnd(11)}  ${found}`,
  ...(mend === null ? [] : [`${" ".repeat(22)}${mend}`]),
];

const lookAtAll = async (run: Run): Promise<readonly Finding[]> => {
  const releases = run.flag("newest");
  const found = await lookAtServer(run);
  if (releases === undefined) return found;
  const { lookForNewer } = await import("../doctor/newest.ts");
  return [...found, await lookForNewer(releases)];
};

const lookAtServer = async (run: Run): Promise<readonly Finding[]> => {
  const kept: Finding[] = [];
  try {
    kept.push(...(await lookAtStorage(run)));
    if (kept.some(({ about, state }) => about === "data" && state === "problem")) return kept;
    return [...kept, ...(await withStore(run, (store) => lookInside(run, store)))];
  } catch (error) {
    if (!(error instanceof UnusableDatabase)) throw error;
    // A fault of the files has been told in other words.
    const known = run.config.database === null && kept.some(({ state }) => state === "problem");
    const found = problem("database", error.message, "Do what this says, then run this again.");
    return known ? kept : [...kept, found];
  }
};

/** Looks at what the data are kept in. */
const lookAtStorage = async (run: Run): Promise<readonly Finding[]> => {
  const { data, backups, database } = run.config;
  if (database !== null)
    return (await import("../doctor/postgres.ts")).lookAtPostgres(database, run.now());
  return (await import("../doctor/files.ts")).lookAtFiles(data, backups, run.now());
};

const lookInside = async (run: Run, store: Store): Promise<readonly Finding[]> => {
  const { lookAtAccess } = await import("../doctor/access.ts");
  const { lookAtBucket } = await import("../doctor/bucket.ts");
  const { lookAtNetwork } = await import("../doctor/network.ts");
  const access = await lookAtAccess(store, run.now());
  const trustsProxies = run
    .settings()
    .some(({ setting, value }) => setting === "trusted-proxies" && value !== null);
  if (run.config.publicUrl !== null && !run.has("json"))
    run.say(
      `Asking ${run.config.publicUrl.origin}, as an extension does. This takes half a minute.`,
    );
  const network = await asDevice(run, store, (token) =>
    lookAtNetwork({ config: run.config, now: run.now(), trustsProxies, token }),
  );
  const { backupsS3 } = run.config;
  const bucket = backupsS3 === null ? [] : [await lookAtBucket(backupsS3, run.now())];
  return [...access, ...bucket, ...network];
};

/** Signs in a device for the looks that need one, and signs it out again. */
const asDevice = async <T>(
  run: Run,
  store: Store,
  look: (token: string | null) => Promise<T>,
): Promise<T> => {
  const account = (await findOwner(store)) ?? (await listAccounts(store))[0];
  if (account === undefined || run.config.publicUrl === null) return look(null);
  const { session, secret } = await createSession(
    store,
    account.id,
    "docket doctor",
    cryptoRandom,
    run.now(),
  );
  try {
    return await look(secret);
  } finally {
    await revokeSession(store, null, session.id, run.now());
  }
};

import { readAddress } from "../connect/address.ts";
import { type Check, checkServer } from "../connect/check.ts";
import {
  askPermission,
  type Connection,
  connection,
  dropPermission,
} from "../connect/connection.ts";
import { type Entered, type MayMove, pair, signIn } from "../connect/sign-in.ts";
import { NotSignedIn, revoke } from "../connect/token.ts";
import { askWorker, sentenceOf } from "../background/messages.ts";
import { deviceName } from "../device/device.ts";
import { lastJob, openedTabs } from "../reopen/job.ts";
import { lastTaken } from "../reopen/take-out.ts";
import { lastSave, lastTask } from "../save/last.ts";
import { pickWindow } from "../save/place.ts";
import { sayReport } from "../save/request.ts";
import { boundWindows } from "../window/bound.ts";
import { currentClient } from "../core/open.ts";
import { inTurn } from "../core/adopt.ts";
import { guideFor, sentenceFor } from "./check-words.ts";
import { connected, isNew, outcome, question, typed } from "./state.ts";

const bad = (text: string): void => void (outcome.value = { kind: "bad", text });
const found = (check: Check, server: string): void => {
  const kind = check.kind === "good" ? "good" : "bad";
  outcome.value = { kind, text: sentenceFor(check, server), guide: guideFor(check, server) };
};
const good = (text: string): void => void (outcome.value = { kind: "good", text });
const busy = (text: string): void => void (outcome.value = { kind: "busy", text });

/**
 * Asks for the permission to reach the server that was typed, then runs `work` on it. Browsers allow that only in
 * response to a click, so nothing is awaited before.
 */
const withServer = async (work: (server: string) => Promise<void>): Promise<void> => {
  const address = readAddress(typed.value);
  if (address.kind === "bad") return bad(address.problem);
  const { server } = address;
  const allowed = askPermission(server);
  if (!(await allowed.catch(() => false))) return found({ kind: "no-permission" }, server);
  await work(server);
};

/** Says whether a server can be reached, and if not, why. */
export const testConnection = (): Promise<void> =>
  withServer(async (server) => {
    busy("Testing the connection…");
    const now = connected.value;
    found(await checkServer(server, now?.server === server ? now.token : null), server);
  });

/** Signs in on the server's own pages. A server that cannot be reached is reported first. */
export const signInHere = (): Promise<void> =>
  enter("Sign in, in the window that has opened.", signIn);

export const pairHere = (code: string): Promise<void> =>
  enter("Signing in…", (server, mayMove) => pair(server, code, mayMove));

/** Asks on this page. */
const mayMove: MayMove = (from, to) =>
  new Promise((resolve) => {
    const answer = (may: boolean): void => {
      question.value = null;
      resolve(may);
    };
    question.value?.answer(false);
    question.value = { from, to, answer };
  });

const enter = (
  meanwhile: string,
  work: (server: string, mayMove: MayMove) => Promise<Entered>,
): Promise<void> =>
  withServer(async (server) => {
    busy("Testing the connection…");
    const check = await checkServer(server, null);
    if (check.kind !== "good") return found(check, server);
    busy(meanwhile);
    try {
      const before = await connection.read();
      const { isLeft } = await work(server, mayMove);
      connected.value = await connection.read();
      const said = `You are signed in as ${connected.value?.account.email ?? ""}.`;
      good(said);
      isNew.value = true;
      const entered = outcome.value;
      if ((await isLeft) || outcome.value !== entered) return;
      good(
        `${said} The session that this browser had at ${before?.server ?? ""} may still be active: end it on the Devices page.`,
      );
    } catch (error) {
      bad(error instanceof NotSignedIn ? error.message : sentenceOf(error));
    }
  });

/**
 * Signs out: erases what this browser holds of the account, and ends the session on the server. Returns false, and does
 * nothing, if changes wait that the server does not have, unless the person said to lose them.
 */
export const signOut = async (evenIfWaiting: boolean): Promise<boolean> => {
  const now = await connection.read();
  if (now === null) return true;
  const client = await currentClient();
  if (!evenIfWaiting) await askWorker("sync", null);
  // A save at the same time waits, and goes into the store without an account.
  const isErased = await inTurn(async () => {
    if (!(await client.signOut({ evenIfWaiting }))) return false;
    // At once: with a connection, an alarm would fetch everything again.
    await connection.forget();
    return true;
  });
  if (!isErased) return false;
  // What the panel remembers of the account: where it was, and which tasks were used.
  localStorage.clear();
  await Promise.all(OF_ACCOUNT.map((kept) => kept.forget()));
  connected.value = null;
  await endOnServer(now);
  return true;
};

/** What the extension remembers of an account, apart from the store. */
const OF_ACCOUNT = [boundWindows, deviceName, lastJob, lastSave, lastTaken, lastTask, openedTabs];

/** Ends the session on the server, and says how that went, unless the person does something else by then. */
const endOnServer = async ({ server, token }: Connection): Promise<void> => {
  busy("You are signed out here. Ending the session on the server…");
  const leaving = outcome.value;
  const isEnded = token === null || (await revoke(server, token));
  if (outcome.value !== leaving) return;
  await dropPermission(server);
  good(
    isEnded
      ? "You are signed out. Nothing of the account is left in this browser."
      : "You are signed out here. The server could not be reached: end this device on its Devices page.",
  );
};

/** Saves the tabs of this window as a new task. */
export const saveHere = async (): Promise<void> => {
  busy("Saving…");
  const { saved, title } = await pickWindow(undefined);
  const place = { kind: "new", title } as const;
  const reply = await askWorker("save", { saved, place, close: false });
  if (reply.kind === "failed") return bad(reply.problem);
  isNew.value = false;
  good(`${sayReport(reply.report)}. Next time, press Docket’s button beside the address bar.`);
};

export const syncHere = async (): Promise<void> => {
  busy("Syncing…");
  await askWorker("sync", null);
  outcome.value = null;
};

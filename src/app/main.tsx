import { render } from "preact";
import { openClient } from "../client/client.ts";
import {
  type Account,
  callsOf,
  forgetAccount,
  getSession,
  rememberAccount,
  rememberedAccount,
  type Session,
} from "../ui/start/session.ts";
import { keepForOffline, keepStorage } from "../ui/start/keep.ts";
import { warmSearch } from "../ui/start/search.ts";
import { keepInStep, watchPage } from "../ui/start/watch.ts";
import { showClient } from "../ui/state/client.ts";
import { show } from "../ui/state/overlay.ts";
import { setUp } from "../ui/state/begun.ts";
import { route } from "../ui/state/route.ts";
import { advise } from "../ui/state/notice.ts";
import { App } from "./app.tsx";
import { stayWithoutServer } from "./leaving.ts";
import { CannotStart } from "../ui/views/head.tsx";

/**
 * Opens the store of the account that this browser showed last, and meanwhile asks the server who is signed in. Without
 * a network, that store is all there is; if somebody else is signed in, the page starts again as theirs.
 */
const start = async (): Promise<void> => {
  const remembered = rememberedAccount();
  const answer = getSession();
  if (remembered === null) {
    const session = await answer;
    if (session === null) return signIn();
    rememberAccount(session.account);
    adviseOn(session);
    await open(session.account);
  } else {
    answer.then(
      (session) => {
        if (session === null) signIn();
        else if (session.account.id !== remembered.id) startAgain();
        else adviseOn(session);
      },
      () => null,
    );
    await open(remembered);
  }
};

const open = async (account: Account): Promise<void> => {
  const client = await openClient({
    account,
    server: location.origin,
    request: callsOf(account, startAgain),
    now: Date.now,
    newId: randomUuid,
  });
  showClient(client);
  watchPage();
  stayWithoutServer();
  if (!isSecureContext) advise("http");
  const root = document.getElementById("app");
  if (root) {
    root.replaceChildren();
    render(<App />, root);
  }
  // The installed app's shortcut "New task".
  if (route.peek().query.has("new")) show({ kind: "new-task" });
  // What is on the screen until here may be a sketch: lists are complete, the tasks in them are not.
  await client.whole;
  keepInStep(client);
  keepStorage();
  warmSearch();
};

const adviseOn = ({ isBehindPassword = false, setUp: now }: Session): void => {
  setUp.value = now;
  if (isBehindPassword) advise("proxy");
};

/** A UUID of version 4 (RFC 9562). Pages that came over plain http have no `crypto.randomUUID`. */
const randomUuid = (): string => {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  const hex = bytes
    .map((byte, at) => (at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte))
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
};

const startAgain = (): void => {
  forgetAccount();
  location.reload();
};

const signIn = (): void => {
  forgetAccount();
  location.replace(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
};

start().catch((error: unknown) => {
  const root = document.getElementById("app");
  if (root) render(<CannotStart error={error} />, root);
});
void keepForOffline();

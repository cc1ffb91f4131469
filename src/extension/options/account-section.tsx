import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLayoutEffect, useRef } from "preact/hooks";
import { count } from "../../ui/words/names.ts";
import { browser } from "../browser/api.ts";
import type { Connection } from "../connect/connection.ts";
import { ReachLine } from "../connect/reach.tsx";
import { saveHere, signInHere, signOut, syncHere, testConnection } from "./acts.ts";
import { Pairing } from "./connect-section.tsx";
import { Moved } from "./moved.tsx";
import { OutcomeLine } from "./outcome.tsx";
import { isNew, question, stored } from "./state.ts";

/** For someone who is signed in: where, how the sync is, and the way out. */
export const AccountSection = ({ now }: { readonly now: Connection }) => {
  const asks = useSignal(false);
  const unsent = lost();
  const isOne = countLost() === 1;
  // What waited has arrived meanwhile: there is nothing left to lose, or to ask.
  useEffect(() => {
    if (unsent === "") asks.value = false;
  }, [unsent]);
  const leave = async (evenIfWaiting: boolean): Promise<void> => {
    asks.value = !(await signOut(evenIfWaiting));
  };
  return (
    <section>
      <h2>Your server</h2>
      <dl class="facts-list">
        <dt>Account</dt>
        <dd>{now.account.email}</dd>
        <dt>Server</dt>
        <dd>
          <a href={`${now.server}/tasks`} target="_blank" rel="noopener noreferrer">
            {now.server}
          </a>
        </dd>
        <dt>Sync</dt>
        <dd>{now.token === null ? "Your session has ended. Sign in again." : <SyncLine />}</dd>
      </dl>
      <ReachLine server={now.server} />
      <div class="buttons">
        {now.token === null && browser.identity && (
          <button type="button" class="button main" onClick={() => void signInHere()}>
            Sign in
          </button>
        )}
        {now.token !== null && (
          <button type="button" class="button" onClick={() => void syncHere()}>
            Sync now
          </button>
        )}
        <button type="button" class="button" onClick={() => void testConnection()}>
          Test the connection
        </button>
        <button type="button" class="button danger" onClick={() => void leave(false)}>
          Sign out
        </button>
      </div>
      <OutcomeLine />
      {isNew.value && (
        <div class="buttons">
          <button type="button" class="button main" onClick={() => void saveHere()}>
            Save this window
          </button>
        </div>
      )}
      <MoveQuestion />
      {now.token === null && <Pairing />}
      {/* A sign-in at the new address draws it anew, closed. */}
      <Moved key={now.server} now={now} />
      {asks.value && unsent !== "" && (
        <div class="question" role="alert">
          <p>
            {unsent} If you sign out now, {isOne ? "it is" : "they are"} lost.
          </p>
          <div class="buttons">
            <button type="button" class="button danger" onClick={() => void leave(true)}>
              Sign out and lose {isOne ? "it" : "them"}
            </button>
            <button type="button" class="button" onClick={() => (asks.value = false)}>
              Stay signed in
            </button>
          </div>
        </div>
      )}
    </section>
  );
};

/** Asks before everything that is stored here goes to another server's address. */
const MoveQuestion = () => {
  const box = useRef<HTMLDivElement>(null);
  const asked = question.value;
  // The button that was pressed is further down.
  useLayoutEffect(() => box.current?.scrollIntoView({ block: "center" }), [asked]);
  if (asked === null) return null;
  const { from, to, answer } = asked;
  const { waiting = 0 } = stored.value ?? {};
  return (
    <div class="question" role="alert" ref={box}>
      <p>
        Move to {to}? It says that it has your account. Everything in this browser
        {waiting > 0 && `, with ${count(waiting, "change that waits", "changes that wait")},`} is
        then sent there, and no longer to {from}. Go on only if your server has moved there.
      </p>
      <div class="buttons">
        <button type="button" class="button" onClick={() => answer(true)}>
          Move to the new address
        </button>
        <button type="button" class="button main" onClick={() => answer(false)}>
          Stay with the old one
        </button>
      </div>
    </div>
  );
};

const countLost = (): number => {
  const { waiting = 0, refused = [] } = stored.value ?? {};
  return waiting + refused.length;
};

/** Says which changes the server does not have. */
const lost = (): string => {
  const { waiting = 0, refused = [] } = stored.value ?? {};
  return [
    ...(waiting > 0
      ? [`${count(waiting, "change")} in this browser did not reach the server.`]
      : []),
    ...(refused.length > 0
      ? [`The server refused ${count(refused.length, "change")}, kept in this browser only.`]
      : []),
  ].join(" ");
};

const SyncLine = () => {
  const state = stored.value;
  if (state === null) return <>…</>;
  const { sync, waiting, refused } = state;
  const left = waiting === 0 ? "" : ` ${count(waiting, "change waits", "changes wait")} for it.`;
  switch (sync.kind) {
    case "syncing":
      return <>Syncing…</>;
    case "offline":
      return <>The server cannot be reached.{left}</>;
    case "problem":
      return (
        <>
          {sync.sentence}
          {left}
        </>
      );
    case "idle":
    case "signed-out":
      return (
        <>
          {waiting === 0 ? "Everything is on the server." : `${count(waiting, "change")} waiting.`}
          {refused.length > 0 && ` The server refused ${count(refused.length, "change")}.`}
        </>
      );
  }
};

import type { ComponentChildren } from "preact";
import type { LostText, SyncState } from "../../client/client.ts";
import { shortenedTo, shownName } from "../../domain/base/text.ts";
import { forgetLost, takeLost } from "../acts/act.ts";
import { Icon } from "../parts/marks.tsx";
import { lastSync, state } from "../state/client.ts";
import { dismissRestored, wasRestored } from "../state/restored.ts";
import { pathTo, route } from "../state/route.ts";
import { shell } from "../state/screen.ts";
import { type Advice, advice, dismissAdvice } from "../state/notice.ts";
import { count } from "../words/names.ts";

/** What the person must know before they go on, the most important alone. */
export const Banner = () => {
  const { lost, refused, storage, mustReload, waiting } = state();
  const sync = lastSync.value;
  const [told] = advice.value;
  // What gave way in a task is said in the task.
  const lostText = lost.find(({ table }) => table !== "sync_tasks");
  if (mustReload)
    return (
      <Line>
        Another window runs a newer version of Docket.{" "}
        <Act onPress={() => location.reload()}>Reload this window</Act>
      </Line>
    );
  if (sync.kind === "signed-out") return <SignedOut waiting={waiting} />;
  if (storage === "full")
    return (
      <Line>
        Your browser has no room left. The last change was not saved. Free some space, then make it
        again.
      </Line>
    );
  if (storage === "evicted")
    return <Line>Your browser removed its copy of your tasks. Docket is loading them again.</Line>;
  if (sync.kind === "problem") return <Problem sync={sync} waiting={waiting} />;
  if (refused.length > 0 && route.value.view !== "refused")
    return (
      <Line>
        The server refused {count(refused.length, "change")}.{" "}
        <a href={pathTo({ view: "refused" })}>See why</a>
      </Line>
    );
  if (lostText) return <Lost lost={lostText} />;
  if (wasRestored.value)
    return (
      <Line>
        The server was restored from a backup. Docket sends it everything that this browser holds,
        so that nothing of it is lost. <Act onPress={dismissRestored}>OK</Act>
      </Line>
    );
  return told === undefined ? null : <Told advice={told} />;
};

const SignedOut = ({ waiting }: { readonly waiting: number }) => (
  <Line>
    You are signed out.{" "}
    {waiting === 0
      ? "Your changes stay in this browser."
      : `${count(waiting, "change")} in this browser will be saved when you sign in.`}{" "}
    <a href={signInPath()} target="_self">
      Sign in to save them
    </a>
  </Line>
);

type ProblemProps = {
  readonly sync: SyncState & { readonly kind: "problem" };
  readonly waiting: number;
};

/** The server's own sentence says what to do. A proxy gives none. */
const Problem = ({ sync: { sentence, isProxy = false }, waiting }: ProblemProps) => (
  <Line>
    {sentence}
    {waiting > 0 && ` ${count(waiting, "change waits", "changes wait")} in this browser.`}
    {isProxy && (
      <>
        {shell.isWebApp && (
          <>
            {" "}
            <a href={signInPath()} target="_self">
              Sign in there
            </a>
          </>
        )}{" "}
        <Guide section="behind-a-proxy">What the proxy must let pass</Guide>
      </>
    )}
  </Line>
);

/** The titles in a task that gave way to changes on other devices, a line each. */
export const LostInTask = ({ id }: { readonly id: string }) => (
  <>
    {state()
      .lost.filter((one) => one.table === "sync_tasks" && one.id === id)
      .map((one) => (
        <Lost key={one.place} lost={one} />
      ))}
  </>
);

/** A title that gave way to a change on another device, with the way back to it. */
const Lost = ({ lost }: { readonly lost: LostText }) => (
  <Line>
    {nameOf(lost)} was changed in two places. “{shortenedTo(shownName(lost.kept), 60)}” was kept.{" "}
    <Act
      onPress={() => void takeLost(lost)}
    >{`Use “${shortenedTo(shownName(lost.text), 60)}”`}</Act>{" "}
    <Act onPress={() => void forgetLost(lost)}>Leave it</Act>
  </Line>
);

const nameOf = ({ table, place }: LostText): string => {
  if (table === "sync_projects") return "The name of a folder";
  if (table === "sync_buckets") return "The name of a column";
  if (place.startsWith("groups ")) return "The name of a group";
  return place.startsWith("pages ") ? "The title of a tab" : "The title of a task";
};

const Told = ({ advice: one }: { readonly advice: Advice }) => (
  <Line>
    {one === "http" ? (
      <>
        Over plain http, your browser cannot open Docket offline, install it or use passkeys, and
        others in your network can read along.{" "}
        <Guide section="https-without-a-proxy">How to set up https</Guide>
      </>
    ) : (
      <>
        A proxy in front of Docket asks for a password of its own. This app works, but the
        extension, agents and scripts do not get through.{" "}
        <Guide section="behind-a-proxy">What the proxy must let pass</Guide>
      </>
    )}{" "}
    <Act onPress={() => dismissAdvice(one)}>OK</Act>
  </Line>
);

/** A page of the server, so that a proxy can ask for its own sign-in. Someone who is signed in comes straight back. */
const signInPath = (): string => `/sign-in?next=${encodeURIComponent(location.pathname)}`;

type GuideProps = { readonly section: string; readonly children: string };

const Guide = ({ section, children }: GuideProps) => (
  <a
    href={`${shell.server() ?? ""}/docs/guides/operating#${section}`}
    target="_blank"
    rel="noopener noreferrer"
  >
    {children}
  </a>
);

const Act = ({
  onPress,
  children,
}: {
  readonly onPress: () => void;
  readonly children: string;
}) => (
  <button type="button" class="link" onClick={onPress}>
    {children}
  </button>
);

const Line = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="banner" role="status">
    <Icon name="triangle-alert" />
    <span>{children}</span>
  </p>
);

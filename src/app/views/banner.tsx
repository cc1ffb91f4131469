import type { ComponentChildren } from "preact";
import { Icon } from "../parts/icon.tsx";
import { state } from "../state/client.ts";
import { dismissRestored, wasRestored } from "../state/restored.ts";
import { pathTo, route } from "../state/route.ts";
import { count } from "../words/count.ts";

/** What the person must know before they go on: signed out, refused changes, no room, an older version, a restore. */
export const Banner = () => {
  const { sync, refused, storage, mustReload } = state();
  if (mustReload)
    return (
      <Line>
        Another window runs a newer version of Docket.{" "}
        <button type="button" class="link" onClick={() => location.reload()}>
          Reload this window
        </button>
      </Line>
    );
  if (sync.kind === "signed-out")
    return (
      <Line>
        You are signed out. Your changes stay in this browser.{" "}
        <a href={`/sign-in?next=${encodeURIComponent(location.pathname)}`} target="_self">
          Sign in to save them
        </a>
      </Line>
    );
  if (storage === "full")
    return <Line>Your browser has no room left. The last change was not saved.</Line>;
  if (storage === "evicted")
    return <Line>Your browser removed its copy of your tasks. Docket is loading them again.</Line>;
  if (refused.length > 0 && route.value.view !== "refused")
    return (
      <Line>
        The server refused {count(refused.length, "change")}.{" "}
        <a href={pathTo({ view: "refused" })}>See why</a>
      </Line>
    );
  if (wasRestored.value)
    return (
      <Line>
        The server was restored from a backup. Docket sends it everything that this browser holds,
        so that nothing of it is lost.{" "}
        <button type="button" class="link" onClick={dismissRestored}>
          OK
        </button>
      </Line>
    );
  return null;
};

const Line = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="banner" role="status">
    <Icon name="triangle-alert" />
    <span>{children}</span>
  </p>
);

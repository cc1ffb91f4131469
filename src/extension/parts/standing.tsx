import { connected } from "../connect/connected.ts";
import { lastSync, state } from "../../ui/state/client.ts";
import { count } from "../../ui/words/names.ts";
import { browser } from "../browser/api.ts";
import { hasPanel } from "../browser/commands.ts";

export const openOptions = (): Promise<void> => browser.runtime.openOptionsPage();

type StandingProps = {
  /** What to do once the options are open. */
  readonly onLeave?: () => void;
};

/** Where what is saved is: on the server, on its way, or in this browser only. */
export const Standing = ({ onLeave }: StandingProps) => {
  const { waiting, refused } = state();
  const sync = lastSync.value;
  const toOptions = (): void => void openOptions().then(onLeave);
  if (connected.value === null)
    return (
      <p class="standing">
        Saved in this browser only.{" "}
        <button type="button" class="link" onClick={toOptions}>
          Connect your server
        </button>
      </p>
    );
  if (connected.value.token === null)
    return (
      <p class="standing">
        You are signed out
        {waiting > 0
          ? `. ${count(waiting, "change")} in this browser will be saved when you sign in.`
          : "."}{" "}
        <button type="button" class="link" onClick={toOptions}>
          Sign in
        </button>
        <Refused />
      </p>
    );
  if (sync.kind !== "problem" && waiting + refused.length === 0) return null;
  return (
    <p class="standing">
      {sync.kind === "problem" && `${sync.sentence} `}
      {sync.kind === "offline" && "Offline. "}
      {waiting > 0 && `${count(waiting, "change")} not yet on the server.`}
      {sync.kind === "problem" && sync.isProxy && <ProxyGuide server={connected.value.server} />}
      <Refused />
    </p>
  );
};

const ProxyGuide = ({ server }: { readonly server: string }) => (
  <>
    {" "}
    <a
      href={`${server}/docs/guides/operating#behind-a-proxy`}
      target="_blank"
      rel="noopener noreferrer"
    >
      What the proxy must let pass
    </a>
  </>
);

/** Such a change is in this browser only until someone corrects it. */
const Refused = () => {
  const { refused } = state();
  if (refused.length === 0) return null;
  return (
    <>
      {` The server refused ${count(refused.length, "change")}, kept in this browser only.`}
      {hasPanel() && " Open the side panel to see why."}
    </>
  );
};

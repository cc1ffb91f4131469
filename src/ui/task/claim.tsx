import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Claim } from "../../client/claims.ts";
import type { TaskView } from "../../client/views.ts";
import { Icon } from "../parts/marks.tsx";
import { client } from "../state/client.ts";
import { say } from "../state/notice.ts";
import { timeWords } from "../words/dates.ts";

/** How often it is asked who works on the open task, in ms. */
const AGAIN = 20_000;

/** Says which agent works on the task, and lets the person end that. Nobody waits for an agent. */
export const ClaimBanner = ({ task: { id, updatedAt } }: { readonly task: TaskView }) => {
  const claim = useSignal<Claim | null>(null);
  useEffect(() => {
    let isOpen = true;
    const look = async (): Promise<void> => {
      const found = await client().claims.of(id);
      if (isOpen) claim.value = found;
    };
    void look();
    const timer = setInterval(() => void look(), AGAIN);
    return () => {
      isOpen = false;
      clearInterval(timer);
    };
  }, [id, updatedAt]);
  const now = claim.value;
  if (now === null) return null;
  const end = async (): Promise<void> => {
    if (await client().claims.end(id)) claim.value = null;
    else
      say({
        text: "The server cannot be reached, so the claim could not be ended.",
        kind: "problem",
      });
  };
  return (
    <p class="banner" role="status">
      <Icon name="bot" />
      <span>
        <bdi>{now.by_key}</bdi> works on this until {timeWords(now.until)}.{" "}
        <button type="button" class="link" onClick={() => void end()}>
          End that
        </button>
      </span>
    </p>
  );
};

import { wayOf } from "../../domain/calls/activity.ts";
import type { ApiKey } from "../../domain/people/api-key.ts";
import type { CallRow } from "../../db/calls/activity-pages.ts";
import { keyTail } from "../keys/label.ts";
import { Rows } from "../ui/rows.tsx";
import { Shown } from "../ui/shown.tsx";
import { Time } from "../ui/time.tsx";
import { activityPath } from "./filter.ts";
import { Touched, type Titles } from "./touched.tsx";
import { wordsFor } from "./words.ts";

type TableProps = {
  readonly rows: readonly CallRow[];
  readonly keys: ReadonlyMap<string, ApiKey>;
  /** Titles of the touched records that still exist. */
  readonly titles: Titles;
};

/** Calls, newest first. Everything except the time and the status was chosen by others. */
export const CallTable = ({ rows, keys, titles }: TableProps) => (
  <Rows
    caption="Calls by your keys, newest first"
    columns={["Time", "Key", "Call", "Outcome", "Task or folder", "Client"]}
  >
    {rows.map((row) => (
      <CallLine key={row.id} of={row} by={keys.get(row.keyId)} titles={titles} />
    ))}
  </Rows>
);

type LineProps = {
  readonly of: CallRow;
  readonly by: ApiKey | undefined;
  readonly titles: Titles;
};

const CallLine = ({ of: call, by, titles }: LineProps) => (
  <tr>
    <td data-label="Time">
      <Time at={call.at} />
    </td>
    <td data-label="Key">
      <a href={activityPath({ keyId: call.keyId })}>
        <Shown text={by?.name ?? call.keyId} />
      </a>{" "}
      {by && <span class="quiet-text">{keyTail(by.hint)}</span>}
    </td>
    <td data-label="Call">
      <Called of={call} />
      {call.count > 1 && <Folded count={call.count} />}
      {call.dryRun === 1 && <OnlyAsked />}
    </td>
    <td data-label="Outcome">
      <OutcomeBadge of={call} />
    </td>
    <td data-label="Task or folder">
      <Touched record={call.touched} titles={titles} />
    </td>
    <td data-label="Client">
      {call.client === null ? (
        <span class="quiet-text">unknown</span>
      ) : (
        <Shown text={call.client} />
      )}
    </td>
  </tr>
);

/**
 * What was called. Over MCP that is a tool or a method of the protocol, unless the call was refused before
 * that was read.
 */
const Called = ({ of: { method, route, tool } }: { readonly of: CallRow }) => {
  const isMcp = wayOf({ route }) === "mcp";
  if (isMcp && tool === null && method === "POST") return <>via MCP</>;
  const text = isMcp && tool !== null ? tool : `${method} ${route}`;
  return (
    <>
      {isMcp && "via MCP: "}
      <code>
        <Shown text={text} />
      </code>
    </>
  );
};

/** Refused calls within one minute share a row. */
const Folded = ({ count }: { readonly count: number }) => (
  <>
    {" "}
    <span class="badge plain">{count} times</span>{" "}
    <span class="quiet-text">within one minute, most recently at this time</span>
  </>
);

/** A dry run reports what a call would do, and changes nothing. */
const OnlyAsked = () => (
  <>
    {" "}
    <span class="badge plain">dry run</span>
  </>
);

const OutcomeBadge = ({ of: call }: { readonly of: CallRow }) => {
  const { words, look } = wordsFor(call);
  return (
    <>
      <span class={`badge ${look}`}>{words}</span> <span class="quiet-text">{call.status}</span>
    </>
  );
};

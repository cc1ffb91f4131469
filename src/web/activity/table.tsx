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
  /** Titles of the touched records that are still there. */
  readonly titles: Titles;
};

/** Calls, newest first. All of it but time and status was chosen by others. */
export const CallTable = ({ rows, keys, titles }: TableProps) => (
  <Rows
    caption="Calls of your keys, newest first"
    columns={["Time", "Key", "Call", "Outcome", "What it touched", "Client"]}
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
    <td data-label="What it touched">
      <Touched record={call.touched} titles={titles} />
    </td>
    <td data-label="Client">
      {call.client === null ? (
        <span class="quiet-text">not said</span>
      ) : (
        <Shown text={call.client} />
      )}
    </td>
  </tr>
);

/** What was called: over MCP a tool or a method of the protocol's, unless it was refused before that was read. */
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

/** Refused calls of one minute are one row. */
const Folded = ({ count }: { readonly count: number }) => (
  <>
    {" "}
    <span class="badge plain">{count} times</span>{" "}
    <span class="quiet-text">within a minute, the last at this time</span>
  </>
);

/** A dry run: it tells what would come of a call, and changes nothing. */
const OnlyAsked = () => (
  <>
    {" "}
    <span class="badge plain">only asked</span>
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

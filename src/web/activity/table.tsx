import { wayOf } from "../../domain/calls/activity.ts";
import type { ApiKey } from "../../domain/people/api-key.ts";
import type { CallRow } from "../../db/calls/activity-pages.ts";
import { keyTail } from "../keys/form.tsx";
import { Rows, Shown, Time } from "../ui/parts.tsx";
import { activityPath } from "./filter.tsx";
import { Touched, type Titles } from "./touched.tsx";
import { runsOf, wordsFor, wordsOf } from "./words.ts";

type TableProps = {
  readonly rows: readonly CallRow[];
  readonly keys: ReadonlyMap<string, ApiKey>;
  /** Titles of the touched records that still exist. */
  readonly titles: Titles;
  /** The calls that set a task's status to done. */
  readonly finished: ReadonlySet<number>;
};

/** Calls, newest first. Everything except the time and the status was chosen by others. */
export const CallTable = ({ rows, ...more }: TableProps) => (
  <Rows
    caption="What your keys did, newest first"
    columns={["Time", "What happened", "Outcome", "Request"]}
  >
    {runsOf(rows).map((run) =>
      run.length > 1 ? (
        <RunLine key={run[0]?.id} of={run} {...more} />
      ) : (
        run.map((call) => <CallLine key={call.id} of={call} {...more} />)
      ),
    )}
  </Rows>
);

type Known = Omit<TableProps, "rows">;

const CallLine = ({ of: call, ...known }: Known & { readonly of: CallRow }) => (
  <tr>
    <td data-label="Time">
      <Time at={call.at} />
    </td>
    <td data-label="What happened">
      <KeyLink id={call.keyId} keys={known.keys} /> <Deed of={call} {...known} />
      {call.count > 1 && <Folded count={call.count} />}
      {call.dryRun === 1 && <OnlyAsked />}
    </td>
    <td data-label="Outcome">
      <OutcomeBadge of={call} />
    </td>
    <td data-label="Request">
      <Request of={call} />
    </td>
  </tr>
);

/** Calls that only read, one after the other: a line that opens. */
const RunLine = ({ of: run, ...known }: Known & { readonly of: readonly CallRow[] }) => {
  const [newest] = run;
  return (
    newest && (
      <tr>
        <td data-label="Time">
          <Time at={newest.at} />
        </td>
        <td data-label="What happened">
          <KeyLink id={newest.keyId} keys={known.keys} />{" "}
          <details class="run">
            <summary>only read, {run.length} times</summary>
            <ol>
              {run.map((call) => (
                <li key={call.id}>
                  <Time at={call.at} /> <Deed of={call} {...known} /> <Request of={call} />
                </li>
              ))}
            </ol>
          </details>
        </td>
        <td data-label="Outcome">
          <OutcomeBadge of={newest} />
        </td>
        <td data-label="Request">
          <span class="quiet-text">{run.length} requests</span>
        </td>
      </tr>
    )
  );
};

type KeyLinkProps = { readonly id: string; readonly keys: Known["keys"] };

const KeyLink = ({ id, keys }: KeyLinkProps) => {
  const key = keys.get(id);
  return (
    <>
      <a href={activityPath({ keyId: id })}>
        <Shown text={key?.name ?? id} />
      </a>{" "}
      {key && <span class="quiet-text">{keyTail(key.hint)}</span>}
    </>
  );
};

/** What the key did, and to what. */
const Deed = ({ of: call, titles, finished }: Known & { readonly of: CallRow }) => {
  const { verb, noun } = wordsOf(call, finished.has(call.id));
  return (
    <>
      {verb} {call.touched === null ? noun : <Touched record={call.touched} titles={titles} />}
    </>
  );
};

/** The call as it was sent, for those who write programs. */
const Request = ({ of: call }: { readonly of: CallRow }) => (
  <span class="quiet-text">
    <Called of={call} /> {call.client !== null && <Shown text={call.client} />}
  </span>
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

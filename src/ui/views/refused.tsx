import { recordName } from "../../domain/base/record.ts";
import type { RefusedChange } from "../../client/client.ts";
import { taskName } from "../../client/views.ts";
import { textField } from "../../domain/base/payload.ts";
import { client, state } from "../state/client.ts";
import { pathTo } from "../state/route.ts";
import { Head } from "./head.tsx";

/** Changes that the server refused, each with its reason. They are mended by editing, or thrown away. */
export const RefusedView = () => {
  const { refused } = state();
  return (
    <>
      <Head title="Refused changes" />
      <div class="scroll">
        <div class="refused-list">
          <p class="soft">
            {refused.length === 0
              ? "The server has accepted all of your changes."
              : "The server did not accept these changes. They are kept in this browser only. Correct a change, and Docket sends it again. Or throw it away, and the server's version comes back."}
          </p>
          {refused.map((change) => (
            <Refused key={`${change.table} ${change.id}`} change={change} />
          ))}
        </div>
      </div>
    </>
  );
};

const KINDS = { sync_tasks: "Task", sync_projects: "Folder", sync_buckets: "Column" } as const;

const Refused = ({
  change: { table, id, reason, payload },
}: {
  readonly change: RefusedChange;
}) => {
  const title = textField(payload, "title");
  const name =
    title === null ? recordName(table, textField(payload, "name") ?? id) : taskName({ title });
  const path =
    table === "sync_tasks"
      ? pathTo({ view: "refused" }, id)
      : pathTo({ view: "folder", folder: id });
  return (
    <article class="refused-one">
      <h2>
        <span class="soft">{KINDS[table]}:</span> <span dir="auto">{name}</span>
      </h2>
      <p>{reason}</p>
      <p class="empty-actions">
        {table !== "sync_buckets" && (
          <a class="button main" href={path}>
            Correct it
          </a>
        )}
        <button
          type="button"
          class="button danger"
          onClick={() => void client().discardRefused(table, id)}
        >
          Throw the change away
        </button>
      </p>
    </article>
  );
};

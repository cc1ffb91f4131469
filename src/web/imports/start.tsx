import { listImports } from "../../db/imports/journal.ts";
import { readTitles } from "../../db/records/lookup.ts";
import { readNames } from "../../db/records/named-folders.ts";
import { ELSEWHERE } from "../../import/formats/names.ts";
import { NO_WISH } from "../../import/file.ts";
import { recordName } from "../../domain/base/record.ts";
import { notFound, Refusal } from "../../domain/base/refusal.ts";
import type { SignedInContext } from "../shared/page.ts";
import { html, type PageReply, scriptReply } from "../shared/reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { Shown, shownText } from "../ui/parts.tsx";
import { ImportsTable } from "./table.tsx";

/** `GET /account/import`: a place for a file, what was imported before, and the way out. */
export const getImports = async (context: SignedInContext): Promise<PageReply> => {
  const { store, who } = context;
  const { account } = who;
  const imports = await listImports(store.reader, account.id);
  const folders = await readNames(store.reader, account.id, null);
  const task = await taskOf(context);
  return html(
    <Layout title="Import and export" account={account} at="/account/import">
      <section>
        <h2>Import</h2>
        <p>
          Bring your bookmarks, saved tabs or tasks: export a file from the tool that holds them,
          and choose it here. You first see what it would add. Docket overwrites none of your data,
          adds nothing twice if you import a file again, and can take an import back.
        </p>
        <FileForm />
        <details>
          <summary>What Docket can read</summary>
          <p>
            {ELSEWHERE.join(", ")}; and Docket's own export. Docket looks into the file, so its name
            does not matter. <a href="/docs/guides/moving">What becomes what</a>
          </p>
        </details>
      </section>
      {imports.length > 0 && (
        <section>
          <h2>Imported before</h2>
          <ImportsTable imports={imports} />
        </section>
      )}
      <ExportSection folders={folders} folder={context.query.get("folder")} task={task} />
    </Layout>,
  );
};

/** The task that is to be exported alone; null if none is asked for. */
const taskOf = async ({ store, who, query }: SignedInContext): Promise<AskedTask | null> => {
  const id = query.get("task");
  if (id === null) return null;
  const name = `task:${id}`;
  const title = (await readTitles(store, who.account.id, [name])).get(name);
  if (title === undefined) throw notFound("task");
  return { id, title };
};

type AskedTask = { readonly id: string; readonly title: string };

/** Our script sends what is chosen, dropped or pasted here. */
const FileForm = () => (
  <form class="upload" data-upload="/account/import">
    <noscript>
      <p class="notice">
        To send a file, this page needs JavaScript. On the server's computer,{" "}
        <code>docket import FILE</code> does the same.
      </p>
    </noscript>
    <div class="drop">
      <label for="file">Choose a file, or drop it here</label>
      <input id="file" type="file" />
    </div>
    <div class="field">
      <label for="pasted">Or paste links, a list or a table</label>
      <textarea id="pasted" rows={4} spellcheck={false} />
    </div>
    <p class="actions">
      <button type="submit">Read what I pasted</button>
    </p>
    <p class="problem" role="alert" />
    <p role="status" />
    <progress hidden aria-label="How much of the file is sent" />
  </form>
);

/** `POST /account/import?name=`: takes a file from our script, and says where the preview of it is. */
export const postUpload = async (context: SignedInContext): Promise<PageReply> => {
  const { service, who, request, query } = context;
  if ((request.headers.get("content-encoding") ?? "identity") !== "identity")
    throw new Refusal("unsupported_type", "Send the file without Content-Encoding.");
  const { imports } = service;
  const name = query.get("name") || "Pasted text";
  const upload = await imports.uploads.receive(who.account.id, name, request);
  await imports.preview(upload, NO_WISH);
  return scriptReply({ to: `/account/uploads/${upload.id}` });
};

type ExportProps = {
  readonly folders: Awaited<ReturnType<typeof readNames>>;
  /** The id of the one that is chosen. */
  readonly folder: string | null;
  readonly task: AskedTask | null;
};

const ExportSection = ({ folders, folder, task }: ExportProps) => (
  <section id="export">
    <h2>Export</h2>
    <p>
      Docket's own format keeps everything, and comes back complete with an import here or on
      another server. The others are for other tools.{" "}
      <a href="/docs/guides/moving">What each keeps and loses</a>
    </p>
    <p>
      <a class="button" href="/account/export">
        Export everything
      </a>{" "}
      <a class="button" href="/account/export?history=yes">
        With deleted items and history
      </a>
    </p>
    <form method="get" action="/account/export">
      <div class="field">
        <label for="format">For another tool</label>
        <select id="format" name="format">
          <option value="html">Bookmarks (HTML)</option>
          <option value="csv">Table (CSV)</option>
          <option value="spreadsheet">Table for a spreadsheet (CSV)</option>
          <option value="markdown">Markdown</option>
          <option value="onetab">OneTab</option>
          <option value="todotxt">todo.txt</option>
        </select>
      </div>
      {task ? (
        <div class="field">
          <input type="hidden" name="task" value={task.id} />
          <p>
            Only <Shown text={recordName("sync_tasks", task.title)} />.{" "}
            <a href="/account/import#export">Export more</a>
          </p>
        </div>
      ) : (
        <div class="field">
          <label for="folder">Folder</label>
          <select id="folder" name="folder">
            <option value="">All folders</option>
            {folders.map(({ id, name }) => (
              <option key={id} value={id} selected={id === folder}>
                {shownText(recordName("sync_projects", name))}
              </option>
            ))}
          </select>
        </div>
      )}
      <button>Export</button>
    </form>
  </section>
);

import { type FileImport, findImport, readLeftOut } from "../../db/imports/journal.ts";
import type { UndoneImport } from "../../db/imports/undo.ts";
import { nameOfFormat } from "../../import/formats/names.ts";
import { notFound } from "../../domain/base/refusal.ts";
import type { Job } from "../../server/imports/imports.ts";
import type { SignedInContext } from "../shared/page.ts";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { Notice } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { count, Shown, shownText, Time } from "../ui/parts.tsx";
import { LeftOutList } from "./preview.tsx";
import { importPath, madeWords } from "./table.tsx";

/** `GET /account/import/:id`: how far an import is, and what came of it. The page stays. */
export const getImport = async (context: SignedInContext): Promise<PageReply> => {
  const { service, store, who } = context;
  const found = await importOf(context);
  const job = service.imports.jobOf(found.id);
  const isRunning = job?.state === "running";
  const leftOut = await readLeftOut(store.reader, found.id);
  return html(
    <Layout title={shownText(found.name)} account={who.account} at="/account/import">
      {isRunning && <Progress of={found} job={job} />}
      {job?.failure != null && (
        <p class="problem banner" role="alert">
          {job.failure}
        </p>
      )}
      {job?.undone && <Undone of={job.undone} />}
      {!isRunning && <State of={found} canResume={service.imports.canResume(found.upload)} />}
      <Facts of={found} />
      <LeftOutList of={leftOut} all={found.skipped} />
      <div class="actions">
        {!isRunning && found.undoneAt === null && <UndoForm of={found} />}
        <a href="/account/import">All imports</a>
      </div>
    </Layout>,
  );
};

/** `POST /account/import/:id/resume`: goes on with an import that was stopped. */
export const postResume = async (context: SignedInContext): Promise<PageReply> => {
  const { id } = await importOf(context);
  await context.service.imports.resume(context.who.account.id, id);
  return seeOther(importPath(id));
};

/** `POST /account/import/:id/undo`: starts to take an import back. */
export const postUndoImport = async (context: SignedInContext): Promise<PageReply> => {
  const { id } = await importOf(context);
  await context.service.imports.undo(context.who.account.id, id);
  return seeOther(importPath(id));
};

const importOf = async ({ store, who, pathId }: SignedInContext): Promise<FileImport> => {
  const id = Number(pathId);
  const found = Number.isSafeInteger(id) && (await findImport(store.reader, who.account.id, id));
  if (!found) throw notFound("import");
  return found;
};

type JobProps = { readonly of: FileImport; readonly job: Job };

/** Our script shows it anew every second. */
const Progress = ({ of: { total }, job: { kind, done } }: JobProps) => (
  <div data-progress>
    <progress
      aria-label="Progress"
      max={Math.max(1, total)}
      value={kind === "import" ? done : undefined}
    />
    <p role="status">{kind === "import" ? `${done} of ${total} imported` : "Taking it back…"}</p>
    <p class="quiet-text">You can close this page. The server goes on.</p>
  </div>
);

type StateProps = { readonly of: FileImport; readonly canResume: boolean };

const State = ({ of: { id, undoneAt, finishedAt, done, total }, canResume }: StateProps) => {
  if (undoneAt !== null)
    return (
      <Notice>
        Taken back on <Time at={undoneAt} />.
      </Notice>
    );
  if (finishedAt !== null)
    return (
      <Notice>
        Imported. <a href="/tasks">See your tasks</a>
      </Notice>
    );
  return (
    <div class="problem banner" role="status">
      <p>
        The import stopped after {done} of {total}.{" "}
        {!canResume && "Import the same file again: it goes on from there."}
      </p>
      {canResume && (
        <form method="post" action={`${importPath(id)}/resume`}>
          <button class="main">Go on</button>
        </form>
      )}
    </div>
  );
};

const Facts = ({ of: found }: { readonly of: FileImport }) => (
  <dl>
    <dt>From</dt>
    <dd>{nameOfFormat(found.format)}</dd>
    <dt>When</dt>
    <dd>
      <Time at={found.startedAt} />
    </dd>
    <dt>Made</dt>
    <dd>{madeWords(found)}</dd>
    {found.known > 0 && (
      <>
        <dt>Already here</dt>
        <dd>{count(found.known, "task")}</dd>
      </>
    )}
  </dl>
);

/** The names of what stays that are shown. */
const SHOWN = 50;

const Undone = ({ of: { tasks, folders, shortened, kept } }: { readonly of: UndoneImport }) => (
  <>
    <p>
      Deleted: {count(tasks, "task")} and {count(folders, "folder")}.
      {shortened > 0 && ` Tabs were taken out of ${count(shortened, "task")}.`}
    </p>
    {kept.length > 0 && (
      <>
        <p>Changed since, and kept:</p>
        <ul>
          {kept.slice(0, SHOWN).map((title, at) => (
            <li key={at}>
              <Shown text={title} />
            </li>
          ))}
        </ul>
        {kept.length > SHOWN && <p>And {kept.length - SHOWN} more.</p>}
      </>
    )}
  </>
);

const UndoForm = ({ of: { id } }: { readonly of: FileImport }) => (
  <form
    method="post"
    action={`${importPath(id)}/undo`}
    data-confirm="Take this import back? What it made is deleted, except what was changed since."
  >
    <button class="danger">Take this import back</button>
  </form>
);

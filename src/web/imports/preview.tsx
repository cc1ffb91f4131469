import type { LeftOut } from "../../import/model.ts";
import type { Sample, Wish } from "../../import/file.ts";
import { readLinksAs } from "../../import/shape.ts";
import { nameOfFormat } from "../../import/formats/names.ts";
import { MAX_NAME } from "../../domain/tasks/folder.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { inWords, WIRE_WORDS } from "../../domain/base/message.ts";
import type { Seen, Upload } from "../../server/imports/uploads.ts";
import type { SignedInContext } from "../shared/page.ts";
import { NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { Field, FormProblem, Notice } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { count, Rows, Shown } from "../ui/parts.tsx";
import { importPath, madeWords } from "./table.tsx";

/** `GET /account/uploads/:id?into=&links=&all=`: what would come of a file. Nothing is imported yet. */
export const getPreview = async (context: SignedInContext): Promise<PageReply> => {
  const upload = uploadOf(context);
  return show(context, upload, wishIn(context.query), NO_PROBLEMS);
};

/** `POST /account/uploads/:id`: imports it. The page of the import says how far it is. */
export const postImport = async (context: SignedInContext): Promise<PageReply> => {
  const upload = uploadOf(context);
  const wish = wishIn(context.form);
  try {
    return seeOther(importPath(await context.service.imports.begin(upload, wish)));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return show(context, upload, wish, { "": inWords(error.sentence, WIRE_WORDS) });
  }
};

const uploadOf = ({ service, who, pathId }: SignedInContext): Upload => {
  const upload = service.imports.uploads.find(who.account.id, pathId ?? "");
  if (!upload)
    throw new Refusal("not_found", "The file is no longer here. Choose it again under Import.");
  return upload;
};

/** What the person has chosen, in the address or the form. */
const wishIn = (sent: { readonly get: (name: string) => string | null | undefined }): Wish => {
  const into = (sent.get("into") ?? "").trim().slice(0, MAX_NAME);
  return {
    into: into === "" ? null : into,
    links: readLinksAs(sent.get("links")),
    isAll: sent.get("all") === "yes",
  };
};

const show = async (
  context: SignedInContext,
  upload: Upload,
  wish: Wish,
  problems: Problems,
): Promise<PageReply> => {
  const seen = await context.service.imports.preview(upload, wish);
  return html(
    <Layout title="Look before you import" account={context.who.account} at="/account/import">
      <FormProblem problems={problems} />
      <p>
        <strong>
          <Shown text={upload.name} />
        </strong>{" "}
        ({nameOfFormat(seen.format)}). Nothing is imported yet.
      </p>
      <Counts of={seen} />
      <Start upload={upload} wish={wish} seen={seen} />
      {seen.samples.length > 0 && <Samples of={seen.samples} all={seen.tasks + seen.known} />}
      <LeftOutList of={seen.leftOut} all={seen.skipped} />
      {seen.format !== "docket" && <WishForm upload={upload} wish={wish} seen={seen} />}
    </Layout>,
    { status: problems === NO_PROBLEMS ? 200 : 422 },
  );
};

const Counts = ({ of: { tasks, tabs, notes, folders, known, skipped } }: { readonly of: Seen }) => (
  <dl>
    <dt>New</dt>
    <dd>{madeWords({ folders, tasks, tabs, notes })}</dd>
    {known > 0 && (
      <>
        <dt>Already here</dt>
        <dd>{count(known, "task")}, which stay as they are</dd>
      </>
    )}
    {skipped > 0 && (
      <>
        <dt>Left out</dt>
        <dd>{skipped}: see below why</dd>
      </>
    )}
  </dl>
);

type UploadProps = { readonly upload: Upload; readonly wish: Wish };

const Start = ({ upload, wish, seen }: UploadProps & { readonly seen: Seen }) => {
  const { folders, tasks, tabs } = seen;
  if (folders + tasks + tabs === 0)
    return (
      <Notice>
        Everything in this file is here already. <a href="/account/import">Choose another file</a>
      </Notice>
    );
  return (
    <form method="post" action={uploadPath(upload)}>
      <input type="hidden" name="into" value={wish.into ?? ""} />
      <input type="hidden" name="links" value={wish.links ?? ""} />
      {wish.isAll && <input type="hidden" name="all" value="yes" />}
      <div class="actions">
        <button class="main">Import {tasks > 0 ? count(tasks, "task") : count(tabs, "tab")}</button>
        <a href="/account/import">Cancel</a>
      </div>
    </form>
  );
};

const uploadPath = ({ id }: Upload): string => `/account/uploads/${id}`;

const Samples = ({ of, all }: { readonly of: readonly Sample[]; readonly all: number }) => (
  <Rows
    caption={of.length < all ? `The first ${of.length} of ${all} tasks` : "The tasks"}
    columns={["Task", "Folder", "Tabs"]}
  >
    {of.map(({ folder, title, tabs }, at) => (
      <tr key={at}>
        <th scope="row">
          <Shown text={title} />
        </th>
        <td data-label="Folder">
          <Shown text={folder} />
        </td>
        <td data-label="Tabs">{tabs}</td>
      </tr>
    ))}
  </Rows>
);

/** How many of the things that are left out are shown. */
const SHOWN = 200;

type LeftOutProps = { readonly of: readonly LeftOut[]; readonly all: number };

/** What an import leaves out, and why. */
export const LeftOutList = ({ of, all }: LeftOutProps) => {
  if (all === 0) return null;
  const shown = of.slice(0, SHOWN);
  return (
    <details>
      <summary>{count(all, "thing")} left out</summary>
      <ul>
        {shown.map(({ what, reason }, at) => (
          <li key={at}>
            {reason}: <Shown text={what} />
          </li>
        ))}
      </ul>
      {all > shown.length && <p>And {all - shown.length} more.</p>}
    </details>
  );
};

const WishForm = ({ upload, wish, seen }: UploadProps & { readonly seen: Seen }) => (
  <section>
    <h2>Import it in another way</h2>
    <form method="get" action={uploadPath(upload)}>
      <Field
        name="into"
        label="All into this folder"
        problems={NO_PROBLEMS}
        input={{ value: wish.into ?? "", required: false, maxLength: MAX_NAME }}
      />
      <div class="field">
        <label for="links">Links</label>
        <select id="links" name="links">
          <option value="">As suits the file</option>
          <option value="tabs" selected={wish.links === "tabs"}>
            Tabs of one task for each folder
          </option>
          <option value="tasks" selected={wish.links === "tasks"}>
            A task for each link
          </option>
        </select>
      </div>
      {(wish.isAll || seen.leftOut.some(({ reason }) => reason === "automatic")) && (
        <div class="field">
          <label>
            <input type="checkbox" name="all" value="yes" checked={wish.isAll} />
            With sessions that the tool saved by itself
          </label>
        </div>
      )}
      <button>Look again</button>
    </form>
  </section>
);

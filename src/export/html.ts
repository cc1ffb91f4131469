import { onOneLine } from "../domain/base/text.ts";
import { type ExportedTask, isOnWeb, type Writer } from "./model.ts";

/** Writes bookmarks as browsers read them: a folder for each folder, and one in it for each task. */
export const writeHtml: Writer = async function* (tasks) {
  yield HEAD;
  let folder = "";
  for await (const task of tasks) {
    if (task.folder !== folder && folder !== "") yield "    </DL><p>\n";
    if (task.folder !== folder && task.folder !== "")
      yield `    <DT><H3>${escaped(onOneLine(task.folder))}</H3>\n    <DL><p>\n`;
    ({ folder } = task);
    yield shelf(task);
  }
  yield `${folder === "" ? "" : "    </DL><p>\n"}</DL><p>\n`;
};

const HEAD = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
`;

const shelf = ({ title, tabs, tags, notes: [first = ""] }: ExportedTask): string => {
  const labels = tags.length === 0 ? "" : ` TAGS="${escaped(tags.join(","))}"`;
  const note = first === "" ? "" : `        <DD>${escaped(first).replaceAll("\n", "<BR>")}\n`;
  const links = tabs.filter(isOnWeb).map((tab) => {
    const date = tab.addedAt === null ? "" : ` ADD_DATE="${secondsOf(tab.addedAt)}"`;
    const address = escaped(tab.url.replaceAll('"', "%22"));
    return `            <DT><A HREF="${address}"${date}${labels}>${escaped(onOneLine(tab.title))}</A>\n`;
  });
  return `        <DT><H3>${escaped(onOneLine(title))}</H3>\n${note}        <DL><p>\n${links.join("")}        </DL><p>\n`;
};

const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1_000);

const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

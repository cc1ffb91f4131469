import { isObject, listField, type Payload, textField } from "../../domain/base/payload.ts";
import { readDate, readDue } from "../dates.ts";
import type { Entry, Parser } from "../model.ts";
import { textOf } from "../text.ts";
import { linksOf, withoutMarkdown } from "../words.ts";

/** Reads a backup of Super Productivity: each project is a folder. Its archive is of tasks that are done. */
export const readSuperProductivity: Parser = ({ json }) => {
  const backup = isObject(json) && isObject(json["data"]) ? json["data"] : json;
  if (!isObject(backup) || !isObject(backup["task"]) || !isObject(backup["project"])) return null;
  if (!isObject(backup["task"]["entities"])) return null;
  const [projects, tags] = [entitiesIn(backup["project"]), entitiesIn(backup["tag"])];
  const archives = [
    backup["taskArchive"],
    ...["archiveYoung", "archiveOld"].map((name) => childOf(backup[name], "task")),
  ];
  const tasks = new Map([backup["task"], ...archives].flatMap((state) => [...entitiesIn(state)]));
  const folderOf = (task: Payload): string | null => named(projects, task["projectId"]) || null;
  const ordered: readonly unknown[] = [
    ...[...projects.values()].flatMap((project) =>
      ["taskIds", "backlogTaskIds"].flatMap((list) => listField(project, list)),
    ),
    ...tasks.keys(),
  ];
  const entries = [...new Set(ordered)].flatMap((id) => {
    const task = tasks.get(textOf(id));
    if (!task || tasks.has(textField(task, "parentId") ?? "")) return [];
    const ids = [id, ...listField(task, "subTaskIds")].map(textOf);
    const family = ids.map((one) => tasks.get(one)).filter((one) => one !== undefined);
    return family.map((one) => {
      const above = one === task ? "" : textOf(task["title"]);
      const labels = listField(one, "tagIds").map((tag) =>
        tag === "TODAY" ? "" : named(tags, tag),
      );
      return entryOf(one, { above, folder: folderOf(task), tags: labels });
    });
  });
  return { format: "super-productivity", tool: "Super Productivity", entries, skipped: [] };
};

const named = (all: ReadonlyMap<string, Payload>, id: unknown): string =>
  textOf(all.get(textOf(id))?.["title"]);

const childOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : null);

/** What a part of the backup holds, by id, in its order. */
const entitiesIn = (state: unknown): ReadonlyMap<string, Payload> => {
  const entities = childOf(state, "entities");
  if (!isObject(state) || !isObject(entities)) return new Map();
  const ids = [...listField(state, "ids").map(textOf), ...Object.keys(entities)];
  return new Map(
    ids.flatMap((id) => {
      const entity = entities[id];
      return isObject(entity) ? [[id, entity] as const] : [];
    }),
  );
};

type Place = {
  readonly above: string;
  readonly folder: string | null;
  readonly tags: readonly string[];
};

const entryOf = (task: Payload, { above, folder, tags }: Place): Entry => {
  const [words, about] = [textOf(task["title"]), textOf(task["notes"])];
  const at = readDate(task["dueWithTime"] ?? task["plannedAt"]);
  const day = textField(task, "dueDay") ?? at?.slice(0, 10) ?? "";
  const attached = listField(task, "attachments")
    .filter(isObject)
    .filter(({ type }) => type === "LINK")
    .map(({ path, title }) => ({ address: path, title }));
  const title = withoutMarkdown(words);
  return {
    folder,
    title: above === "" ? title : `${withoutMarkdown(above)} › ${title}`,
    status: task["isDone"] === true ? "done" : "todo",
    due: readDue(day).due,
    tags,
    notes: [about, at === null ? "" : `Due: ${at}`],
    links: [...linksOf([words, about]), ...attached],
    isTodo: true,
    key: textOf(task["id"]),
  };
};

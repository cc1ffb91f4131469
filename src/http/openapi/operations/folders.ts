import { FOLDER } from "./examples.ts";
import type { Operations } from "./operation.ts";

const V1 = "/api/public/v1";

/** Folders, which paths and fields call projects. */
export const FOLDERS: Operations = {
  [`GET ${V1}/projects`]: {
    id: "listFolders",
    tag: "Folders",
    summary: "List folders, oldest first",
    description:
      "A key that is restricted to folders sees only those. A key that is restricted to the inbox sees none.",
    reply: {
      description: "The folders.",
      shape: "FolderList",
      example: { projects: [FOLDER] },
    },
  },
  [`POST ${V1}/projects`]: {
    id: "createFolder",
    tag: "Folders",
    summary: "Create a folder",
    description:
      "A key cannot make a second folder of the same name: it gets 409 with the id of the first. A key that is restricted to folders or to the inbox gets 403.",
    body: { example: { name: FOLDER.name, colour: FOLDER.colour } },
    reply: {
      description: "The new folder.",
      shape: "Folder",
      example: { ...FOLDER, task_count: 0 },
    },
  },
};

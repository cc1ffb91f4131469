import { recordName } from "../../domain/base/record.ts";
import { MAX_NAME } from "../../domain/tasks/folder.ts";
import { changeFolder, deleteFolder, renameFolder } from "../acts/folders.ts";
import { folderBeside, nudgeFolder } from "../acts/order.ts";
import { ColourMenu } from "../parts/colour-menu.tsx";
import { Editable } from "../parts/editable.tsx";
import { Icon } from "../parts/marks.tsx";
import { Menu } from "../parts/menu.tsx";
import { foldersById } from "../state/client.ts";
import { shell } from "../state/screen.ts";
import { Empty } from "./empty.tsx";
import { Head } from "./head.tsx";
import { ListView } from "./list.tsx";
import { exportPath } from "./places.ts";

/** One folder: its name and colour are edited in place, and its tasks listed. */
export const FolderView = ({ id }: { readonly id: string | null }) => {
  if (id === "none") return <ListView title="No folder" />;
  const folder = foldersById.value.get(id ?? "");
  if (!folder)
    return (
      <>
        <Head title="Folder" />
        <div class="scroll">
          <Empty view="open" />
        </div>
      </>
    );
  const name = (
    <Editable
      key={folder.id}
      class="folder-name"
      place={`folder ${folder.id}`}
      label="Folder name"
      value={folder.name}
      max={MAX_NAME}
      placeholder="Unnamed folder"
      isName
      save={(typed) => renameFolder(folder.id, typed)}
    />
  );
  return (
    <ListView title={name} label={recordName("sync_projects", folder.name)}>
      <ColourMenu
        colour={folder.colour}
        onPick={(colour) => void changeFolder(folder.id, { colour })}
      />
      <Menu
        label="More for this folder"
        class="right"
        button={<Icon name="ellipsis" />}
        items={[
          ...(folderBeside(folder.id, -1) === null
            ? []
            : [
                {
                  name: "Move up",
                  icon: "arrow-up",
                  run: () => void nudgeFolder(folder.id, -1),
                } as const,
              ]),
          ...(folderBeside(folder.id, 1) === null
            ? []
            : [
                {
                  name: "Move down",
                  icon: "arrow-down",
                  run: () => void nudgeFolder(folder.id, 1),
                } as const,
              ]),
          ...(shell.server() === null
            ? []
            : [
                {
                  name: "Export",
                  icon: "download",
                  href: exportPath("folder", folder.id),
                } as const,
              ]),
          {
            name: "Delete folder",
            icon: "trash",
            danger: true,
            run: () => void deleteFolder(folder.id),
          },
        ]}
      />
    </ListView>
  );
};

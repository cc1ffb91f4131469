import { hasWords } from "../../client/search.ts";
import { recordName } from "../../domain/base/record.ts";
import { addFolder } from "../acts/folders.ts";
import { Chooser } from "../parts/chooser.tsx";
import { Dot } from "../parts/dot.tsx";
import { Icon } from "../parts/icon.tsx";
import { folders } from "../state/client.ts";

/** Chooses a folder, none, or a new one. */
export const PickFolder = ({ onPick }: { readonly onPick: (id: string | null) => unknown }) => (
  <Chooser
    label="Choose a folder"
    placeholder="Move to a folder"
    none=""
    choices={(text) => {
      const typed = text.trim();
      return [
        ...folders.value
          .map((folder) => ({ ...folder, name: recordName("sync_projects", folder.name) }))
          .filter(({ name }) => hasWords(name, typed))
          .map(({ id, name, colour }) => ({
            key: id,
            shown: (
              <>
                <Dot colour={colour} />
                <span class="name">{name}</span>
              </>
            ),
            run: () => onPick(id),
          })),
        ...(hasWords("No folder", typed)
          ? [
              {
                key: "none",
                shown: (
                  <>
                    <Icon name="x" />
                    <span class="name">No folder</span>
                  </>
                ),
                run: () => onPick(null),
              },
            ]
          : []),
        ...(typed === ""
          ? []
          : [
              {
                key: "new",
                shown: (
                  <>
                    <Icon name="folder-plus" />
                    <span class="name">New folder “{typed}”</span>
                  </>
                ),
                run: () => addFolder(typed).then((id) => id !== null && onPick(id)),
              },
            ]),
      ];
    }}
  />
);

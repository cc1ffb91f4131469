import { hasWords } from "../../client/search.ts";
import { recordName } from "../../domain/base/record.ts";
import { isSeen } from "../../domain/base/text.ts";
import { MAX_NAME } from "../../domain/tasks/folder.ts";
import { addFolder } from "../acts/folders.ts";
import { type Choice, Chooser } from "../parts/chooser.tsx";
import { FolderIcon, Icon } from "../parts/marks.tsx";
import { TooLong } from "../parts/field-note.tsx";
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
                <FolderIcon colour={colour} />
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
        ...(isSeen(typed) ? [newFolder(typed, onPick)] : []),
      ];
    }}
  />
);

/** A name that is too long stays in the field. */
const newFolder = (name: string, onPick: (id: string) => unknown): Choice => {
  const tooLong = name.length - MAX_NAME;
  return {
    key: "new",
    shown: (
      <>
        <Icon name="folder-plus" />
        {tooLong > 0 ? (
          <TooLong by={tooLong}>Shorten it to add a folder of this name.</TooLong>
        ) : (
          <span class="name">New folder “{name}”</span>
        )}
      </>
    ),
    run: async () => {
      const id = tooLong > 0 ? null : await addFolder(name);
      return id !== null && onPick(id);
    },
  };
};

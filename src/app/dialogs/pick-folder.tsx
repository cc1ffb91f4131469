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
      const fits = (name: string) => name.toLowerCase().includes(typed.toLowerCase());
      return [
        ...folders.value
          .filter(({ name }) => fits(name))
          .map(({ id, name, colour }) => ({
            key: id,
            shown: (
              <>
                <Dot colour={colour} />
                <span class="name">{recordName("sync_projects", name)}</span>
              </>
            ),
            run: () => onPick(id),
          })),
        ...(fits("No folder")
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

import { recordName } from "../../domain/base/record.ts";
import { useEffect } from "preact/hooks";
import { foldersById } from "../state/client.ts";
import { route, type View } from "../state/route.ts";
import { AgentsView } from "./agents.tsx";
import { BoardView } from "../board/board.tsx";
import { FolderView } from "./folder.tsx";
import { InboxView } from "./inbox.tsx";
import { ListView } from "./list.tsx";
import { ALL_PLACES } from "./places.ts";
import { RefusedView } from "./refused.tsx";
import { SearchView } from "./search.tsx";
import { ShareView } from "./share.tsx";

/** The view that the address names. */
export const CurrentView = () => {
  const { view, folder } = route.value;
  const title = titleOf(view, folder);
  useEffect(() => {
    document.title = `${title} · Docket`;
  }, [title]);
  switch (view) {
    case "inbox":
      return <InboxView />;
    case "board":
      return <BoardView />;
    case "agents":
      return <AgentsView />;
    case "search":
      return <SearchView />;
    case "share":
      return <ShareView />;
    case "refused":
      return <RefusedView />;
    case "folder":
      return <FolderView id={folder} />;
    default:
      return <ListView key={view} title={title} />;
  }
};

const titleOf = (view: View, folder: string | null): string => {
  if (view === "folder") {
    const name = foldersById.value.get(folder ?? "")?.name;
    if (folder === "none") return "No folder";
    return name === undefined ? "Folder" : recordName("sync_projects", name);
  }
  const names: Partial<Record<View, string>> = {
    search: "Search",
    share: "Save a link",
    refused: "Refused changes",
  };
  return names[view] ?? ALL_PLACES.find((one) => one.view === view)?.name ?? "Tasks";
};

import { Mark } from "../parts/marks.tsx";
import { Menu, type MenuItem } from "../parts/menu.tsx";
import { client } from "../state/client.ts";
import { show } from "../state/overlay.ts";
import { shell } from "../state/screen.ts";
import { undoLast } from "../acts/act.ts";
import { exportAll } from "../acts/copy.ts";
import { ACCOUNT_PLACES } from "../views/places.ts";

/** Whose tasks these are, and what belongs to the account rather than to a task. */
export const AccountMenu = () => {
  const { email } = client().account;
  return (
    <Menu
      class="account"
      label={`Docket ${email}: account menu`}
      button={
        <>
          <Mark />
          <span class="who">
            <b>Docket</b> <span class="soft">{email}</span>
          </span>
        </>
      }
      items={[
        ...(shell.server() === null ? [] : ACCOUNT_PLACES),
        { name: "Undo the last change", icon: "undo-2", key: "u", run: () => void undoLast() },
        { name: "Settings", icon: "palette", run: () => show({ kind: "settings" }) },
        { name: "Keyboard shortcuts", icon: "keyboard", run: () => show({ kind: "shortcuts" }) },
        { name: "Export everything", icon: "download", run: () => void exportAll() },
        ...(shell.isWebApp ? webAppItems : []),
      ]}
    />
  );
};

const webAppItems: readonly MenuItem[] = [
  { name: "Get the bookmarklet", icon: "bookmark", run: () => show({ kind: "bookmarklet" }) },
  { name: "Sign out", icon: "log-out", run: () => show({ kind: "sign-out" }) },
];

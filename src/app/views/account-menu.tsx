import { Mark } from "../parts/mark.tsx";
import { Menu } from "../parts/menu.tsx";
import { client } from "../state/client.ts";
import { show } from "../state/overlay.ts";
import { exportAll } from "../acts/export.ts";

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
        { name: "Account, keys and devices", icon: "settings", href: "/account" },
        { name: "Give an agent a key", icon: "key-round", href: "/account/keys/new" },
        { name: "Get the bookmarklet", icon: "bookmark", run: () => show({ kind: "bookmarklet" }) },
        { name: "Keyboard shortcuts", icon: "keyboard", run: () => show({ kind: "shortcuts" }) },
        { name: "Export everything", icon: "download", run: () => void exportAll() },
        { name: "Sign out", icon: "log-out", run: () => show({ kind: "sign-out" }) },
      ]}
    />
  );
};

import type { ComponentChildren } from "preact";
import { keyOf } from "../keys/meaning.ts";
import { Icon, type IconName } from "./marks.tsx";
import { Popover } from "./popover.tsx";

/** One line of a menu: an action, or a link that leaves the app. */
export type MenuItem = {
  readonly name: string;
  readonly icon?: IconName;
  readonly key?: string;
  readonly danger?: boolean;
  readonly run?: () => void;
  readonly href?: string;
};

type MenuProps = {
  readonly label: string;
  readonly button: ComponentChildren;
  readonly items: readonly MenuItem[];
  readonly class?: string;
};

/** A button that opens a list of actions. Arrow keys move in it, Escape closes it. */
export const Menu = ({ label, button, items, class: name = "" }: MenuProps) => (
  <Popover role="menu" label={label} button={button} class={name} onKey={moveInMenu}>
    {(close) => items.map((item) => <Line key={item.name} item={item} onEnd={close} />)}
  </Popover>
);

const Line = ({ item, onEnd }: { readonly item: MenuItem; readonly onEnd: () => void }) => {
  const inside = (
    <>
      {item.icon && <Icon name={item.icon} />}
      <span>{item.name}</span>
      {item.key && <kbd>{item.key}</kbd>}
    </>
  );
  if (item.href !== undefined)
    return (
      <a role="menuitem" href={item.href} tabIndex={-1}>
        {inside}
      </a>
    );
  const run = (): void => {
    onEnd();
    item.run?.();
  };
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      class={item.danger ? "danger" : ""}
      onClick={run}
    >
      {inside}
    </button>
  );
};

const moveInMenu = (event: KeyboardEvent, close: () => void): void => {
  if (keyOf(event) === "Tab") close();
  if (keyOf(event) !== "ArrowDown" && keyOf(event) !== "ArrowUp") return;
  event.preventDefault();
  const root = event.currentTarget as HTMLElement;
  const lines = [...root.querySelectorAll<HTMLElement>("[role=menuitem]")];
  const at = lines.indexOf(document.activeElement as HTMLElement);
  const by = keyOf(event) === "ArrowDown" ? 1 : -1;
  lines[(at + by + lines.length) % lines.length]?.focus();
};

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { openLayer } from "../state/back.ts";
import { hideOverlay } from "../state/overlay.ts";
import { NoticeBar } from "./notice.tsx";

type DialogProps = {
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
};

/**
 * A dialog over the views. The browser keeps the focus inside and gives it back at the end. Escape, Back and a press
 * beside it close it.
 */
export const Dialog = ({ label, class: name = "", children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    focusFirst(dialog.current);
    const closed = openLayer(hideOverlay);
    return () => {
      closed();
      before?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={name}
      aria-label={label}
      // The browser reports the close only later, and the next key must count already.
      onCancel={hideOverlay}
      onClose={hideOverlay}
      onPointerDown={(event) => event.target === dialog.current && hideOverlay()}
    >
      {children}
      <NoticeBar />
    </dialog>
  );
};

/** Moves the focus to what comes first. Text of one line that was kept there is selected: typing replaces it. */
export const focusFirst = (root: ParentNode | null): void => {
  const first = root?.querySelector<HTMLElement>("[data-first]");
  first?.focus();
  if (first instanceof HTMLInputElement) first.select();
};

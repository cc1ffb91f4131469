import { ownPage, type Page } from "../shared/page.ts";
import { getUndo, postKeep, postUndo } from "./undo.tsx";

/** Undoing what a key did. */
export const UNDO_PAGES: readonly Page[] = [
  ownPage("GET", "/account/keys/:id/undo", getUndo),
  ownPage("POST", "/account/keys/:id/undo", postUndo),
  ownPage("POST", "/account/keys/:id/keep", postKeep),
];

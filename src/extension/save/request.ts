import { count } from "../../ui/words/names.ts";

/** What someone wants to save. The worker reads the tabs itself, so that titles and addresses are of that moment. */
export type Saved =
  /** `isWindow`: all tabs of a window. Then the pages of the server itself are left out. */
  | {
      readonly kind: "tabs";
      readonly tabIds: readonly number[];
      readonly isWindow?: boolean;
    }
  | { readonly kind: "link"; readonly url: string; readonly title: string | null };

/** Where it goes. */
export type Destination =
  | { readonly kind: "inbox" }
  /** The task that something was last saved to; the inbox if there is none, or it is closed by now. */
  | { readonly kind: "last" }
  | { readonly kind: "task"; readonly id: string }
  | { readonly kind: "new"; readonly title: string };

export type SaveRequest = {
  readonly saved: Saved;
  readonly place: Destination;
  /** Whether to close the tabs once they are saved. Pinned tabs stay open. */
  readonly close: boolean;
};

export type SaveReport = {
  readonly taskId: string;
  /** What happened, for people: "3 tabs saved to “Inbox”". */
  readonly label: string;
  /** A sentence for each tab that was not saved. */
  readonly refused: readonly string[];
  /** How many pages of the server itself were left out of a window. */
  readonly ownPages: number;
  /** False if the browser had no room to note what was done. */
  readonly canUndo: boolean;
};

/** Says how a save went: also how many tabs it left out. */
export const sayReport = ({
  label,
  refused,
  ownPages,
}: Pick<SaveReport, "label" | "ownPages" | "refused">): string => {
  const left = [
    ...(refused.length > 0 ? [`${count(refused.length, "tab")} cannot be saved`] : []),
    ...(ownPages > 0 ? [leftOut(ownPages)] : []),
  ];
  return left.length === 0 ? label : `${[label, ...left].join(". ")}.`;
};

export const leftOut = (ownPages: number): string =>
  `${count(ownPages, "page", "pages")} of your Docket server ${ownPages === 1 ? "is" : "are"} left out`;

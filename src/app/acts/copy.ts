import type { TabView } from "../../client/views.ts";
import { say } from "../state/notice.ts";
import { count } from "../words/count.ts";
import { markdownOf } from "../words/links.ts";

/** Copies tabs as plain addresses or as a Markdown list. */
export const copy = async (tabs: readonly TabView[], form: "links" | "markdown"): Promise<void> => {
  const text = form === "markdown" ? markdownOf(tabs) : tabs.map(({ url }) => url).join("\n");
  const done = await copyText(text);
  say(
    done
      ? { text: `${count(tabs.length, "link")} copied`, kind: "done" }
      : { text: "Your browser did not allow copying.", kind: "problem" },
  );
};

/** The clipboard is there over https and on localhost only. Elsewhere, text is copied the old way. */
export const copyText = async (text: string): Promise<boolean> => {
  if (navigator.clipboard)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
};

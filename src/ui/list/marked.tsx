import { marksIn } from "../../client/search.ts";
import { searchWords } from "../state/lists.ts";
import { route } from "../state/route.ts";

/** A text in which the words that are searched for are marked, while they are. No component: each row has one. */
export const marked = (text: string) => {
  if (route.value.view !== "search") return text;
  const marks = marksIn(text, searchWords.value);
  let from = 0;
  const parts = marks.flatMap(([start, end]) => {
    const both = [text.slice(from, start), <mark key={start}>{text.slice(start, end)}</mark>];
    from = end;
    return both;
  });
  return [...parts, text.slice(from)];
};

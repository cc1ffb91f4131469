import { receive, receiveInInbox } from "../acts/receive.ts";
import { tasks } from "../state/client.ts";
import { overlay, show } from "../state/overlay.ts";
import { route } from "../state/route.ts";
import { linksIn } from "../words/drafts.ts";
import { isTyping } from "./typing.ts";

/** Links that are pasted where nothing is being typed become tabs of the open task, or a new task. */
export const watchPaste = (): void =>
  document.addEventListener("paste", (event) => {
    if (event.defaultPrevented || isTyping(event.target) || overlay.value !== null) return;
    const text = event.clipboardData?.getData("text/plain").trim() ?? "";
    if (text === "") return;
    event.preventDefault();
    paste(text);
  });

const paste = (text: string): void => {
  const { task, view } = route.value;
  const hasLinks = linksIn(text).length > 0;
  if (hasLinks && task !== null && tasks.value.has(task)) void receive(text, task);
  else if (hasLinks && view === "inbox") void receiveInInbox(text);
  else show({ kind: "new-task", text });
};

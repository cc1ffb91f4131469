import type { TaskView } from "../../client/views.ts";
import { textField } from "../../domain/base/payload.ts";
import { momentWords } from "../words/dates.ts";
import { historyPath } from "../views/places.ts";

/** Who made the task, when it last changed, and the way to its history. */
export const Foot = ({ task: { id, madeBy, updatedAt, payload } }: { readonly task: TaskView }) => {
  const made = textField(payload, "created_at");
  return (
    <footer class="panel-foot soft">
      {madeBy.author === "agent" ? `Made by ${madeBy.key ?? "an agent"}` : "Made by you"}
      {made !== null && `, ${momentWords(made, true)}`} · Changed {momentWords(updatedAt, true)} ·{" "}
      <a href={historyPath(id)}>History</a>
    </footer>
  );
};

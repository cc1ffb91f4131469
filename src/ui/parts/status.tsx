import { isClosed, statusName } from "../../domain/tasks/task.ts";
import { statusIcon } from "../words/statuses.ts";
import { Icon } from "./marks.tsx";

type StatusButtonProps = {
  readonly status: string;
  readonly title: string;
  readonly onPress: () => void;
};

/** The circle in front of a task: shows its status, and finishes it when pressed. */
export const StatusButton = ({ status, title, onPress }: StatusButtonProps) => {
  const closed = isClosed(status);
  const words = closed ? `Reopen ${title}` : `Mark ${title || "task"} done`;
  return (
    <button
      type="button"
      class={`status-button s-${closed ? "closed" : status}`}
      aria-label={`${words} (${statusName(status)})`}
      title={`${statusName(status)}. Press to ${closed ? "reopen" : "finish"}`}
      onClick={(event) => {
        event.stopPropagation();
        onPress();
      }}
    >
      <Icon name={statusIcon(status)} size={18} />
    </button>
  );
};

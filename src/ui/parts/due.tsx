import { today } from "../state/screen.ts";
import { dueState, dueWords } from "../words/dates.ts";

/** When a task is due, in the colour of its urgency. */
export const Due = ({
  due,
  closed = false,
}: {
  readonly due: string;
  readonly closed?: boolean;
}) => {
  const urgency = closed ? "later" : dueState(due, today.value);
  return (
    <time
      class={`due ${urgency}`}
      dateTime={due}
      aria-label={`Due ${dueWords(due, today.value)}`}
      title={`Due ${due}`}
    >
      {dueWords(due, today.value)}
    </time>
  );
};

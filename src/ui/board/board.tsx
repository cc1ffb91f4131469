import { useSignal } from "@preact/signals";
import { MAX_NAME } from "../../domain/tasks/folder.ts";
import { addColumn } from "../acts/folders.ts";
import { useFocusAtCursor } from "../list/list.tsx";
import { Icon } from "../parts/marks.tsx";
import { OneLine } from "../parts/one-line.tsx";
import { columns } from "../state/board.ts";
import { BoardColumn } from "./column.tsx";
import { Head } from "../views/head.tsx";

/** The open tasks in columns: the buckets, or the statuses if there is no bucket. */
export const BoardView = () => {
  useFocusAtCursor();
  return (
    <>
      <Head title="Board">
        <NewColumn />
      </Head>
      <div class="board scroll">
        {columns.value.map((column) => (
          <BoardColumn key={column.key} column={column} />
        ))}
      </div>
    </>
  );
};

const NewColumn = () => {
  const adding = useSignal(false);
  return adding.value ? (
    <span class="new-column">
      <OneLine
        label="Name of the new column"
        max={MAX_NAME}
        placeholder="Name, then Enter"
        onEnd={() => (adding.value = false)}
        onText={addColumn}
      />
    </span>
  ) : (
    <button type="button" class="button" onClick={() => (adding.value = true)}>
      <Icon name="plus" /> Add a column
    </button>
  );
};

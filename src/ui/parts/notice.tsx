import { dismissNotice, holdNotice, notice } from "../state/notice.ts";
import { Icon } from "./marks.tsx";

/** What was just done, with the way to undo it. It goes by itself, unless someone points at it. */
export const NoticeBar = () => {
  const shown = notice.value;
  return (
    <div
      class="notice-place"
      role={shown?.kind === "problem" ? "alert" : "status"}
      onPointerEnter={() => holdNotice(true)}
      onPointerLeave={() => holdNotice(false)}
      onFocusCapture={() => holdNotice(true)}
      onBlurCapture={() => holdNotice(false)}
    >
      {shown && (
        <div class={`notice ${shown.kind}`}>
          <span>{shown.text}</span>
          {shown.action && (
            <button
              type="button"
              class="link"
              onClick={() => {
                dismissNotice();
                shown.action?.run();
              }}
            >
              {shown.action.label}
            </button>
          )}
          <button type="button" class="icon-button" aria-label="Dismiss" onClick={dismissNotice}>
            <Icon name="x" />
          </button>
        </div>
      )}
    </div>
  );
};

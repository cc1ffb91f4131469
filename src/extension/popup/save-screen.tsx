import { taskName } from "../../client/views.ts";
import { records } from "../../ui/state/client.ts";
import { count } from "../../ui/words/names.ts";
import { leftOut } from "../save/request.ts";
import { savableUrl, whyNotSaved } from "../save/savable.ts";
import { urlOf } from "../save/tabs.ts";
import { tasksWith } from "../saved/find.ts";
import { setCloses } from "./acts.ts";
import { closes, here, offer, offers, pick, screen } from "./here.ts";
import { Places } from "./places.tsx";

export const SaveScreen = () => (
  <>
    <AlreadySaved />
    <fieldset class="offers">
      <legend class="hidden">What to save</legend>
      {offers.value.map(({ what, name, tabs, ownPages }) => (
        <label key={what} class="offer">
          <input
            type="radio"
            name="what"
            value={what}
            checked={offer.value?.what === what}
            onChange={() => pick(what)}
          />
          <span dir="auto">{name}</span>
          {what === "tab" ? null : <span class="number">{tabs.length - ownPages.length}</span>}
        </label>
      ))}
    </fieldset>
    <NotSaved />
    <Places />
    <label class="check closes">
      <input
        type="checkbox"
        checked={closes.value}
        onChange={(event) => setCloses(event.currentTarget.checked)}
      />
      Close the tabs once they are saved
    </label>
  </>
);

/** In which tasks the page is already. */
const AlreadySaved = () => {
  const { active } = here.value;
  const tasks = active ? tasksWith(records.value, urlOf(active)) : [];
  if (tasks.length === 0) return null;
  return (
    <p class="already">
      This page is saved in{" "}
      {tasks.slice(0, 3).map((task, at) => (
        <>
          {at > 0 && ", "}
          <button
            type="button"
            class="link"
            onClick={() => (screen.value = { kind: "task", id: task.id })}
          >
            {taskName(task)}
          </button>
        </>
      ))}
      {tasks.length > 3 && ` and ${count(tasks.length - 3, "more task")}`}
    </p>
  );
};

const MOST = 3;

/** Says before anything is done which tabs cannot be saved, and why. */
const NotSaved = () => {
  const { tabs, ownPages } = offer.value ?? { tabs: [], ownPages: [] };
  const refused = tabs.filter((tab) => savableUrl(urlOf(tab)) === null);
  if (refused.length + ownPages.length === 0) return null;
  return (
    <ul class="refused">
      {refused.slice(0, MOST).map((tab) => (
        <li key={tab.id}>
          {whyNotSaved(tab.title ?? "", urlOf(tab)).replace("was not", "cannot be")}
        </li>
      ))}
      {refused.length > MOST && (
        <li>The same is true of {count(refused.length - MOST, "more tab")}.</li>
      )}
      {ownPages.length > 0 && <li>{leftOut(ownPages.length)}.</li>}
    </ul>
  );
};

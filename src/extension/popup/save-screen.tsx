import { taskName } from "../../client/views.ts";
import { records } from "../../ui/state/client.ts";
import { count } from "../../ui/words/names.ts";
import { leftOut } from "../save/request.ts";
import { savableTitle, savableUrl, whyNotSaved } from "../save/savable.ts";
import { urlOf } from "../save/tabs.ts";
import { tasksWith } from "../saved/find.ts";
import { hostOf } from "../../ui/words/links.ts";
import { OpenIcon } from "../parts/open-icon.tsx";
import {
  closes,
  here,
  leftOutTabs,
  offer,
  offers,
  pick,
  pickedTabs,
  savableTabs,
  screen,
  toggleTab,
} from "./here.ts";
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
    {savableTabs.value.length > 1 ? <ManyTabs /> : <OneTab />}
    <NotSaved />
    <Places action={`Save ${count(pickedTabs.value.length, "tab")}`}>
      <label class="check closes">
        <input
          type="checkbox"
          checked={closes.value}
          onChange={(event) => (closes.value = event.currentTarget.checked)}
        />
        Close {pickedTabs.value.length === 1 ? "it" : "them"} after saving
      </label>
    </Places>
  </>
);

/** The page that is to be saved. */
const OneTab = () => {
  const [tab] = savableTabs.value;
  if (!tab) return null;
  const url = savableUrl(urlOf(tab)) ?? "";
  return (
    <div class="page-card">
      <OpenIcon tab={tab} />
      <span class="page-words">
        <b dir="auto">{savableTitle(tab.title, urlOf(tab)) ?? url}</b>
        <span class="soft">{hostOf(url)}</span>
      </span>
    </div>
  );
};

/** The tabs that are to be saved. Any of them can be left out. */
const ManyTabs = () => (
  <ul class="tabs-to-save" aria-label="Tabs to save">
    {savableTabs.value.map((tab) => {
      const { id = -1 } = tab;
      const url = savableUrl(urlOf(tab)) ?? "";
      return (
        <li key={id}>
          <label class="check" title={url}>
            <input
              type="checkbox"
              checked={!leftOutTabs.value.has(id)}
              onChange={() => toggleTab(id)}
            />
            <OpenIcon tab={tab} />
            <span class="name" dir="auto">
              {savableTitle(tab.title, urlOf(tab)) ?? url}
            </span>
            <span class="soft">{hostOf(url)}</span>
          </label>
        </li>
      );
    })}
  </ul>
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

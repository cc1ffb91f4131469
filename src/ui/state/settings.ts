import { effect, signal } from "@preact/signals";
import { isObject } from "../../domain/base/payload.ts";

// What a person chose for this browser.

export const THEMES = { system: "As the system", light: "Light", dark: "Dark" } as const;
export const DENSITIES = { normal: "Comfortable", compact: "Compact" } as const;
export const STARTS = { today: "Today", inbox: "Inbox", open: "All open", board: "Board" } as const;
export const WEEK_STARTS = {
  locale: "As the language",
  monday: "Monday",
  sunday: "Sunday",
} as const;

export type Settings = {
  readonly theme: keyof typeof THEMES;
  readonly density: keyof typeof DENSITIES;
  /** The view that `/tasks` leads to. */
  readonly start: keyof typeof STARTS;
  readonly weekStart: keyof typeof WEEK_STARTS;
};

/** The account pages read it too. */
const PLACE = "docket-settings";

const parsed = (text: string | null): Settings => {
  const stored: unknown = JSON.parse(text ?? "{}");
  const of = <T extends object>(field: string, options: T, otherwise: keyof T): keyof T => {
    const value = isObject(stored) ? stored[field] : undefined;
    return typeof value === "string" && Object.hasOwn(options, value)
      ? (value as keyof T)
      : otherwise;
  };
  return {
    theme: of("theme", THEMES, "system"),
    density: of("density", DENSITIES, "normal"),
    start: of("start", STARTS, "today"),
    weekStart: of("weekStart", WEEK_STARTS, "locale"),
  };
};

export const settings = signal(parsed(localStorage.getItem(PLACE)));

export const changeSettings = (some: Partial<Settings>): void => {
  settings.value = { ...settings.value, ...some };
  localStorage.setItem(PLACE, JSON.stringify(settings.value));
};

/** Draws the page as the person chose, now and whenever that changes, here or in another window. Call it once. */
export const followSettings = (): void => {
  addEventListener("storage", (event: Event) => {
    if ((event as StorageEvent).key === PLACE) settings.value = parsed(localStorage.getItem(PLACE));
  });
  effect(() => {
    const { theme, density } = settings.value;
    const { dataset } = document.documentElement;
    dataset["theme"] = theme;
    dataset["density"] = density;
  });
};

/** The first day of the week: 0 for Sunday, 1 for Monday, 6 for Saturday. */
export const firstWeekday = (): number => {
  const { weekStart } = settings.value;
  if (weekStart !== "locale") return weekStart === "sunday" ? 0 : 1;
  const locale = new Intl.Locale(navigator.language) as WeekLocale;
  return (locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: 1 }).firstDay % 7;
};

/** Browsers offer it under two names, and Firefox not at all. */
type WeekLocale = Intl.Locale & {
  readonly getWeekInfo?: () => { readonly firstDay: number };
  readonly weekInfo?: { readonly firstDay: number };
};

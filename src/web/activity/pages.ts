import { ownPage, type Page } from "../shared/page.ts";
import { getActivity } from "./activity.tsx";

/** What API keys did. */
export const ACTIVITY_PAGES: readonly Page[] = [ownPage("GET", "/account/activity", getActivity)];

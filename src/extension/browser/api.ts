// The part of the WebExtensions API that the extension uses, as Chrome and Firefox both offer it. What a browser may
// lack is optional here: Firefox for Android has no menus, keys, groups or omnibox.

type Listened<Given extends readonly unknown[], Answer = void> = {
  readonly addListener: (listener: (...given: Given) => Answer) => void;
  readonly removeListener: (listener: (...given: Given) => Answer) => void;
};

export type Tab = {
  readonly id?: number;
  readonly windowId: number;
  readonly index: number;
  readonly active: boolean;
  readonly pinned: boolean;
  readonly highlighted: boolean;
  readonly incognito: boolean;
  readonly discarded?: boolean;
  readonly status?: string;
  readonly url?: string;
  /** Where the tab is about to be, in Chrome. */
  readonly pendingUrl?: string;
  readonly title?: string;
  /** Of the site's icon. In Firefox, the icon itself. */
  readonly favIconUrl?: string;
  /** -1 for none. */
  readonly groupId?: number;
};

type NewTab = {
  readonly url: string;
  readonly active: boolean;
  readonly windowId?: number;
  readonly pinned?: boolean;
  /** In Firefox only. */
  readonly discarded?: boolean;
  readonly title?: string;
};

type TabQuery = {
  readonly active?: boolean;
  readonly highlighted?: boolean;
  readonly windowId?: number;
  readonly groupId?: number;
  readonly currentWindow?: boolean;
  readonly lastFocusedWindow?: boolean;
};

export type TabGroup = {
  readonly id: number;
  readonly title?: string;
  readonly color: string;
  readonly collapsed?: boolean;
};

type BrowserWindow = { readonly id?: number; readonly tabs?: readonly Tab[] };

type Permissions = {
  readonly origins?: readonly string[];
  readonly permissions?: readonly string[];
  /** In Firefox only. */
  readonly data_collection?: readonly string[];
};

export type MenuContext = "action" | "all" | "link" | "page" | "tab";

export type MenuClick = {
  readonly menuItemId: number | string;
  readonly linkUrl?: string;
  /** The link's text, in Firefox only. */
  readonly linkText?: string;
};

type Menus = {
  readonly create: (item: {
    readonly id: string;
    readonly title: string;
    readonly parentId?: string;
    readonly contexts: readonly MenuContext[];
  }) => void;
  readonly removeAll: () => Promise<void>;
  readonly onClicked: Listened<[click: MenuClick, tab?: Tab]>;
};

export type Suggestion = { readonly content: string; readonly description: string };

/** Where something that was chosen in the address bar is to open. */
export type Disposition = "currentTab" | "newBackgroundTab" | "newForegroundTab";

type Omnibox = {
  readonly setDefaultSuggestion: (one: { readonly description: string }) => Promise<void> | void;
  readonly onInputChanged: Listened<
    [text: string, suggest: (offered: readonly Suggestion[]) => void]
  >;
  readonly onInputEntered: Listened<[text: string, where: Disposition]>;
};

type RequestFailure = { readonly url: string; readonly error: string };

type RequestAnswer = {
  readonly url: string;
  readonly responseHeaders?: readonly { readonly name: string; readonly value?: string }[];
};

type Watched<Details> = {
  readonly addListener: (
    listener: (details: Details) => void,
    filter: { readonly urls: readonly string[] },
    more?: readonly string[],
  ) => void;
  readonly removeListener: (listener: (details: Details) => void) => void;
};

type WebRequest = {
  readonly onErrorOccurred: Watched<RequestFailure>;
  readonly onHeadersReceived: Watched<RequestAnswer>;
};

type StorageArea = {
  readonly get: (key: string) => Promise<Readonly<Record<string, unknown>>>;
  readonly set: (items: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly remove: (key: string) => Promise<void>;
  readonly onChanged: Listened<[changes: Readonly<Record<string, StorageChange>>]>;
};

type StorageChange = { readonly oldValue?: unknown; readonly newValue?: unknown };

export type BookmarkNode = {
  readonly id: string;
  readonly title: string;
  /** Absent for a folder. */
  readonly url?: string;
  /** ms since 1970. */
  readonly dateAdded?: number;
  readonly children?: readonly BookmarkNode[];
};

type Browser = {
  /** Absent until the person has allowed it. */
  readonly bookmarks?: { readonly getTree: () => Promise<readonly BookmarkNode[]> };
  readonly action: {
    readonly setBadgeText: (badge: {
      readonly text: string;
      readonly tabId?: number;
    }) => Promise<void>;
    readonly setBadgeBackgroundColor: (badge: { readonly color: string }) => Promise<void>;
    readonly setTitle: (title: {
      readonly title: string;
      readonly tabId?: number;
    }) => Promise<void>;
  };
  readonly alarms: {
    readonly create: (
      name: string,
      when: { readonly delayInMinutes: number; readonly periodInMinutes?: number },
    ) => Promise<void> | void;
    readonly get: (name: string) => Promise<{ readonly periodInMinutes?: number } | undefined>;
    readonly clear: (name: string) => Promise<boolean>;
    readonly onAlarm: Listened<[alarm: { readonly name: string }]>;
  };
  readonly commands?: {
    readonly getAll: () => Promise<
      readonly {
        readonly name?: string;
        readonly description?: string;
        readonly shortcut?: string;
      }[]
    >;
    readonly onCommand: Listened<[name: string, tab?: Tab]>;
  };
  readonly contextMenus?: Menus;
  /** Absent in Firefox for Android. */
  readonly identity?: {
    readonly getRedirectURL: (path?: string) => string;
    readonly launchWebAuthFlow: (flow: {
      readonly url: string;
      readonly interactive: boolean;
    }) => Promise<string | undefined>;
  };
  readonly omnibox?: Omnibox;
  readonly permissions: {
    readonly request: (wanted: Permissions) => Promise<boolean>;
    readonly contains: (wanted: Permissions) => Promise<boolean>;
    readonly remove: (unwanted: Permissions) => Promise<boolean>;
    readonly onAdded: Listened<[]>;
    readonly onRemoved: Listened<[]>;
  };
  readonly runtime: {
    readonly id: string;
    readonly getURL: (path: string) => string;
    readonly getPlatformInfo: () => Promise<{ readonly os: string }>;
    readonly openOptionsPage: () => Promise<void>;
    readonly onInstalled: Listened<[details: { readonly reason: string }]>;
    readonly onStartup: Listened<[]>;
    readonly onMessage: Listened<
      [message: unknown, sender: { readonly id?: string }, answer: (reply: unknown) => void],
      boolean
    >;
    readonly sendMessage: (message: unknown) => Promise<unknown>;
  };
  /** Firefox's side panel. */
  readonly sidebarAction?: { readonly open: () => Promise<void> };
  /** Chrome's. */
  readonly sidePanel?: {
    readonly open: (where: { readonly windowId: number }) => Promise<void>;
  };
  readonly storage: {
    readonly local: StorageArea;
    /** In memory: it ends with the browser, but not with the worker. */
    readonly session: StorageArea;
  };
  readonly tabGroups?: {
    readonly get: (id: number) => Promise<TabGroup>;
    readonly query: (which: { readonly windowId: number }) => Promise<readonly TabGroup[]>;
    readonly update: (
      id: number,
      look: { readonly title?: string; readonly color?: string; readonly collapsed?: boolean },
    ) => Promise<unknown>;
    readonly onUpdated: Listened<[]>;
  };
  readonly tabs: {
    readonly get: (id: number) => Promise<Tab>;
    readonly query: (which: TabQuery) => Promise<readonly Tab[]>;
    readonly create: (tab: NewTab) => Promise<Tab>;
    readonly update: (
      id: number,
      change: { readonly url?: string; readonly active?: boolean; readonly pinned?: boolean },
    ) => Promise<unknown>;
    readonly remove: (ids: readonly number[]) => Promise<void>;
    readonly discard?: (id: number) => Promise<unknown>;
    readonly group?: (tabs: {
      readonly tabIds: readonly number[];
      readonly createProperties?: { readonly windowId: number };
      /** A group that is there. */
      readonly groupId?: number;
    }) => Promise<number>;
    readonly ungroup?: (ids: readonly number[]) => Promise<unknown>;
    readonly onActivated: Listened<[which: { readonly tabId: number }]>;
    readonly onAttached: Listened<[]>;
    readonly onCreated: Listened<[tab: Tab]>;
    readonly onDetached: Listened<[]>;
    readonly onMoved: Listened<[]>;
    readonly onRemoved: Listened<
      [id: number, how: { readonly windowId: number; readonly isWindowClosing: boolean }]
    >;
    readonly onUpdated: Listened<
      [
        id: number,
        change: {
          readonly url?: string;
          readonly status?: string;
          readonly groupId?: number;
          readonly pinned?: boolean;
        },
        tab: Tab,
      ]
    >;
  };
  readonly webRequest?: WebRequest;
  /** Absent in Firefox for Android before it had windows. */
  readonly windows?: {
    readonly create: (window: { readonly url?: string }) => Promise<BrowserWindow | undefined>;
    readonly update: (id: number, change: { readonly focused: boolean }) => Promise<unknown>;
    readonly getAll: (which: {
      readonly windowTypes: readonly string[];
    }) => Promise<readonly BrowserWindow[]>;
  };
};

// Chrome knows its API as `chrome`. Firefox knows both, and answers with promises under either name.
export const browser = (globalThis as unknown as { readonly chrome: Browser }).chrome;

/** Whether this is Firefox: its extensions have addresses of their own kind. */
export const isFirefox = (): boolean => browser.runtime.getURL("").startsWith("moz-extension:");

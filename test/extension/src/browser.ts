/** The part of the WebExtensions API that is used here. */
type Listened<Given extends readonly unknown[], Answer = void> = {
  readonly addListener: (listener: (...given: Given) => Answer) => void;
};

export type OpenTab = { readonly url?: string; readonly title?: string; readonly active: boolean };

type Browser = {
  readonly alarms: {
    readonly create: (name: string, when: { readonly periodInMinutes: number }) => Promise<void>;
    readonly onAlarm: Listened<[]>;
  };
  readonly identity: {
    readonly getRedirectURL: (path: string) => string;
    readonly launchWebAuthFlow: (flow: {
      readonly url: string;
      readonly interactive: boolean;
    }) => Promise<string>;
  };
  readonly permissions: {
    readonly request: (wanted: { readonly origins: readonly string[] }) => Promise<boolean>;
  };
  readonly runtime: {
    readonly getPlatformInfo: () => Promise<{ readonly os: string }>;
    readonly onInstalled: Listened<[]>;
    readonly onStartup: Listened<[]>;
    readonly onMessage: Listened<
      [message: unknown, sender: unknown, answer: (reply: unknown) => void],
      boolean
    >;
    readonly sendMessage: (message: unknown) => Promise<unknown>;
  };
  readonly storage: {
    readonly local: {
      readonly get: (keys: null) => Promise<Readonly<Record<string, unknown>>>;
      readonly set: (items: Readonly<Record<string, unknown>>) => Promise<void>;
      readonly onChanged: Listened<[]>;
    };
  };
  readonly tabs: {
    readonly query: (which: { readonly windowId: number }) => Promise<readonly OpenTab[]>;
  };
  readonly windows: { readonly getCurrent: () => Promise<{ readonly id: number }> };
};

// Declared in this module only, because the rest of the project does not run in a browser.
declare const chrome: Browser;

export const browser = chrome;

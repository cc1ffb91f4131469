import { type Browser, type BrowserContext, firefox, type Page } from "playwright-core";
import { FIREFOX, FIREFOX_PREFS, FIREFOX_SCHEME, prepareProfile } from "./firefox.ts";

// Firefox as it is distributed, driven by Playwright over WebDriver BiDi. Playwright's support for it is young: what it
// lacks is added here, through its inner objects, which no other file touches.

type Fields = Readonly<Record<string, unknown>>;

type Message = Fields & { readonly id: number; readonly method: string };

/** The connection to the browser, below all of Playwright. */
type Transport = {
  send: (message: Message) => void;
  onmessage?: (message: Message) => void;
};

type Environment = Readonly<Record<string, string | undefined>>;

type Launcher = {
  connectToTransport: (transport: Transport, ...rest: unknown[]) => unknown;
  amendEnvironment: (environment: Environment) => Environment;
  prepareUserDataDir: (options: unknown, profile: string) => Promise<void>;
};

/** What does a page's work. */
type Delegate = {
  readonly _session: {
    readonly sessionId: string;
    readonly send: (method: string, parameters: Fields) => Promise<unknown>;
  };
  readonly rawTouchscreen: { tap: (progress: unknown, x: number, y: number) => Promise<void> };
};

type Inner = { readonly _connection: { readonly toImpl: (outer: unknown) => unknown } };

const inner = (outer: unknown): unknown => (firefox as unknown as Inner)._connection.toImpl(outer);

const delegateOf = (page: Page): Delegate =>
  (inner(page) as { readonly delegate: Delegate }).delegate;

/** Playwright sends this for every new page. Firefox 153 does not know it, and the page would be refused. */
const UNKNOWN = "emulation.setMediaFeaturesOverride";

/** Firefox 153 gives downloads that lead nowhere no id, without which Playwright ignores them. */
const withId = (message: Message): Message => {
  if (!message.method?.startsWith("browsingContext.download")) return message;
  const params = message["params"] as Fields;
  return { ...message, params: { ...params, download: params["url"] } };
};

const { _bidiFirefox: launcher } = inner(firefox) as { readonly _bidiFirefox: Launcher };
const connect = launcher.connectToTransport.bind(launcher);
launcher.connectToTransport = (transport, ...rest) => {
  const send = transport.send.bind(transport);
  transport.send = (message) => {
    if (message.method !== UNKNOWN) return send(message);
    const done: Fields = { type: "success", id: message.id, result: {} };
    queueMicrotask(() => transport.onmessage?.(done as Message));
  };
  const connected = connect(transport, ...rest);
  const receive = transport.onmessage?.bind(transport);
  if (receive)
    Object.assign(transport, { onmessage: (message: Message) => receive(withId(message)) });
  return connected;
};

// Playwright has Firefox end when one of its tabs crashes. People's Firefox goes on.
const amend = launcher.amendEnvironment.bind(launcher);
launcher.amendEnvironment = (environment) => ({
  ...amend(environment),
  MOZ_CRASHREPORTER_SHUTDOWN: undefined,
});

const prepare = launcher.prepareUserDataDir.bind(launcher);
launcher.prepareUserDataDir = async (options, profile) => {
  await prepareProfile(profile);
  await prepare(options, profile);
};

/** A screen that only fingers touch. Firefox asks the system for this, not its driver. */
const TOUCHED = {
  "ui.primaryPointerCapabilities": 1,
  "ui.allPointerCapabilities": 1,
  "dom.w3c_touch_events.enabled": 1,
};

const SCHEME = "layout.css.prefers-color-scheme.content-override";

const launchOptions = (isTouched: boolean) => ({
  channel: "moz-firefox",
  executablePath: FIREFOX ?? "",
  firefoxUserPrefs: {
    ...FIREFOX_PREFS,
    ...(isTouched ? TOUCHED : {}),
    [SCHEME]: FIREFOX_SCHEME === "dark" ? 0 : 1,
  },
});

/** Starts a headless Firefox. The caller must close it. */
export const launchFirefox = (isTouched: boolean): Promise<Browser> =>
  firefox.launch(launchOptions(isTouched));

/** Starts a headless Firefox on a profile, a folder that stays when it ends. The caller must close it. */
export const launchFirefoxOn = (profile: string, baseURL: string): Promise<BrowserContext> =>
  firefox.launchPersistentContext(profile, { ...launchOptions(false), baseURL });

/** The process of a context's browser. */
export const processOf = (context: BrowserContext): number => {
  type Context = { readonly _browser: { readonly options: Options } };
  type Options = { readonly browserProcess: { readonly process: { readonly pid: number } } };
  return (inner(context) as Context)._browser.options.browserProcess.process.pid;
};

/** Rests a finger on a point of a page in Firefox, for some milliseconds. */
export const touch = async (page: Page, x: number, y: number, duration = 0): Promise<void> => {
  const { _session: session } = delegateOf(page);
  const actions = [
    { type: "pointerMove", x: Math.round(x), y: Math.round(y) },
    { type: "pointerDown", button: 0 },
    { type: "pause", duration },
    { type: "pointerUp", button: 0 },
  ];
  const finger = { type: "pointer", id: "finger", parameters: { pointerType: "touch" }, actions };
  await session.send("input.performActions", { context: session.sessionId, actions: [finger] });
};

/** Lets `tap` touch a page in Firefox, where Playwright's own does nothing. */
export const enableTaps = (page: Page): void => {
  delegateOf(page).rawTouchscreen.tap = (_progress, x, y) => touch(page, x, y);
};

import { beforeAll, expect, test } from "bun:test";
import { inBrowser } from "../../support/browser/browser.ts";
import { send } from "../../support/server.ts";
import { useChrome } from "../../support/extension/chrome.ts";
import { PASSWORD, until, useHome } from "../../support/extension/home.ts";

// Someone else signs in while the worker is about to push: it has read who is signed in, and reads what waits in that store.
const SIGN_IN_BEFORE_PUSH = `(() => {
  const { local } = chrome.storage;
  const read = local.get.bind(local);
  const { transaction } = IDBDatabase.prototype;
  let isAsked = false;
  local.get = async (key) => {
    const found = await read(key);
    isAsked ||= key === "connection";
    return found;
  };
  IDBDatabase.prototype.transaction = function (...given) {
    if (isAsked) {
      local.get = read;
      IDBDatabase.prototype.transaction = transaction;
      void local.set({ connection: CONNECTION });
    }
    return transaction.apply(this, given);
  };
})()`;

inBrowser("An account whose work waits in the browser, when another signs in", () => {
  const home = useHome();
  const chrome = useChrome();
  beforeAll(async () => {
    await home.signIn(chrome);
  });

  test("never has it pushed into that one", async () => {
    await home.docket(["account", "add", "bob@example.org", "--password-stdin"], PASSWORD);
    const bobs = ["--account", "bob@example.org"];
    const token = await home.docket(["session", "create", "--name", "extension", ...bobs]);
    const ask = async (method: string, path: string) =>
      (await send(method, `${home.url}/api/public/v1${path}`, { token })).json;
    const { id, email } = await ask("GET", "/me");
    const connection = { server: home.url, account: { id, email }, token };

    await home.kill();
    await save("ann");
    await home.startAgain();
    await chrome.inWorker(SIGN_IN_BEFORE_PUSH.replace("CONNECTION", JSON.stringify(connection)));
    await chrome.inWorker("chrome.alarms.create('push', { when: Date.now() })");
    await until(
      () =>
        chrome.inWorker<string>(
          "chrome.storage.local.get('connection').then((all) => all.connection.account.email)",
        ),
      (now) => now === email,
    );

    await save("bob");
    const titles = await until(
      () => tabsOf(ask),
      (tabs) => tabs.includes("bob"),
    );
    expect(titles).toEqual(["bob"]);
  });

  const save = async (page: string): Promise<void> => {
    await chrome.visit(new URL(page, home.web).href);
    const popup = await chrome.popup();
    await popup.keyboard.press("Enter");
    await popup.waitForSelector(".already");
    await popup.close();
  };
});

const tabsOf = async (
  ask: (method: string, path: string) => Promise<Tasks & { tabs?: readonly Titled[] }>,
): Promise<readonly string[]> => {
  const { tasks } = await ask("GET", "/tasks");
  const whole = await Promise.all(tasks.map((task) => ask("GET", `/tasks/${task.id}`)));
  return whole.flatMap(({ tabs = [] }) => tabs.map(({ title }) => title));
};

type Titled = { readonly title: string };
type Tasks = { readonly tasks: readonly { readonly id: string }[] };

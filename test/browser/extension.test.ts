import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import {
  buildExtension,
  type Device,
  recordsOf,
  ringAlarm,
  startDevice,
  stopWorker,
} from "../extension/_device.ts";
import {
  endDevice,
  openTabs,
  pairingCode,
  press,
  settle,
  shows,
  signInWindow,
  startWeb,
} from "../extension/_hand.ts";
import { buildBinary, type Running, run, serve } from "../_program.ts";
import { send, testDirectory } from "../_server.ts";
import { inBrowser, lookAt } from "./_browser.ts";

const PASSWORD = "correct horse battery";

const UNKNOWN_CODE =
  "This code is not known: it may be mistyped, or a newer one has taken its place. For a new one, " +
  "open the Devices page of the account area. If a device stands there that nobody knows, sign it out.";

const NOT_VALID =
  "The credential is not valid: it is mistyped, expired or revoked. Make a new key, or sign in again.";

inBrowser("a real extension in a real browser", () => {
  const devices: Device[] = [];
  let server: Running;
  let web: Bun.Server<undefined>;

  // Before the directories are removed, which stands below: a browser that is still there fills them anew.
  afterAll(async () => {
    for (const { context } of devices) await context.close();
    await web.stop(true);
    await server.stop();
  });

  const data = testDirectory();
  const extension = testDirectory();
  const backups = testDirectory();
  // Here, because a directory that is made within a test is removed behind it.
  const profiles = { laptop: testDirectory(), phone: testDirectory() };
  let binary: readonly string[];
  let laptop: Device;
  let phone: Device;
  let key: string;

  const docket = async (words: readonly string[], input = ""): Promise<string> => {
    const { code, out, err } = await run(binary, [...words, "--data", data], { input });
    if (code !== 0) throw new Error(`docket ${words.join(" ")}: ${err}`);
    return out.trim();
  };

  const start = (port: string): Promise<Running> =>
    serve(binary, ["--data", data, "--log", "off", "--port", port]);

  const newDevice = async (profile: string): Promise<Device> => {
    const device = await startDevice(extension, profile, [`${server.url}/`, web.url.href]);
    await device.options.fill("#base", `${server.url}/api/public/v1`);
    devices.push(device);
    return device;
  };

  /** What the agent is answered, with its key. */
  const agent = async (method: string, path: string, body?: unknown) =>
    (await send(method, `${server.url}/api/public/v1${path}`, { token: key, body })).json;

  beforeAll(async () => {
    binary = await buildBinary();
    await docket(["account", "add", "ann@example.org", "--password-stdin"], PASSWORD);
    key = await docket(["key", "create", "--name", "helper", "--scopes", "read,write"]);
    server = await start("0");
    web = startWeb();
    await buildExtension(extension);
  }, 60_000);

  test("ann says no in the window that the extension opens, and stays a stranger", async () => {
    laptop = await newDevice(profiles.laptop);
    const asked = await signInWindow(laptop);
    await asked.fill("[name=email]", "ann@example.org");
    await asked.fill("[name=password]", PASSWORD);
    await asked.press("[name=password]", "Enter");
    await asked.click("[name=decision][value=deny]");
    await shows(laptop, {
      status: "Nobody is signed in.",
      problem: "Whoever is signed in there did not allow it.",
    });
  }, 20_000);

  test("she says yes, with her password because the server does not know the extension", async () => {
    const asked = await signInWindow(laptop);
    expect(await lookAt(asked, "consent")).toEqual([]);
    await asked.fill("[name=device_name]", "Ann's laptop");
    await asked.fill("[name=password]", PASSWORD);
    await asked.click("[name=decision][value=allow]");
    const status = `Signed in as ann@example.org at ${server.url}.`;
    await shows(laptop, { status, problem: "", report: "" });
  }, 20_000);

  test("signed out and in again, she is not asked for it: the server remembers the extension", async () => {
    await press(laptop, "#sign-out");
    await shows(laptop, { status: "Signed out. What is held here belongs to ann@example.org." });
    const asked = await signInWindow(laptop);
    expect(await asked.locator("[name=password]").count()).toBe(0);
    await asked.fill("[name=device_name]", "Ann's laptop");
    await asked.click("[name=decision][value=allow]");
    await shows(laptop, { status: `Signed in as ann@example.org at ${server.url}.` });
    expect(JSON.parse(await docket(["session", "list", "--json"]))).toMatchObject([
      { name: "Ann's laptop", state: "revoked" },
      { name: "Ann's laptop", state: "live" },
    ]);
  }, 20_000);

  test("the open tabs of her window become a task", async () => {
    await openTabs(laptop, web.url, ["Oslo", "Bergen"]);
    await press(laptop, "#save");
    await shows(laptop, { tasks: ["Oslo and 1 more: 2 tabs, todo"], queue: "0 waiting" });
    const { tasks } = await agent("GET", "/tasks");
    expect(tasks).toMatchObject([{ title: "Oslo and 1 more", created_by: "person", tab_count: 2 }]);
    const { tabs } = await agent("GET", `/tasks/${tasks[0].id}`);
    expect(tabs).toMatchObject([
      { title: "Oslo", url: `${web.url}Oslo`, created_by: "person" },
      { title: "Bergen", url: `${web.url}Bergen`, created_by: "person" },
    ]);
  }, 20_000);

  test("what is saved while the server is away outlives the extension's worker", async () => {
    await server.stop("SIGKILL");
    await openTabs(laptop, web.url, ["Narvik"]);
    await press(laptop, "#save");
    const report = `Nothing answers at ${server.url}.`;
    await shows(laptop, { queue: "1 waiting", report });
    await stopWorker(laptop);
    server = await start(new URL(server.url).port);
    await ringAlarm(laptop);
    await shows(laptop, { queue: "0 waiting", report: "" });
    expect((await agent("GET", "/tasks")).tasks).toMatchObject([
      { title: "Oslo and 2 more" },
      { title: "Oslo and 1 more" },
    ]);
  }, 20_000);

  test("a second device is let in by a pairing code alone, and gets what is there", async () => {
    phone = await newDevice(profiles.phone);
    await phone.options.fill("#code", "AAAA-AAAA-AAAA-AAAA");
    await press(phone, "#pairing button");
    await shows(phone, { status: "Nobody is signed in.", problem: UNKNOWN_CODE });
    // As people type it.
    const typed = (await pairingCode(laptop, server.url)).toLowerCase().replaceAll("-", " ");
    await phone.options.fill("#code", typed);
    await press(phone, "#pairing button");
    await shows(phone, {
      status: `Signed in as ann@example.org at ${server.url}.`,
      problem: "",
      tasks: ["Oslo and 1 more: 2 tabs, todo", "Oslo and 2 more: 3 tabs, todo"],
      queue: "0 waiting",
    });
  }, 20_000);

  test("both devices end with the same while an agent files tabs", async () => {
    const { tasks } = await agent("GET", "/tasks");
    const [narvik, oslo] = tasks;
    const fileTabs = async () => {
      for (const name of ["a", "b", "c"]) {
        await agent("POST", "/inbox/tabs", [{ url: `https://example.org/inbox/${name}` }]);
        const tab = { url: `https://example.org/${name}`, title: name };
        await agent("POST", `/tasks/${narvik.id}/tabs`, [tab]);
        await agent("PATCH", `/tasks/${oslo.id}`, { status: "in_progress", colour: name });
      }
    };
    await Promise.all([
      fileTabs(),
      finishAndSave(laptop, web.url, "Voss", "Oslo and 3 more"),
      finishAndSave(phone, web.url, "Røros", "Røros"),
    ]);
    await settle(laptop, phone);
    const records = await recordsOf(phone);
    expect(
      Object.values(records)
        .map(({ row }) => [row.payload.title, row.payload.pages.length])
        .toSorted(),
    ).toEqual([
      ["Agent unsorted", 3],
      ["Oslo and 1 more", 2],
      ["Oslo and 2 more", 6],
      ["Oslo and 3 more", 4],
      ["Røros", 1],
    ]);
    expect(Object.values(records).filter(({ waiting }) => waiting)).toEqual([]);
    expect(await recordsOf(laptop)).toEqual(records);
    const { tabs } = await agent("GET", `/tasks/${narvik.id}`);
    expect(tabs.map((tab: { created_by: string }) => tab.created_by)).toEqual([
      ...Array(3).fill("person"),
      ...Array(3).fill("agent"),
    ]);
  }, 20_000);

  test("what a server restored from a backup has lost comes back from the devices", async () => {
    const backup = await docket(["backup", join(backups, "docket.db")]);
    await openTabs(phone, web.url, ["Bodø"]);
    await press(phone, "#save");
    await phone.options.getByText("Røros and 1 more").waitFor();
    await settle(phone, laptop);
    await server.stop("SIGKILL");
    await docket(["restore", backup]);
    server = await start(new URL(server.url).port);
    const lost = { title: "Røros and 1 more" };
    expect((await agent("GET", "/tasks")).tasks).not.toContainEqual(expect.objectContaining(lost));
    await settle(laptop, phone);
    expect((await agent("GET", "/tasks")).tasks).toContainEqual(expect.objectContaining(lost));
    expect(await recordsOf(laptop)).toEqual(await recordsOf(phone));
  }, 20_000);

  test("a device that ann ends on her account page is signed out, and keeps what it holds", async () => {
    const held = await recordsOf(phone);
    await endDevice(laptop, server.url, "Browser on linux");
    await press(phone, "#sync");
    await shows(phone, {
      status: "Signed out. What is held here belongs to ann@example.org.",
      report: NOT_VALID,
    });
    expect(await recordsOf(phone)).toEqual(held);
  }, 20_000);

  test("no page or worker had an error, or asked anybody else", () => {
    const faults = devices.flatMap((device) => device.faults);
    // The server was away once.
    expect(faults.filter((fault) => !fault.includes("ERR_CONNECTION_REFUSED"))).toEqual([]);
  });
});

/** A change of the task that the agent changes too, and a new one, of a window with one tab more. */
const finishAndSave = async (device: Device, web: URL, tab: string, title: string) => {
  await press(device, "#tasks li:has-text('Oslo and 1 more') button");
  await openTabs(device, web, [tab]);
  await press(device, "#save");
  await device.options.getByText(title).waitFor();
};

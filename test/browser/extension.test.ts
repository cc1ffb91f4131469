import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import {
  type Device,
  listCalls,
  recordsOf,
  ringAlarm,
  stopWorker,
  syncDuring,
  syncNow,
} from "../extension/_device.ts";
import {
  endDevice,
  finishAndSave,
  openTabs,
  pairingCode,
  press,
  settle,
  shows,
  signInWindow,
} from "../extension/_hand.ts";
import { PASSWORD, type Scene, setScene } from "../extension/_scene.ts";
import { testDirectory } from "../support/server.ts";
import { inBrowser, lookAt } from "./_browser.ts";

const UNKNOWN_CODE =
  "This code is not valid. It may be mistyped, or a newer code may have replaced it. " +
  "Open the Devices page of your account to get a new one. If that page lists a device you do not recognise, sign it out.";

const NOT_VALID =
  "The credential is not valid. It may be mistyped, expired or revoked. Create a new key or sign in again.";

inBrowser("A real extension in a real browser:", () => {
  let scene: Scene;
  let laptop: Device;
  let phone: Device;

  // Registered first, so that the browser is closed before the directories below are removed. Otherwise it would
  // write to them again.
  afterAll(() => scene.end());

  // Created here, because a directory created in a test is removed after that test.
  const [data, extension, backups] = [testDirectory(), testDirectory(), testDirectory()];
  const profiles = { laptop: testDirectory(), phone: testDirectory() };

  beforeAll(async () => {
    scene = await setScene(data, extension);
  }, 60_000);

  test("Ann refuses in the window that the extension opens, and stays signed out", async () => {
    laptop = await scene.newDevice(profiles.laptop);
    const asked = await signInWindow(laptop);
    await asked.fill("[name=email]", "ann@example.org");
    await asked.fill("[name=password]", PASSWORD);
    await asked.press("[name=password]", "Enter");
    await asked.click("[name=decision][value=deny]");
    await shows(laptop, {
      status: "Nobody is signed in.",
      problem: "The person who is signed in did not allow it.",
    });
  }, 20_000);

  test("Ann allows it, with her password because the server does not know the extension", async () => {
    const asked = await signInWindow(laptop);
    expect(await lookAt(asked, "consent")).toEqual([]);
    await asked.fill("[name=device_name]", "Ann's laptop");
    await asked.fill("[name=password]", PASSWORD);
    await asked.click("[name=decision][value=allow]");
    const status = `Signed in as ann@example.org at ${scene.url}.`;
    await shows(laptop, { status, problem: "", report: "" });
  }, 20_000);

  test("Ann signs out and in again without her password, because the server remembers the extension", async () => {
    await press(laptop, "#sign-out");
    await shows(laptop, { status: "Signed out. What is held here belongs to ann@example.org." });
    const asked = await signInWindow(laptop);
    expect(await asked.locator("[name=password]").count()).toBe(0);
    await asked.fill("[name=device_name]", "Ann's laptop");
    await asked.click("[name=decision][value=allow]");
    await shows(laptop, { status: `Signed in as ann@example.org at ${scene.url}.` });
    expect(JSON.parse(await scene.docket(["session", "list", "--json"]))).toMatchObject([
      { name: "Ann's laptop", state: "revoked" },
      { name: "Ann's laptop", state: "live" },
    ]);
  }, 20_000);

  test("The open tabs of ann's window become a task", async () => {
    await openTabs(laptop, scene.web, ["Oslo", "Bergen"]);
    await press(laptop, "#save");
    await shows(laptop, { tasks: ["Oslo and 1 more: 2 tabs, todo"], queue: "0 waiting" });
    const { tasks } = await scene.agent("GET", "/tasks");
    expect(tasks).toMatchObject([{ title: "Oslo and 1 more", created_by: "person", tab_count: 2 }]);
    const { tabs } = await scene.agent("GET", `/tasks/${tasks[0].id}`);
    expect(tabs).toMatchObject([
      { title: "Oslo", url: `${scene.web}Oslo`, created_by: "person" },
      { title: "Bergen", url: `${scene.web}Bergen`, created_by: "person" },
    ]);
  }, 20_000);

  test("A change made while a pull is on its way does not remove the tab that the pull brings", async () => {
    const [{ id }] = (await scene.agent("GET", "/tasks")).tasks;
    await scene.agent("POST", `/tasks/${id}/tabs`, [{ url: "https://example.org/" }]);
    await syncDuring(laptop, async () => {
      await press(laptop, "#tasks li button");
      await shows(laptop, { queue: "1 waiting" });
    });
    await syncNow(laptop);
    const { status, tabs } = await scene.agent("GET", `/tasks/${id}`);
    expect(status).toBe("done");
    expect(tabs.map((tab: { created_by: string }) => tab.created_by)).toEqual([
      "person",
      "person",
      "agent",
    ]);
    await scene.agent("PATCH", `/tasks/${id}`, { status: "todo" });
    await press(laptop, "#sync");
    await shows(laptop, { tasks: ["Oslo and 1 more: 3 tabs, todo"], queue: "0 waiting" });
  }, 20_000);

  test("A task saved while the server is down survives when the browser stops the extension's worker", async () => {
    await scene.killServer();
    await openTabs(laptop, scene.web, ["Narvik"]);
    await press(laptop, "#save");
    const report = `Nothing answers at ${scene.url}.`;
    await shows(laptop, { queue: "1 waiting", report });
    await stopWorker(laptop);
    await scene.startServer();
    await ringAlarm(laptop);
    await shows(laptop, { queue: "0 waiting", report: "" });
    expect((await scene.agent("GET", "/tasks")).tasks).toMatchObject([
      { title: "Oslo and 2 more" },
      { title: "Oslo and 1 more" },
    ]);
  }, 20_000);

  test("Ann's phone signs in with just a pairing code, and gets all her tasks", async () => {
    phone = await scene.newDevice(profiles.phone);
    await phone.options.fill("#code", "AAAA-AAAA-AAAA-AAAA");
    await press(phone, "#pairing button");
    await shows(phone, { status: "Nobody is signed in.", problem: UNKNOWN_CODE });
    // As people type it.
    const typed = (await pairingCode(laptop, scene.url)).toLowerCase().replaceAll("-", " ");
    await phone.options.fill("#code", typed);
    await press(phone, "#pairing button");
    await shows(phone, {
      status: `Signed in as ann@example.org at ${scene.url}.`,
      problem: "",
      tasks: ["Oslo and 1 more: 3 tabs, todo", "Oslo and 2 more: 3 tabs, todo"],
      queue: "0 waiting",
    });
  }, 20_000);

  test("Both devices end up with the same tasks while an agent files tabs", async () => {
    const { tasks } = await scene.agent("GET", "/tasks");
    const [narvik, oslo] = tasks;
    const fileTabs = async () => {
      for (const name of ["a", "b", "c"]) {
        await scene.agent("POST", "/inbox/tabs", [{ url: `https://example.org/inbox/${name}` }]);
        const tab = { url: `https://example.org/${name}`, title: name };
        await scene.agent("POST", `/tasks/${narvik.id}/tabs`, [tab]);
        await scene.agent("PATCH", `/tasks/${oslo.id}`, { status: "in_progress", colour: name });
      }
    };
    await Promise.all([
      fileTabs(),
      finishAndSave(laptop, scene.web, "Voss", "Oslo and 3 more"),
      finishAndSave(phone, scene.web, "Røros", "Røros"),
    ]);
    await settle(laptop, phone);
    const records = await recordsOf(phone);
    expect(
      Object.values(records)
        .map(({ row }) => [row.payload.title, row.payload.pages.length])
        .toSorted(),
    ).toEqual([
      ["Agent unsorted", 3],
      ["Oslo and 1 more", 3],
      ["Oslo and 2 more", 6],
      ["Oslo and 3 more", 4],
      ["Røros", 1],
    ]);
    expect(Object.values(records).filter(({ waiting }) => waiting)).toEqual([]);
    expect(await recordsOf(laptop)).toEqual(records);
    const { tabs } = await scene.agent("GET", `/tasks/${narvik.id}`);
    expect(tabs.map((tab: { created_by: string }) => tab.created_by)).toEqual([
      ...Array(3).fill("person"),
      ...Array(3).fill("agent"),
    ]);
  }, 20_000);

  test("Tasks that a restored server has lost come back from the devices", async () => {
    const backup = await scene.docket(["backup", join(backups, "docket.db")]);
    await openTabs(phone, scene.web, ["Bodø"]);
    await press(phone, "#save");
    await phone.options.getByText("Røros and 1 more").waitFor();
    await settle(phone, laptop);
    const calls = await listCalls(phone);
    await scene.killServer();
    await scene.docket(["restore", backup, "--yes"]);
    await scene.startServer();
    const lost = { title: "Røros and 1 more" };
    expect((await scene.agent("GET", "/tasks")).tasks).not.toContainEqual(
      expect.objectContaining(lost),
    );
    await syncNow(phone);
    // A push after the pull would count as having seen what the pull brought.
    expect((await calls()).join(", ")).toContain(
      "GET with since, POST without since, GET without since",
    );
    await settle(laptop, phone);
    expect((await scene.agent("GET", "/tasks")).tasks).toContainEqual(
      expect.objectContaining(lost),
    );
    expect(await recordsOf(laptop)).toEqual(await recordsOf(phone));
  }, 20_000);

  test("A device that ann signs out on her account page keeps its data", async () => {
    const held = await recordsOf(phone);
    await endDevice(laptop, scene.url, "Browser on linux");
    await press(phone, "#sync");
    await shows(phone, {
      status: "Signed out. What is held here belongs to ann@example.org.",
      report: NOT_VALID,
    });
    expect(await recordsOf(phone)).toEqual(held);
  }, 20_000);

  test("No page or worker had an error, or sent a request elsewhere", () => {
    // The server was down for a while.
    expect(scene.faults().filter((fault) => !fault.includes("ERR_CONNECTION_REFUSED"))).toEqual([]);
  });
});

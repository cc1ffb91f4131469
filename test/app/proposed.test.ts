import { expect, test } from "bun:test";
import { inChromium } from "../support/browser/engines.ts";
import { eventually, row, titles, useDesk } from "../support/app/desk.ts";
import { send } from "../support/server.ts";

// What an agent proposes waits in one place until a person decides, and a person can end an agent's claim.

inChromium("What agents propose, and work on:", (engine) => {
  const desk = useDesk({ engine });

  const proposing = async () => {
    const words = ["--name", "planner", "--scopes", "read,write", "--review"];
    const key = await desk.command("key", "create", ...words);
    return (method: string, path: string, body?: unknown) =>
      send(method, `${desk.url}/api/public/v1${path}`, { token: key, body });
  };

  test("it waits in From agents and nowhere else, and is kept or dismissed, one or all", async () => {
    const { page, open, device } = desk;
    const planner = await proposing();
    for (const title of ["Book the berths", "Ask for a window", "Print the tickets", "Pack"])
      expect((await planner("POST", "/tasks", { title, status: "done" })).json.status).toBe(
        "proposed",
      );
    await open("/tasks/open");
    await page
      .getByRole("link", { name: /From agents/ })
      .getByText("4")
      .waitFor();
    expect(await titles(page)).toEqual([]);
    await page.getByRole("link", { name: /From agents/ }).click();
    const section = page.getByRole("region", { name: "Proposed by planner" });
    await section.getByText("planner proposes 4 tasks").waitFor();
    await section.getByRole("button", { name: "Keep: Pack" }).click();
    await section.getByText("planner proposes 3 tasks").waitFor();
    await section.getByRole("button", { name: "Dismiss: Print the tickets" }).click();
    await section.getByText("planner proposes 2 tasks").waitFor();
    await section.getByRole("button", { name: "Keep all: all of planner" }).click();
    await section.waitFor({ state: "detached" });
    await open("/tasks/open");
    await eventually(async () => (await titles(page)).length === 3);
    expect((await titles(page)).toSorted()).toEqual([
      "Ask for a window",
      "Book the berths",
      "Pack",
    ]);
    const { json } = await device("GET", "/tasks?closed=true");
    await eventually(async () =>
      (await device("GET", "/tasks")).json.tasks.every(
        ({ status }: { status: string }) => status === "todo",
      ),
    );
    expect(json.tasks.map(({ title }: { title: string }) => title)).not.toContain(
      "Print the tickets",
    );
  });

  test("it is not found by a search before it is kept", async () => {
    const { page, open } = desk;
    const planner = await proposing();
    await planner("POST", "/tasks", { title: "Zebra crossing" });
    await open("/tasks/agents");
    await page.getByText("Zebra crossing").waitFor();
    await open("/tasks/search?q=zebra");
    await page.getByText("Nothing").first().waitFor();
    expect(await titles(page)).toEqual([]);
  });

  test("the task says which agent works on it until when, and she ends that", async () => {
    const { page, open, agent } = desk;
    const made = await agent("POST", "/tasks", { title: "Compare hotels" });
    await agent("POST", "/claims", { task: made.json.id, for: "1h" });
    await open("/tasks/open");
    await row(page, "Compare hotels").getByRole("link").click();
    const banner = page.getByRole("status").filter({ hasText: "works on this until" });
    await banner.waitFor();
    await banner.getByRole("button", { name: "End that" }).click();
    await banner.waitFor({ state: "detached" });
    const { json } = await agent("GET", `/tasks/${made.json.id}`);
    expect(json.claimed_by).toBeNull();
  });
});

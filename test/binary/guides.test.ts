import { afterAll, beforeAll, expect, test } from "bun:test";
import { GUIDES, readGuides } from "../../src/reference/guides.ts";
import { buildBinary, type Running, serve } from "../support/program.ts";
import { send, testDirectory } from "../support/server.ts";

let server: Running;

beforeAll(async () => {
  server = await serve(await buildBinary(), ["--data", testDirectory()], { cwd: testDirectory() });
});

afterAll(() => server.stop());

test.each(GUIDES.map(({ name }) => name))(
  "The executable contains the guide %s as it is written",
  async (name) => {
    const { html, markdown } = (await readGuides())[name];
    const page = await send("GET", `${server.url}/docs/guides/${name}`);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(html)]);
    const text = await send("GET", `${server.url}/docs/guides/${name}.md`);
    expect([text.status, text.text]).toEqual([200, markdown]);
  },
);

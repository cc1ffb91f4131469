import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { endpointName } from "../../src/server/call.ts";
import { ROUTES } from "../../src/http/routes.ts";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { TAB, TASK } from "../../src/http/openapi/operations/examples.ts";
import { DOCKET } from "../support/docket.ts";
import { run } from "../support/program.ts";
import { change, newcomer, sharedServer } from "../support/replies.ts";
import { testDirectory } from "../support/server.ts";
import {
  type Content,
  DOCUMENT,
  type Operation,
  type Parameter,
  resolved,
  type Response,
} from "../support/http/document.ts";
import { EXPECTED, filled } from "../support/access.ts";
import { inputErrors, replyErrors } from "../support/http/schemas.ts";

const server = await sharedServer();

type Named = readonly [name: string, operation: Operation];

const operations = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): Named => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
);

test("The document equals the committed one: update test/openapi.json with `bun run openapi`", () => {
  const committed = readFileSync(join(import.meta.dir, "../openapi.json"), "utf8");
  expect(JSON.parse(committed)).toEqual(DOCUMENT);
});

test("The document is served to anyone from any origin, and printed without a data directory", async () => {
  const { status, headers, text } = await server.call("GET", "!/openapi.json");
  expect([status, JSON.parse(text)]).toEqual([200, DOCUMENT]);
  expect(headers.get("content-type")).toBe("application/json;charset=utf-8");
  expect(headers.get("access-control-allow-origin")).toBe("*");
  const nowhere = join(testDirectory(), "none", "data");
  const { code, out, err } = await run(DOCKET, ["openapi", "--data", nowhere]);
  expect({ code, err, document: JSON.parse(out) as unknown }).toEqual({
    code: 0,
    err: "",
    document: DOCUMENT,
  });
});

test("The document is valid by the meta-schema of OpenAPI 3.1", async () => {
  const validator = new Validator();
  expect(await validator.validate(structuredClone(DOCUMENT))).toEqual({ valid: true });
  expect(validator.version).toBe("3.1");
});

test("The document has every route, and nothing else", () => {
  const served = ROUTES.map(({ method, path }) => `${method} ${endpointName(path)}`);
  expect(operations.map(([name]) => name).toSorted()).toEqual(served.toSorted());
});

test("Every operation has a unique name, a summary and its statuses", () => {
  const names = operations.map(([, { operationId }]) => operationId);
  expect(new Set(names).size).toBe(ROUTES.length);
  for (const [name, { operationId, summary, responses }] of operations) {
    expect([name, operationId]).toEqual([name, expect.stringMatching(/^[a-z][A-Za-z]+$/)]);
    expect(summary).not.toBe("");
    expect(Object.keys(responses)).toContain("421");
  }
});

test("Every reference leads somewhere", () => {
  const references = [...JSON.stringify(DOCUMENT).matchAll(/"\$ref":"([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(100);
  for (const [, $ref = ""] of references)
    expect([$ref, typeof resolved({ $ref })]).toEqual([$ref, "object"]);
});

test("No part of the document is unused", () => {
  const text = JSON.stringify(DOCUMENT);
  // Replies to an unknown path or method belong to no operation; the document describes them in
  // words.
  const spare = ["#/components/responses/WrongMethod"];
  const parts = Object.entries(DOCUMENT.components)
    .filter(([kind]) => kind !== "securitySchemes")
    .flatMap(([kind, named]) => Object.keys(named).map((name) => `#/components/${kind}/${name}`));
  expect(parts.filter((part) => !text.includes(`"$ref":"${part}"`))).toEqual(spare);
});

test.each(operations)("The examples of %s match their schemas", (_name, operation) => {
  const sent = Object.values<Content>(operation.requestBody?.content ?? {});
  const replies = Object.values(operation.responses).flatMap((each) =>
    Object.values(resolved<Response>(each).content),
  );
  const parameters = (operation.parameters ?? []).map((each) => resolved<Parameter>(each));
  for (const { schema, example } of sent) expect(replyErrors(schema, example)).toEqual([]);
  for (const { schema, example } of replies) expect(replyErrors(schema, example)).toEqual([]);
  for (const { schema, example } of parameters)
    if (example !== undefined) expect(inputErrors(schema, example)).toEqual([]);
});

const bodies = operations.flatMap(([name, { requestBody }]) => {
  const content = requestBody?.content["application/json"];
  return content ? [[name, content.example] as const] : [];
});

test.each(bodies)("The example body of %s can be sent", async (name, body) => {
  const [method = "", path = ""] = name.split(" ");
  const ann = await newcomer(server);
  const token = ann.session;
  await server.call("POST", "/projects", { token, body: { name: "Travel" } });
  const { id } = TASK;
  const task = { title: "t", notes: [{ id: "note", text: "n" }] };
  await server.call("POST", "/sync", { token, body: [change("sync_tasks", id, task)] });
  await fillInbox(token);
  const key = await ann.key();
  if (path.includes("/claims/"))
    await server.call("POST", "/claims", { token: key, body: { task: id } });
  const by = EXPECTED[name]?.kind === "keys" ? key : token;
  const { status } = await server.call(method, `!${filled(path, id)}`, { token: by, body });
  expect([200, 201]).toContain(status);
});

/** Gives the inbox the tab that the examples name. */
const fillInbox = async (token: string): Promise<void> => {
  const tabs = [{ url: TAB.url }];
  const { task } = (await server.call("POST", "/inbox/tabs", { token, body: tabs })).json;
  const payload = { title: task.title, status: "todo", pages: [{ id: TAB.id, url: TAB.url }] };
  const updated_at = formatInstant(server.clock.wall() + 1);
  const body = [{ ...change("sync_tasks", task.id, payload), updated_at }];
  expect((await server.call("POST", "/sync", { token, body })).json.applied).toBe(1);
};

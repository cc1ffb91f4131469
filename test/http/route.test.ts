import { expect, test } from "bun:test";
import { type Route, route } from "../../src/http/route.ts";
import { ANYONE } from "../../src/server/checks/admission.ts";
import { json } from "../../src/server/call.ts";

const handle = () => json({});

test("a route that forgets who may call it does not compile", () => {
  const open = route("GET", "/x", ANYONE, handle);
  // @ts-expect-error who may call it is missing
  const forgotten = route("GET", "/x", handle);
  const { access: _, ...rest } = open;
  // @ts-expect-error who may call it is missing
  const built: Route = rest;
  expect(open.access).toBe(ANYONE);
  expect([forgotten.access, built.access] as unknown[]).toEqual([handle, undefined]);
});

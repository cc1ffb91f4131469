import { expect, test } from "bun:test";
import { identityLabel } from "../../../src/domain/people/identity.ts";

test.each([
  [{ preferred_username: "ann", email: "ann@example.org", name: "Ann" }, "ann"],
  [{ email: "ann@example.org", name: "Ann" }, "ann@example.org"],
  [{ preferred_username: " ", name: "Ann" }, "Ann"],
  [{ preferred_username: 7, email: null, name: ["Ann"] }, "subject"],
  [{}, "subject"],
  [{ name: "A\u202Enn\n\u0000" }, "Ann"],
  [{ name: "x".repeat(300) }, "x".repeat(200)],
  [{ name: `${"x".repeat(199)}😀` }, "x".repeat(199)],
])("A person whom a provider describes as %j is called %p", (claims, label) => {
  expect(identityLabel(claims, "subject")).toBe(label);
});

test("An identity always has a label", () => {
  expect(identityLabel({}, "\u200B")).toBe("?");
});

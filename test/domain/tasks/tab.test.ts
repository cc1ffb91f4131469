import { expect, test } from "bun:test";
import { urlRefusal } from "../../../src/domain/tasks/task.ts";

test.each([
  "http://example.org",
  "https://example.org/a?b=c#d",
  "HTTPS://EXAMPLE.ORG/",
  "https://münchen.example/straße",
  "http://127.0.0.1:3625/",
  "https://[::1]/",
  "https://example.org/@ann",
  "https://example.org/?next=https://bob:pw@example.org",
])("A key may file %s", (url) => {
  expect(urlRefusal(url)).toBeNull();
});

const SCHEME = "must be a full http:// or https:// address";
const USER = "must not contain a user name or password";
const SPACES = "must not contain spaces or control characters. Percent-encode them";

test.each([
  ["javascript:alert(1)", SCHEME],
  ["JavaScript://example.org/%0Aalert(1)", SCHEME],
  ["data:text/html,<script>", SCHEME],
  ["file:///etc/passwd", SCHEME],
  ["ftp://example.org/", SCHEME],
  ["chrome://settings", SCHEME],
  ["about:blank", SCHEME],
  ["view-source:https://example.org", SCHEME],
  ["example.org", SCHEME],
  ["//example.org", SCHEME],
  ["http:example.org", SCHEME],
  ["https://", SCHEME],
  ["https://exa<mple.org", SCHEME],
  ["", SCHEME],
  ["https://ann@example.org/", USER],
  ["https://ann:pw@example.org/", USER],
  ["https://:pw@example.org/", USER],
  ["https://bank.example\\@evil.example:x@y/", null],
  ["https://exa mple.org/", SPACES],
  ["java\nscript:alert(1)", SPACES],
  ["https://example.org/\t", SPACES],
  ["\u0000https://example.org/", SPACES],
  ["https://example.org/\u00A0", SPACES],
  ["https://example.org/\u2028", SPACES],
])("A key that files %j is told why not", (url, problem) => {
  expect(urlRefusal(url)).toBe(problem);
});

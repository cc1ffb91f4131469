import { describe, expect, test } from "bun:test";
import { patternOf, readAddress } from "../../../src/extension/connect/address.ts";

describe("The address of a server, as people type it:", () => {
  const GOOD: readonly (readonly [string, string])[] = [
    ["https://docket.example.org", "https://docket.example.org"],
    ["  https://docket.example.org/  ", "https://docket.example.org"],
    ["docket.example.org", "https://docket.example.org"],
    ["http://127.0.0.1:3625/api/public/v1", "http://127.0.0.1:3625"],
    ["https://docket.example.org/account/devices", "https://docket.example.org"],
    ["127.0.0.1:3625", "http://127.0.0.1:3625"],
    ["localhost:3625", "http://localhost:3625"],
    ["nas:3625", "http://nas:3625"],
    ["nas.local", "http://nas.local"],
    ["192.168.1.20:3625", "http://192.168.1.20:3625"],
    ["172.20.0.2", "http://172.20.0.2"],
    ["172.40.0.2", "https://172.40.0.2"],
    ["[::1]:3625", "http://[::1]:3625"],
    ["docket.example.org:80", "https://docket.example.org:80"],
    ["docket.example.org.", "https://docket.example.org"],
    ["https://docket.example.org.:8443/", "https://docket.example.org:8443"],
    ["nas.", "http://nas"],
    ["https:// docket.example.org /", "https://docket.example.org"],
    ["docket.example .org", "https://docket.example.org"],
    ["nas :3625", "http://nas:3625"],
    ["http:/nas:3625", "http://nas:3625"],
    ["https//docket.example.org", "https://docket.example.org"],
    ["http:nas:3625", "http://nas:3625"],
    ["http:\\\\nas:3625", "http://nas:3625"],
    ["“https://docket.example.org”,", "https://docket.example.org"],
    ["<https://docket.example.org/tasks?x=1#y>", "https://docket.example.org"],
    ["ｈｔｔｐ：／／ｎａｓ：３６２５", "http://nas:3625"],
    ["https://docket.example.org\u200b", "https://docket.example.org"],
    ["https://docket.example.org/api/public/v1/sync", "https://docket.example.org"],
    ["bücher.example", "https://xn--bcher-kva.example"],
    ["HTTPS://Docket.Example.org:443", "https://docket.example.org"],
  ];
  for (const [typed, server] of GOOD)
    test(`${typed} is ${server}`, () => {
      expect(readAddress(typed)).toEqual({ kind: "good", server });
    });

  const BAD: readonly (readonly [string, string])[] = [
    ["", "Enter the address of your Docket server."],
    [
      "ftp://docket.example.org",
      "This is not a web address. It looks like https://docket.example.org.",
    ],
    ["my server", "Leave out the spaces. An address has none."],
    ["fe80::1", "Put the IPv6 address in brackets, such as http://[::1]:3625."],
    [".", "This is not a web address. It looks like https://docket.example.org."],
    ["https://nas:99999", "This is not a web address. It looks like https://docket.example.org."],
    ["https://", "This is not a web address. It looks like https://docket.example.org."],
    [
      "https://ann:secret@docket.example.org",
      "Leave out the user name and password. You sign in afterwards.",
    ],
    [
      "https://example.org/docket",
      "Enter the address without “/docket”. Docket is at the root of its server.",
    ],
  ];
  for (const [typed, problem] of BAD)
    test(`${typed || "nothing"} is refused`, () => {
      expect(readAddress(typed)).toEqual({ kind: "bad", problem });
    });

  test("the permission is for its host, without the port", () => {
    expect(patternOf("http://127.0.0.1:3625")).toBe("http://127.0.0.1/*");
  });
});

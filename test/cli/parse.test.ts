import { describe, expect, test } from "bun:test";
import { parseTyped } from "../../src/cli/parse.ts";
import { UsageError } from "../../src/domain/base/usage.ts";

const FLAGS = { name: true, url: true, json: false };

const parse = (typed: string) => parseTyped(typed.split(" ").filter(Boolean), FLAGS);

describe("what was typed", () => {
  test.each([
    ["nothing", "", {}, []],
    ["words", "a b", {}, ["a", "b"]],
    ["a flag with its value behind it", "--name x", { name: "x" }, []],
    ["a flag with its value in it", "--name=x", { name: "x" }, []],
    ["a value with an equals sign", "--url=http://a/?b=c", { url: "http://a/?b=c" }, []],
    ["an empty value", "--name=", { name: "" }, []],
    ["a value that begins with a dash", "--name=-x", { name: "-x" }, []],
    ["a dash as a value", "--name -", { name: "-" }, []],
    ["a flag without value between words", "a --json b", { json: true }, ["a", "b"]],
    ["a flag twice", "--name x --name y", { name: "y" }, []],
    ["a dash as a word", "-", {}, ["-"]],
    ["words behind a double dash", "a -- --json -- b", {}, ["a", "--json", "--", "b"]],
  ] as const)("%s", (_what, typed, values, words) => {
    expect(parse(typed)).toEqual({ values, words: [...words] });
  });

  test.each([
    ["an unknown flag", "--colour", "Unknown option '--colour'."],
    ["an unknown flag, whose value may be a secret", "--token=s3cret", "Unknown option '--token'."],
    ["a short flag", "-v", "Unknown option '-v'."],
    ["a name of every object", "--constructor", "Unknown option '--constructor'."],
    ["no value", "--name", "Option '--name' needs a value."],
    [
      "a flag in a value's place",
      "--name --json",
      "Option '--name' needs a value; one that begins with a dash is written --name=VALUE.",
    ],
    ["a value too much", "--json=yes", "Option '--json' takes no value."],
  ])("%s is refused", (_what, typed, message) => {
    expect(() => parse(typed)).toThrow(new UsageError(message));
  });
});

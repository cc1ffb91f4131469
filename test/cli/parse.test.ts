import { describe, expect, test } from "bun:test";
import { parseTyped } from "../../src/cli/parse.ts";
import { UsageError } from "../../src/domain/base/usage.ts";

const FLAGS = { name: true, url: true, json: false };

const parse = (typed: string) => parseTyped(typed.split(" ").filter(Boolean), FLAGS);

describe("a command line", () => {
  test.each([
    ["nothing", "", {}, []],
    ["words", "a b", {}, ["a", "b"]],
    ["a flag followed by its value", "--name x", { name: "x" }, []],
    ["a flag with its value after an equals sign", "--name=x", { name: "x" }, []],
    ["a value with an equals sign", "--url=http://a/?b=c", { url: "http://a/?b=c" }, []],
    ["an empty value", "--name=", { name: "" }, []],
    ["a value that begins with a dash", "--name=-x", { name: "-x" }, []],
    ["a dash as a value", "--name -", { name: "-" }, []],
    ["a flag without a value, between words", "a --json b", { json: true }, ["a", "b"]],
    ["a flag twice", "--name x --name y", { name: "y" }, []],
    ["a dash as a word", "-", {}, ["-"]],
    ["words after a double dash", "a -- --json -- b", {}, ["a", "--json", "--", "b"]],
  ] as const)("%s", (_what, typed, values, words) => {
    expect(parse(typed)).toEqual({ values, words: [...words] });
  });

  test.each([
    ["an unknown flag", "--colour", "Unknown option '--colour'."],
    ["an unknown flag, whose value may be a secret", "--token=s3cret", "Unknown option '--token'."],
    ["a short flag", "-v", "Unknown option '-v'."],
    ["a property that every object has", "--constructor", "Unknown option '--constructor'."],
    ["no value", "--name", "Option '--name' needs a value."],
    [
      "a flag in a value's place",
      "--name --json",
      "Option '--name' needs a value. If the value begins with a dash, write --name=VALUE.",
    ],
    ["a value that the flag does not take", "--json=yes", "Option '--json' takes no value."],
  ])("%s is refused", (_what, typed, message) => {
    expect(() => parse(typed)).toThrow(new UsageError(message));
  });
});

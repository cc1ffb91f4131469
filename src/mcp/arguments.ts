import type { TObject } from "@sinclair/typebox";
import { checkValue } from "../server/checks/schema.ts";
import { refuseUnknownFields } from "../server/checks/unknown.ts";
import { invalid } from "../domain/base/refusal.ts";
import { shortenedTo } from "../domain/base/text.ts";

/**
 * Checks a tool's arguments. Refuses an unknown name and lists the right ones, because models make up names. Then
 * refuses what does not fit the schema, as REST does (422).
 */
export const checkArguments = (
  name: string,
  input: TObject,
  args: Record<string, unknown>,
): void => {
  const known = Object.keys(input.properties);
  const unknown = Object.keys(args).find((argument) => !known.includes(argument));
  if (unknown !== undefined)
    throw invalid(`${name} has no argument "${shortenedTo(unknown, 60)}". ${listOf(known)}`);
  refuseUnknownFields(input, args);
  checkValue("arguments", input, args);
};

const listOf = (known: readonly string[]): string =>
  known.length === 0 ? "It takes no arguments." : `Its arguments are ${known.join(", ")}.`;

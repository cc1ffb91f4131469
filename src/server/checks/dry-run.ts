import { say } from "../../domain/base/message.ts";
import { invalid } from "../../domain/base/refusal.ts";

/**
 * Returns whether a request has `?dry_run=true`. Refuses any value but `true` and `false`, and `true` where dry runs
 * are not supported (422): if it were ignored, the change would be made.
 */
export const asksDryRun = ({ url }: Request, heeds: boolean): boolean => {
  const [asked = "false", ...more] = new URL(url).searchParams.getAll("dry_run");
  if (more.length > 0 || !/^(true|false)$/.test(asked))
    throw invalid(say`${{ parameter: "dry_run" }} must be true or false.`);
  if (asked === "true" && !heeds)
    throw invalid("This call does not support dry_run. Leave it out. Nothing was changed.");
  return asked === "true";
};

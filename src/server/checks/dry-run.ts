import { say } from "../../domain/base/message.ts";
import { invalid } from "../../domain/base/refusal.ts";

/**
 * Whether a request only asks what it would do (`?dry_run=true`). Refuses what would be taken for that and is not, and
 * the parameter itself where nothing `heeds` it: ignored, the request would be done.
 */
export const asksDryRun = ({ url }: Request, heeds: boolean): boolean => {
  const [asked = "false", ...more] = new URL(url).searchParams.getAll("dry_run");
  if (more.length > 0 || !/^(true|false)$/.test(asked))
    throw invalid(say`${{ parameter: "dry_run" }} must be true or false.`);
  if (asked === "true" && !heeds)
    throw invalid("This call does not support dry_run. Leave it out. Nothing was changed.");
  return asked === "true";
};

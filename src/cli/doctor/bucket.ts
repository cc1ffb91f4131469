import { isLate } from "../../domain/backups/kept.ts";
import { formatInstant, type Instant } from "../../domain/base/instant.ts";
import { openBucket, type S3Settings } from "../../server/bucket.ts";
import { type Finding, note, ok, problem } from "./finding.ts";

/** Whether the newest of the copies that were sent to a bucket is there. */
export const lookAtBucket = async (settings: S3Settings, now: Instant): Promise<Finding> => {
  const about = "bucket";
  const { address, list } = openBucket(settings);
  try {
    const [newest] = await list();
    if (newest === undefined)
      return note(
        about,
        `There is no copy at ${address} yet.`,
        "The server sends one within an hour.",
      );
    const found = `The newest copy at ${address} is of ${formatInstant(newest.at)}.`;
    const mend =
      "Read the server's log for the reason (could not be sent away), and see that it runs.";
    return isLate(newest, now) ? problem(about, found, mend) : ok(about, found);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return problem(about, why, "Correct --backups-s3, or what that service allows.");
  }
};

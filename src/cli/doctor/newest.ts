import { SECOND } from "../../domain/base/instant.ts";
import { VERSION } from "../../domain/base/release.ts";
import { keepOffProxies } from "../../server/proxies.ts";
import { type Finding, note, ok } from "./finding.ts";

/** Whether a release is newer than this one, by the digests that are published with it at an address. */
export const lookForNewer = async (address: string): Promise<Finding> => {
  const about = "version";
  const list = `${address.replace(/\/$/, "")}/SHA256SUMS`;
  const published = await newestIn(list);
  if (published === null)
    return note(
      about,
      `${list} cannot be read, so nobody knows whether there is a newer version than ${VERSION}.`,
      "Give --newest the address that install.sh fetches from.",
    );
  return Bun.semver.order(published, VERSION) > 0
    ? note(
        about,
        `Version ${published} is there. This is ${VERSION}.`,
        "Read the changelog, then install it as you installed this one: the data are copied before they are changed.",
      )
    : ok(about, `${VERSION} is the newest version at ${address}.`);
};

/** The version that the names in a list of digests have; null if it cannot be read or has none. */
const newestIn = async (list: string): Promise<string | null> => {
  try {
    keepOffProxies(new URL(list));
    const answer = await fetch(list, { signal: AbortSignal.timeout(10 * SECOND) });
    const text = answer.ok ? await answer.text() : "";
    return / docket-(\d+\.\d+\.\d+)-/.exec(text)?.[1] ?? null;
  } catch {
    return null;
  }
};

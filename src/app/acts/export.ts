import { client } from "../state/client.ts";
import { today } from "../state/today.ts";

/** Saves everything that this browser holds as a file. */
export const exportAll = async (): Promise<void> => {
  const text = await client().export();
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = Object.assign(document.createElement("a"), {
    href: url,
    download: `docket-${today.value}.json`,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};

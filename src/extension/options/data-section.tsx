import { currentClient } from "../core/open.ts";

/** A copy of all that this browser holds. */
export const DataSection = () => (
  <section>
    <h2>Your data</h2>
    <p class="soft">
      Save everything that is in this browser as a file, including changes that wait for the server.
    </p>
    <div class="buttons">
      <button type="button" class="button" onClick={() => void download()}>
        Export as JSON
      </button>
    </div>
  </section>
);

const download = async (): Promise<void> => {
  const text = await (await currentClient()).export();
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const day = new Date().toISOString().slice(0, 10);
  Object.assign(document.createElement("a"), { href: url, download: `docket-${day}.json` }).click();
  URL.revokeObjectURL(url);
};

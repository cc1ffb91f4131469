import { ROUTES } from "../../http/routes.ts";
import type { Command } from "../command.ts";

/** For whoever makes a client, without a server. */
export const openapiCommand: Command = {
  name: "openapi",
  usage: "",
  about: "print the API as an OpenAPI document, as /openapi.json gives it",
  flags: {},
  words: [0, 0],
  run: async (run) => {
    // Loaded here alone: no other command waits for it.
    const { documentText } = await import("../../http/openapi/document.ts");
    run.print(JSON.stringify(JSON.parse(documentText(ROUTES)), null, 2));
    return 0;
  },
};

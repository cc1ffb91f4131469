import { ROUTES } from "../../http/routes.ts";
import type { Command } from "../command.ts";

/** For authors of clients: it needs no server. */
export const openapiCommand: Command = {
  name: "openapi",
  usage: "",
  about: "print the API as an OpenAPI document, the same as /openapi.json",
  flags: {},
  words: [0, 0],
  run: async (run) => {
    // Loaded only here, so that no other command waits for it.
    const { documentText } = await import("../../http/openapi/document.ts");
    run.print(JSON.stringify(JSON.parse(documentText(ROUTES)), null, 2));
    return 0;
  },
};

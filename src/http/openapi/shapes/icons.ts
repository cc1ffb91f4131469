import { Type } from "@sinclair/typebox";
import { count, ref } from "./parts.ts";

/** The pictures of web sites. */
export const ICONS = {
  Icon: Type.Object(
    {
      host: Type.String(),
      png: Type.String({ contentEncoding: "base64", description: "A PNG, as base64." }),
    },
    { description: "The icon of a site." },
  ),
  Icons: Type.Object({ icons: Type.Array(ref("Icon")) }),
  IconsSaved: Type.Object({ saved: count("How many icons were kept.") }),
};

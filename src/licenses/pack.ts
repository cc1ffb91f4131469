import { pack } from "../domain/base/packing.ts";
import { noticesOf, PACKED_NOTICES } from "./notices.ts";
import { shippedPackages } from "./packages.ts";
import { sbomOf } from "./sbom.ts";

// Runs before a build.
const packages = shippedPackages();
await Bun.write(`dist/${PACKED_NOTICES}`, pack(noticesOf(packages)));
await Bun.write("dist/docket.cdx.json", `${sbomOf(packages)}\n`);

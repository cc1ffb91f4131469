import { UsageError, webAddress } from "../../domain/base/usage.ts";

/** Addresses without a slash at the end. */
export type Address = {
  /** Where `/healthz` is. */
  readonly root: string;
  /** Where the paths of the API begin. */
  readonly base: string;
};

const API = "/api/public/v1";

/** Reads a server's address, with or without `/api/public/v1`. Throws `UsageError` for anything else. */
export const readAddress = (text: string): Address => {
  const url = webAddress("URL", text);
  if (url === null || url.search !== "" || url.hash !== "" || url.username !== "")
    throw new UsageError(
      "URL must be the address of a server, such as http://127.0.0.1:3625, without ? or # and without a password.",
    );
  const whole = url.href.replace(/\/+$/, "");
  const root = whole.endsWith(API) ? whole.slice(0, -API.length) : whole;
  return { root, base: root + API };
};

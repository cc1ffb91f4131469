import { isLoopback } from "../domain/base/usage.ts";

/** Bun sends even requests to this machine through the proxy in `HTTP_PROXY`, and the API key with them. */
export const keepOffProxies = ({ hostname }: URL): void => {
  if (!isLoopback(hostname)) return;
  process.env["NO_PROXY"] = "*";
  process.env["no_proxy"] = "*";
};

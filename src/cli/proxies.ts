import { isLoopback } from "../domain/base/usage.ts";

/** Bun sends even what goes to this machine through the proxy of `HTTP_PROXY`, and a key with it. */
export const keepOffProxies = ({ hostname }: URL): void => {
  if (!isLoopback(hostname)) return;
  process.env["NO_PROXY"] = "*";
  process.env["no_proxy"] = "*";
};

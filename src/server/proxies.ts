import { isLoopback } from "../domain/base/usage.ts";

/** Bun sends even requests to this machine through the proxy in `HTTP_PROXY`, and the API key with them. */
export const keepOffProxies = ({ hostname }: URL): void => {
  if (!isLoopback(hostname)) return;
  // Bun reads `no_proxy` first.
  const kept = process.env["no_proxy"] ?? process.env["NO_PROXY"] ?? "";
  if (kept.split(",").includes(hostname)) return;
  const all = [kept, hostname].filter(Boolean).join(",");
  Object.assign(process.env, { NO_PROXY: all, no_proxy: all });
};

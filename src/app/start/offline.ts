/** Keeps the app in this browser for use without a network. Browsers allow this over https and on localhost. */
export const keepForOffline = async (): Promise<void> => {
  if (!("serviceWorker" in navigator)) return;
  const url = trusted("/tasks/worker.js");
  await navigator.serviceWorker.register(url, { scope: "/tasks" }).catch(() => null);
};

/** The page's policy lets only an address that was made here become a worker. */
const trusted = (path: string): string => {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  if (!trustedTypes) return path;
  const policy = trustedTypes.createPolicy("docket-worker", {
    createScriptURL: (url) => (url === path ? url : ""),
  });
  return policy.createScriptURL(path);
};

type TrustedTypes = {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ) => { readonly createScriptURL: (url: string) => string };
};

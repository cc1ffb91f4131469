/** In ms. The reply is small. Without an end, everything would wait for ever for a call whose connection died silently. */
const LONGEST = 30_000;

/** Asks the server for who is signed in, and for their session. Rejects without a network, or if it takes too long. */
export const askForSession = (): Promise<Response> =>
  fetch("/tasks/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
    cache: "no-store",
    // Only a proxy redirects this. What it leads to is no answer, and often cannot be read.
    redirect: "manual",
    signal: AbortSignal.timeout(LONGEST),
  });

/** Where the small script that runs first leaves its question for the app, which takes it away. */
export const asked = globalThis as { docketSession?: Promise<Response> | undefined };

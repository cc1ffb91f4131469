/** Asks the server for who is signed in, and for their session. Rejects without a network. */
export const askForSession = (): Promise<Response> =>
  fetch("/tasks/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
    cache: "no-store",
  });

/** Where the small script that runs first leaves its question for the app, which takes it away. */
export const asked = globalThis as { docketSession?: Promise<Response> | undefined };

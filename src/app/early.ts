import { asked, askForSession } from "../ui/start/ask.ts";

// Runs while the app itself is still on its way: by the time that has arrived, the server has said who is signed in.
// The first visit on a phone's network shows its tasks sooner by one round trip.

// The page is dark or light at once, as the person chose.
try {
  const { theme } = JSON.parse(localStorage.getItem("docket-settings") ?? "{}") as {
    readonly theme?: string;
  };
  if (theme !== undefined) document.documentElement.dataset["theme"] = theme;
} catch {
  // It stays as the system is.
}

asked.docketSession = askForSession();
// Without a network, the app is the one that says so.
asked.docketSession.catch(() => null);

import { expect, test } from "bun:test";
import { newTls } from "../../support/web/certificate.ts";
import { inEachBrowser, useBrowser } from "../../support/extension/browsers.ts";
import { underOtherName } from "../../support/extension/gate.ts";
import { until, useHome } from "../../support/extension/home.ts";
import { signInOn } from "../../support/extension/pairing.ts";

// What else than Docket may answer at the address that ann enters, and what the connection test says of it.

type Answer = (url: URL) => Response;

const HEALTHY = (): Response => Response.json({ status: "ok" });
const page = (text: string, status = 200): Response =>
  new Response(`<!doctype html><title>${text}</title>`, {
    status,
    headers: { "content-type": "text/html; charset=utf-8" },
  });
const BASIC = { "www-authenticate": 'Basic realm="home"' };
const leadsTo = (to: string) => (): Response =>
  new Response(null, { status: 302, headers: { location: to } });
/** Lets the healthy path pass, as a proxy does that is set up for a monitor. */
const onlyOnApi =
  (answer: Answer): Answer =>
  (url) =>
    url.pathname === "/healthz" ? HEALTHY() : answer(url);

const OWN_SIGN_IN = (at: string): string =>
  `A proxy in front of ${at} asks for a sign-in of its own, which the extension cannot answer. Let Docket's paths pass without it. What a proxy must let pass`;
const WEB_PAGE = (at: string): string =>
  `A web page answers at ${at} instead of Docket: the sign-in of a proxy or of a guest network, or another program. Open ${at} in a tab to see it. What a proxy must let pass`;
const TO_A_PAGE =
  (to: string) =>
  (at: string): string =>
    `${at} leads to ${to.startsWith("/") ? at : ""}${to}, as a proxy or a guest network does until you sign in there. Open ${at} in a tab to see it. What a proxy must let pass`;
const MOVED =
  (to: string) =>
  (at: string): string =>
    `${at} leads to ${to}. If that is your server, enter it as the address.`;
const NOT_DOCKET = (at: string): string =>
  `Something answers at ${at}, but it is not Docket. Check the address and the port.`;

const ANSWERS: readonly (readonly [what: string, answer: Answer, says: (at: string) => string])[] =
  [
    [
      "a proxy that asks for a password",
      () => new Response("no", { status: 401, headers: BASIC }),
      OWN_SIGN_IN,
    ],
    [
      "a proxy that asks for a password on a page",
      () =>
        new Response("<h1>401</h1>", {
          status: 401,
          headers: { ...BASIC, "content-type": "text/html" },
        }),
      OWN_SIGN_IN,
    ],
    [
      "a proxy that asks for a password for the API alone",
      onlyOnApi(() => new Response("no", { status: 401, headers: BASIC })),
      OWN_SIGN_IN,
    ],
    ["a proxy that refuses strangers", () => page("Forbidden", 403), OWN_SIGN_IN],
    [
      "a proxy that leads to its sign-in elsewhere",
      leadsTo("https://auth.example/login?rd=x"),
      TO_A_PAGE("https://auth.example/login"),
    ],
    [
      "a proxy that leads to its sign-in at the same address",
      leadsTo("/oauth2/sign_in?rd=x"),
      TO_A_PAGE("/oauth2/sign_in"),
    ],
    [
      "a proxy that leads to its sign-in for the API alone",
      onlyOnApi(leadsTo("https://auth.example/login")),
      TO_A_PAGE("https://auth.example/login"),
    ],
    ["a guest network with its page in place of every answer", () => page("Welcome"), WEB_PAGE],
    [
      "a proxy with its page in place of the API's answers",
      onlyOnApi(() => page("Sign in")),
      WEB_PAGE,
    ],
    [
      "a server that is at https by now",
      ({ pathname }) => leadsTo(`https://docket.example${pathname}`)(),
      MOVED("https://docket.example"),
    ],
    [
      "a server that leads to its first page elsewhere",
      leadsTo("https://docket.example/"),
      MOVED("https://docket.example"),
    ],
    ["a program that knows no such path", () => page("Not found", 404), NOT_DOCKET],
    [
      "a program that is healthy, and is not Docket",
      onlyOnApi(() => Response.json({})),
      NOT_DOCKET,
    ],
    [
      "a program that answers the same at every path",
      () => Response.json({ status: "ok" }),
      NOT_DOCKET,
    ],
    [
      "a proxy behind which nothing runs",
      () => page("Bad gateway", 502),
      (at) =>
        `Something answers at ${at}, but with an error (502). If it is a proxy, check that Docket is running behind it.`,
    ],
    [
      "a server for https that is asked over http, and says so",
      () => new Response("Client sent an HTTP request to an HTTPS server.\n", { status: 400 }),
      (at) => `Something answers at ${at}, but not over http. Enter the address with https://.`,
    ],
  ];

inEachBrowser("the extension's connection test says what answers:", (start) => {
  const home = useHome();
  const browser = useBrowser(start);

  const says = async (address: string): Promise<string> => {
    const { page: options } = browser;
    await options.bringToFront();
    await options.$eval("#address", (field) => ((field as HTMLInputElement).value = ""));
    await options.type("#address", address);
    await options.click("form.connect button[type=button]");
    return until(
      () => options.$eval(".outcome", (line) => line.textContent ?? ""),
      (said) => said.includes(address),
    );
  };

  test("nothing", async () => {
    const closed = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: HEALTHY });
    const { origin } = closed.url;
    await closed.stop(true);
    expect(await says(origin)).toBe(
      `Nothing answers at ${origin}. Check the address, that the server is running, and that this computer can reach it.`,
    );
  });

  test("Docket", async () => {
    expect(await says(home.url)).toBe(`Docket answers at ${home.url}.`);
  });

  test("Docket, under another name", async () => {
    const other = underOtherName(home.url);
    const { origin } = other.url;
    expect(await says(origin)).toBe(
      `Docket runs at ${origin}, but does not answer to that name. Use the server's IP address, or add the name to DOCKET_ALLOWED_HOSTS on the server.`,
    );
    await other.stop(true);
  });

  test("a server whose certificate is not trusted", async () => {
    const secret = Bun.serve({ hostname: "127.0.0.1", port: 0, tls: newTls(), fetch: HEALTHY });
    const { origin } = secret.url;
    expect(await says(origin)).toBe(
      `Your browser does not trust the certificate of ${origin}. Open the address in a tab to see why.`,
    );
    await secret.stop(true);
  });

  for (const [what, answer, wanted] of ANSWERS)
    test(what, async () => {
      const server = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch: ({ url }) => answer(new URL(url)),
      });
      const { origin } = server.url;
      expect(await says(origin)).toBe(wanted(origin));
      await server.stop(true);
    });

  test("a proxy that lets the API pass, and asks for a password when she signs in", async () => {
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ url }) => {
        if (url.endsWith("/healthz")) return HEALTHY();
        if (url.endsWith("/me")) return Response.json({ error: "Sign in." }, { status: 401 });
        return new Response("no", { status: 401, headers: BASIC });
      },
    });
    const { origin } = server.url;
    expect(await says(origin)).toBe(`Docket answers at ${origin}.`);
    const { page: options } = browser;
    await options.$eval("details", (one) => (one.open = true));
    await options.type("#code", "ABCD-EFGH");
    await options.keyboard.press("Enter");
    await until(
      () => options.$eval(".outcome", (line) => line.textContent),
      (said) =>
        said ===
        `A proxy in front of ${origin} asks for a sign-in of its own. Let Docket's paths pass without it, /oauth/ among them.`,
    );
    await server.stop(true);
  });

  test("a server for http that is asked over https", async () => {
    const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: HEALTHY });
    const address = server.url.origin.replace("http:", "https:");
    expect(await says(address)).toBe(
      `Something answers at ${address}, but not over https. Enter the address with http://, or set up https on the server.`,
    );
    await server.stop(true);
  });

  test("a server for https that is asked over http, and hangs up", async () => {
    const server = Bun.serve({ hostname: "127.0.0.1", port: 0, tls: newTls(), fetch: HEALTHY });
    const address = server.url.origin.replace("https:", "http:");
    expect(await says(address)).toBe(
      `Something answers at ${address}, but not over http. Enter the address with https://.`,
    );
    await server.stop(true);
  });

  test("Docket, where she signs in on the server's own pages in a window", async () => {
    const { page: options } = browser;
    await options.$eval("#address", (field) => ((field as HTMLInputElement).value = ""));
    await options.type("#address", home.url);
    await options.click("form.connect .main");
    const asked = await until(
      async () =>
        (await options.browser().pages()).find((one) => one.url().startsWith(`${home.url}/`)),
      (one) => one !== undefined,
    );
    if (asked === undefined) throw new Error("No window opened.");
    await signInOn(asked);
    await asked.waitForSelector("[name=decision][value=allow]");
    await asked.click("[name=decision][value=allow]");
    await options.waitForFunction(
      () =>
        document.querySelector(".outcome")?.textContent === "You are signed in as ann@example.org.",
    );
    const isFirefox = (await options.browser().version()).toLowerCase().includes("firefox");
    expect(await home.docket(["session", "list"])).toContain(
      `${isFirefox ? "Firefox" : "Chrome"} on Linux, extension`,
    );
  });
});

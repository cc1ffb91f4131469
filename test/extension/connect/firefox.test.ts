import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { inFirefox } from "../../support/browser/firefox.ts";
import { testDirectory } from "../../support/server.ts";
import { newCertificate } from "../../support/web/certificate.ts";
import { unpack } from "../../support/extension/chrome.ts";
import { type Firefox, startFirefox } from "../../support/extension/firefox.ts";
import { underOtherName } from "../../support/extension/gate.ts";
import { type Home, startHome, until } from "../../support/extension/home.ts";
import { signInOn } from "../../support/extension/pairing.ts";

inFirefox("In Firefox, the extension's options say of an address", () => {
  let firefox: Firefox;
  let options: Page;
  let home: Home;
  afterAll(async () => {
    await firefox.browser.close();
    await home.end();
  });
  const [data, folder] = [testDirectory(), testDirectory()];

  beforeAll(async () => {
    home = await startHome(data);
    unpack(folder, "firefox");
    firefox = await startFirefox(folder);
    options = await firefox.open("options.html", "#address");
  });

  const says = async (address: string): Promise<string> => {
    await options.bringToFront();
    await options.$eval("#address", (field) => ((field as HTMLInputElement).value = ""));
    await options.type("#address", address);
    await options.click("form.connect button[type=button]");
    return until(
      () => options.$eval(".outcome", (line) => line.textContent ?? ""),
      (said) => said.includes(address),
    );
  };

  test("that nothing answers", async () => {
    const closed = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
    const { origin } = closed.url;
    await closed.stop(true);
    expect(await says(origin)).toBe(
      `Nothing answers at ${origin}. Check the address, that the server is running, and that this computer can reach it.`,
    );
  });

  test("that something else answers", async () => {
    const other = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => Response.json({ status: "ok" }),
    });
    const { origin } = other.url;
    expect(await says(origin)).toBe(
      `Something answers at ${origin}, but it is not Docket. Check the address and the port.`,
    );
    await other.stop(true);
  });

  test("that Docket is there, under another name", async () => {
    const other = underOtherName(home.url);
    const { origin } = other.url;
    expect(await says(origin)).toBe(
      `Docket runs at ${origin}, but does not answer to that name. Use the server's IP address, or add the name to DOCKET_ALLOWED_HOSTS on the server.`,
    );
    await other.stop(true);
  });

  test("that its certificate is not trusted", async () => {
    const { key, der } = newCertificate();
    const secret = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      tls: {
        key: key.export({ type: "pkcs8", format: "pem" }).toString(),
        cert: `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString("base64")}\n-----END CERTIFICATE-----\n`,
      },
      fetch: () => Response.json({ status: "ok" }),
    });
    const { origin } = secret.url;
    expect(await says(origin)).toBe(
      `Your browser does not trust the certificate of ${origin}. Open the address in a tab to see why.`,
    );
    await secret.stop(true);
  });

  test("that she can sign in there, on the server's own pages in a window", async () => {
    await options.$eval("#address", (field) => ((field as HTMLInputElement).value = ""));
    await options.type("#address", home.url);
    await options.click("form.connect .main");
    const asked = await until(
      async () =>
        (await firefox.browser.pages()).find((page) => page.url().startsWith(`${home.url}/`)),
      (page) => page !== undefined,
    );
    if (asked === undefined) throw new Error("No window opened.");
    await signInOn(asked);
    await asked.waitForSelector("[name=decision][value=allow]");
    await asked.click("[name=decision][value=allow]");
    await options.waitForFunction(
      "document.querySelector('.outcome').textContent === 'You are signed in as ann@example.org.'",
    );
    expect(await home.docket(["session", "list"])).toContain("Firefox on Linux, extension");
  });
});

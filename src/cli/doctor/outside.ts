import { VERSION } from "../../domain/base/release.ts";
import { formatInstant, type Instant, SECOND } from "../../domain/base/instant.ts";
import { expiresSoon } from "../../server/certificate.ts";
import { keepOffProxies } from "../../server/proxies.ts";
import { type Finding, note, ok, problem } from "./finding.ts";

const API = "/api/public/v1";

/** When it is, and a device's token for these looks alone; null if nobody has an account yet. */
export type Visit = { readonly now: Instant; readonly token: string | null };

/** Everything that an extension needs, asked as it asks. The long poll takes 25 s. */
export const lookFromOutside = async (
  visit: Visit,
  { origin }: URL,
): Promise<readonly Finding[]> => {
  keepOffProxies(new URL(origin));
  const reached = await reach(origin);
  const certificate = origin.startsWith("https:") ? await servedCertificate(visit, origin) : [];
  if (reached.state === "problem") return [reached, ...certificate];
  return [
    reached,
    ...certificate,
    await crossOrigin(origin),
    ...(visit.token === null ? [] : await longPoll(origin, visit.token)),
  ];
};

const reach = async (origin: string): Promise<Finding> => {
  const about = "address";
  try {
    const answer = await fetch(`${origin}/healthz`, {
      redirect: "manual",
      signal: AbortSignal.timeout(10 * SECOND),
    });
    const text = await answer.text();
    if (answer.status === 200 && text.includes('"status":"ok"'))
      return ok(about, `The server answers at ${origin}.`);
    return problem(
      about,
      `${origin}/healthz answered ${answer.status}, but not as a Docket server does.`,
      `See that the proxy passes all paths on, unchanged, and the header Host. The server has version ${VERSION}.`,
    );
  } catch (error) {
    return problem(about, `${origin} does not answer: ${whyUnreachable(error)}`, mendFor(error));
  }
};

const codeOf = (error: unknown): string =>
  error instanceof Error ? String((error as { readonly code?: unknown }).code ?? error.name) : "";

const IS_CERTIFICATE = /CERT|SIGNATURE|TLS|SSL/;

const whyUnreachable = (error: unknown): string => {
  const code = codeOf(error);
  if (code === "CERT_HAS_EXPIRED") return "its certificate has expired.";
  if (IS_CERTIFICATE.test(code)) return `its certificate is not accepted (${code}).`;
  if (code === "TimeoutError") return "there was no answer within 10 s.";
  return `no connection could be made (${code}).`;
};

const mendFor = (error: unknown): string =>
  IS_CERTIFICATE.test(codeOf(error))
    ? "Renew the certificate for this name, from an authority that browsers know."
    : "See that the name leads to this machine, that the proxy runs, and that a firewall lets port 443 through. From inside, some routers do not lead back.";

const servedCertificate = async ({ now }: Visit, origin: string): Promise<readonly Finding[]> => {
  const { connect } = process.getBuiltinModule("node:tls");
  const { hostname, port } = new URL(origin);
  const expires = await new Promise<number>((resolve) => {
    const options = { host: hostname, port: Number(port) || 443, servername: hostname };
    const socket = connect({ ...options, rejectUnauthorized: false }, () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to));
      socket.end();
    });
    socket.setTimeout(10 * SECOND, () => socket.destroy());
    socket.on("error", () => resolve(Number.NaN));
    socket.on("close", () => resolve(Number.NaN));
  });
  return Number.isNaN(expires) ? [] : [expiryOf("certificate", expires, now)];
};

/** Whether a certificate is still valid, and for long enough. */
export const expiryOf = (about: string, expires: Instant, now: Instant): Finding => {
  const until = `The certificate is valid until ${formatInstant(expires)}.`;
  const mend = "Renew it. A server that serves it itself takes up the new one without a restart.";
  if (expires <= now) return problem(about, until, mend);
  return expiresSoon(expires, now) ? note(about, until, mend) : ok(about, until);
};

/** A browser asks first whether a page of another origin may call. A proxy must pass that on, and the reply's headers. */
const crossOrigin = async (origin: string): Promise<Finding> => {
  const about = "extension";
  const headers = {
    origin: "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization, content-type",
  };
  const mend =
    "See that the proxy passes OPTIONS on, and neither adds nor removes Access-Control headers.";
  try {
    const asked = await fetch(`${origin}${API}/sync`, {
      method: "OPTIONS",
      headers,
      signal: AbortSignal.timeout(10 * SECOND),
    });
    const allowed = asked.headers.get("access-control-allow-headers") ?? "";
    const plain = await fetch(`${origin}${API}/sync`, {
      headers: { origin: headers.origin },
      signal: AbortSignal.timeout(10 * SECOND),
    });
    const isAllowed =
      asked.ok &&
      /authorization/i.test(allowed) &&
      [asked, plain].every((one) => one.headers.get("access-control-allow-origin") === "*");
    if (isAllowed && plain.status === 401)
      return ok(about, "Browser extensions may call the server.");
    return problem(
      about,
      `A browser would not let an extension call ${origin}: OPTIONS was answered with ${asked.status}, and GET without a token with ${plain.status}.`,
      mend,
    );
  } catch (error) {
    return problem(about, `A call as an extension makes it failed: ${whyUnreachable(error)}`, mend);
  }
};

const WAIT = 25;

/** Waits for news as a device does, and looks whether anything on the way ends that early. */
const longPoll = async (origin: string, token: string): Promise<readonly Finding[]> => {
  const about = "long polls";
  const headers = { authorization: `Bearer ${token}` };
  const begun = performance.now();
  const seconds = (): number => Math.round((performance.now() - begun) / SECOND);
  const mend =
    "Let the proxy wait for an answer for 60 s (nginx: proxy_read_timeout 60s), and not keep replies back.";
  try {
    const first = await fetch(`${origin}${API}/tasks?limit=1`, {
      headers,
      signal: AbortSignal.timeout(30 * SECOND),
    });
    if (first.status === 401)
      return [
        problem(
          "address",
          `Another server than this one answers at ${origin}: it does not know this server's devices.`,
          "See to which port the proxy passes requests on.",
        ),
      ];
    const { server_time: since } = (await first.json()) as { readonly server_time: string };
    const query = new URLSearchParams({ since, wait: String(WAIT) });
    const answer = await fetch(`${origin}${API}/sync?${query}`, {
      headers,
      signal: AbortSignal.timeout(60 * SECOND),
    });
    await answer.text();
    if (answer.status === 200)
      return [ok(about, `A call that waits for news may wait for ${WAIT} s.`)];
    return [
      problem(
        about,
        `A call that waits for news got status ${answer.status} after ${seconds()} s.`,
        mend,
      ),
    ];
  } catch {
    return [problem(about, `A call that waits for news was ended after ${seconds()} s.`, mend)];
  }
};

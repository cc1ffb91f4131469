import { browser } from "./browser.ts";
import { challengeOf, randomText } from "./pkce.ts";
import { call, post } from "./server.ts";
import { type Account, change, read } from "./store.ts";

const CLIENT = { client_id: "docket-extension" };

/** Signs in through the server's own pages, in a window that the browser opens. */
export const signIn = async (server: string): Promise<void> => {
  const redirect_uri = browser.identity.getRedirectURL("signed-in");
  const [state, code_verifier] = [randomText(), randomText()];
  const question = new URLSearchParams({
    ...CLIENT,
    response_type: "code",
    redirect_uri,
    state,
    code_challenge: await challengeOf(code_verifier),
    code_challenge_method: "S256",
    device_name: await deviceName(),
  });
  const url = `${server}/oauth/authorize?${question}`;
  const answer = await browser.identity.launchWebAuthFlow({ url, interactive: true });
  const code = codeIn(new URL(answer).searchParams, server, state);
  await keepToken(server, { grant_type: "authorization_code", code, redirect_uri, code_verifier });
};

/** Signs in with a pairing code from the account pages, for browsers that cannot open such a window. */
export const pair = async (server: string, code: string): Promise<void> =>
  keepToken(server, { grant_type: "urn:docket:pairing", code, device_name: await deviceName() });

/** Ends the session on the server too. The data on this device stays, and syncs after the next sign-in. */
export const signOut = async (): Promise<void> => {
  const { account } = await read();
  if (account?.session == null) return;
  await post(`${account.server}/oauth/revoke`, { ...CLIENT, token: account.session });
  await change(() => ({ account: { ...account, session: null } }));
};

const deviceName = async (): Promise<string> =>
  `Browser on ${(await browser.runtime.getPlatformInfo()).os}`;

/** Checks that the answer belongs to our request (`state`) and comes from the server we asked (`iss`, RFC 9207). */
const codeIn = (answer: URLSearchParams, server: string, state: string): string => {
  if (answer.get("state") !== state) throw new Error("This is no answer to our question.");
  if (answer.get("iss") !== server)
    throw new Error(`This server is ${answer.get("iss")}: enter that as its base address.`);
  const code = answer.get("code");
  if (code === null) throw new Error(answer.get("error_description") ?? "You said no.");
  return code;
};

type Token = { readonly access_token: string };
type Me = Pick<Account, "email" | "id">;

const keepToken = async (
  server: string,
  grant: Readonly<Record<string, string>>,
): Promise<void> => {
  const token = await post<Token>(`${server}/oauth/token`, { ...CLIENT, ...grant });
  const session = token.access_token;
  const { id, email } = await call<Me>({ server, session }, "/me");
  const { account } = await read();
  // Otherwise the tasks stored here would be pushed into somebody else's account.
  if (account && account.id !== id) {
    await post(`${server}/oauth/revoke`, { ...CLIENT, token: session });
    throw new Error(`This browser holds the tasks of ${account.email}: sign in as them.`);
  }
  await change(() => ({ account: { id, email, server, session }, report: "" }));
};

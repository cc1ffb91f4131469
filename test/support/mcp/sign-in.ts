import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthTokens,
} from "@modelcontextprotocol/client";
import type { Seen, Visitor } from "../web/visitor.ts";
import { PASSWORD } from "../web/visitor.ts";
import { hiddenIn } from "../web/past.ts";

/** What a person decides on the page that asks whether a program may have a key. */
export type Decision = Readonly<Record<string, string>>;

export const ALLOW: Decision = {
  decision: "allow",
  password: PASSWORD,
  name: "helper",
  read: "yes",
  write: "yes",
  where: "account",
  expires: "90d",
};

/** Opens the page of a request, and sends its form with what the person decides. */
export const decideOn = async (
  person: Visitor,
  address: URL,
  decision: Decision = ALLOW,
): Promise<Seen> => {
  const page = await person.get(address.pathname + address.search);
  return person.post("/oauth/authorize", { ...hiddenIn(page, "/oauth/authorize"), ...decision });
};

/** A program of the official client that has nothing yet, and whose person decides in a browser. */
export const programOf = (
  person: Visitor,
  decision: Decision = ALLOW,
  redirectUrl = "http://localhost:4711/callback",
) => {
  const kept: {
    client?: never;
    tokens?: OAuthTokens;
    verifier: string;
    asked: URL | null;
    answer: URLSearchParams;
  } = { verifier: "", asked: null, answer: new URLSearchParams() };
  const clientMetadata: OAuthClientMetadata = {
    client_name: "Helper Code",
    redirect_uris: [redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata,
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client as never),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
    redirectToAuthorization: async (address) => {
      kept.asked = address;
      const seen = await decideOn(person, address, decision);
      kept.answer = new URL(
        seen.location ?? "http://nowhere.invalid",
        "http://here.invalid",
      ).searchParams;
    },
  };
  return { provider, kept };
};

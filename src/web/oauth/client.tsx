import { hasRoomForKey } from "../../db/people/api-keys.ts";
import { issueClientCode } from "../../db/people/client-codes.ts";
import { nameFolders } from "../../db/records/folders.ts";
import { issuerOf } from "../../server/checks/request.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import { isPro } from "../../domain/people/account.ts";
import { MAX_LIVE_KEYS } from "../../domain/people/api-key.ts";
import {
  clientParameters,
  type ClientRequest,
  hostOfRedirect,
  readClientRequest,
} from "../../domain/people/oauth-client.ts";
import type { NamedFolder } from "../../domain/tasks/folder.ts";
import { proveNow } from "../entry/proof.ts";
import { hasProvedFor } from "../entry/signed-in-for.ts";
import { LifetimeChoice, NotPro, ScopeBoxes } from "../keys/form.tsx";
import {
  NEW_KEY,
  problemsOf,
  type TypedKey,
  typedKey,
  wishOf,
  WhereChoice,
} from "../keys/typed.tsx";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { noteChange, type PageContext, type SignedInContext } from "../shared/page.ts";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { CodeField, Field, PasswordField } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { Decision } from "./decision.tsx";
import { Shown } from "../ui/parts.tsx";
import { sendBack, sendDenial } from "./answer.ts";

/** `GET /oauth/authorize` of a program that registered itself: asks the person what it may do. */
export const getClientAuthorize = (context: PageContext): Promise<PageReply> | PageReply =>
  withRequest(context, context.query, async (own, request) => {
    const { scopes, client } = request;
    const typed = {
      ...NEW_KEY,
      name: client.name,
      read: scopes.includes("read"),
      write: scopes.includes("write"),
    };
    return consentReply({
      own,
      request,
      typed,
      problems: NO_PROBLEMS,
      folders: await foldersOf(own),
    });
  });

/** `POST /oauth/authorize` of such a program: what the person decided. Everything that the form repeats is checked again. */
export const postClientAuthorize = (context: PageContext): Promise<PageReply> | PageReply =>
  withRequest(context, new URLSearchParams([...context.form]), async (own, request) => {
    if (field(own.form, "decision") === "deny") return sendDenial(own, request);
    const typed = typedKey(own.form);
    const folders = await foldersOf(own);
    const problems = await problemsWith(own, request, typed, folders);
    if (!isEmpty(problems)) return consentReply({ own, request, typed, problems, folders });
    return admit(own, request, typed);
  });

const foldersOf = ({ store, who }: SignedInContext): Promise<readonly NamedFolder[]> =>
  nameFolders(store, who.account.id);

const withRequest = async (
  context: PageContext,
  sent: URLSearchParams,
  goOn: (own: SignedInContext, request: ClientRequest) => Promise<PageReply>,
): Promise<PageReply> => {
  const issuer = issuerOf(context.origin, context.service.settings);
  const read = readClientRequest(sent, `${issuer}/mcp`);
  if (read.kind === "unusable") throw new Refusal("malformed", read.problem);
  if (read.kind === "wrong") return sendBack(context, read, read.error);
  const { request } = read;
  if (context.who) return goOn({ ...context, who: context.who }, request);
  const query = new URLSearchParams(clientParameters(request));
  return seeOther(`/sign-in?next=${encodeURIComponent(`/oauth/authorize?${query}`)}`);
};

const problemsWith = async (
  own: SignedInContext,
  request: ClientRequest,
  typed: TypedKey,
  folders: readonly NamedFolder[],
): Promise<Problems> => {
  if (field(own.form, "decision") !== "allow") return { "": "Choose Allow or Cancel." };
  if (!isPro(own.who.account, own.now)) return { "": "API keys need the Pro plan." };
  const wrong = problemsOf(typed, folders);
  if (!isEmpty(wrong)) return wrong;
  if (!(await hasRoomForKey(own.store.reader, own.who.account.id, own.now)))
    return { "": `Your account already has ${MAX_LIVE_KEYS} active keys. Revoke one first.` };
  return hasProvedFor(own, request) ? NO_PROBLEMS : proveNow(own);
};

const admit = async (
  own: SignedInContext,
  request: ClientRequest,
  typed: TypedKey,
): Promise<PageReply> => {
  const { clientId, client, redirectUri, challenge } = request;
  const { account, browserSession } = own.who;
  const key = { ...wishOf(typed, own.now), client: `${client.name}, ${placeOf(redirectUri)}` };
  const code = await issueClientCode(
    own.store,
    account.id,
    browserSession.id,
    { clientId, redirectUri, challenge, key },
    cryptoRandom,
    own.now,
  );
  noteChange(own, "a program was allowed to get an API key");
  return sendBack(own, request, { code });
};

/** Where the program runs, as far as its address says. */
const placeOf = (redirectUri: string): string =>
  hostOfRedirect(redirectUri) ?? "a program on this computer";

type Consent = {
  readonly own: SignedInContext;
  readonly request: ClientRequest;
  readonly typed: TypedKey;
  readonly problems: Problems;
  readonly folders: readonly NamedFolder[];
};

const consentReply = (consent: Consent): PageReply => {
  const { protocol, origin } = new URL(consent.request.redirectUri);
  const formAction = protocol.startsWith("http") ? origin : protocol;
  return html(<ConsentPage {...consent} />, { formAction });
};

const ConsentPage = ({ own, request, typed, problems, folders }: Consent) => {
  const { account } = own.who;
  return (
    <Layout title="Let a program in">
      <p>
        A program that calls itself “<Shown text={request.client.name} />” asks for an API key for
        the account of <strong>{account.email}</strong>. Your browser then returns to{" "}
        {hostOfRedirect(request.redirectUri) === null ? (
          <>a program on this computer</>
        ) : (
          <code>{hostOfRedirect(request.redirectUri)}</code>
        )}
        .
      </p>
      <p class="notice">
        Anyone can give a program any name. Continue only if you started this yourself. It can never
        delete anything, and you can undo what it does and revoke its key under API keys.
      </p>
      {isPro(account, own.now) ? (
        <Decision parameters={clientParameters(request)} problems={problems}>
          <Field
            name="name"
            label="Name of the key"
            hint="Everything that the program creates is marked with this name."
            problems={problems}
            input={{ value: typed.name, autocomplete: "off" }}
          />
          <ScopeBoxes typed={typed} problem={problems["scopes"]} />
          <WhereChoice typed={typed} problems={problems} folders={folders} />
          <LifetimeChoice typed={typed} problem={problems["expires"]} />
          {!hasProvedFor(own, request) && (
            <>
              <PasswordField label="Confirm with your password" problems={problems} />
              {own.who.needsCode && <CodeField problems={problems} />}
            </>
          )}
        </Decision>
      ) : (
        <NotPro />
      )}
    </Layout>
  );
};

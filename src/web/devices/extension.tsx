import { lazy } from "../../domain/base/lazy.ts";
import { packageFor, packageName } from "../../extension/packages/build.ts";
import type { Target } from "../../extension/packages/manifest.ts";
import { readFiles } from "../../extension/packages/packed.ts";
import type { SignedInContext } from "../shared/page.ts";
import type { PageReply } from "../shared/reply.tsx";
import { serverAddress } from "./table.tsx";

/** Where a browser gets the extension. */
export const packagePath = (target: Target): string => `/account/devices/${packageName(target)}`;

/** `GET /account/devices/docket-extension-….zip`: the extension of this server's own version. */
export const getPackage = (target: Target) => async (): Promise<PageReply> => ({
  status: 200,
  body: await readPackage[target](),
  headers: {
    "content-type": "application/zip",
    "content-disposition": `attachment; filename="${packageName(target)}"`,
    "cache-control": "no-cache",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
  },
  cookies: [],
});

const making = (target: Target) => lazy(async () => packageFor(target, await readFiles()));

const readPackage: Readonly<Record<Target, () => Promise<Uint8Array<ArrayBuffer>>>> = {
  chrome: making("chrome"),
  firefox: making("firefox"),
};

/** How to load the extension into the browser that asks, and where the other browsers' is. */
export const GetExtension = ({ context }: { readonly context: SignedInContext }) => {
  const isFirefox = /\bFirefox\//.test(context.client ?? "");
  return (
    <section>
      <h2>Get the extension</h2>
      {isFirefox ? <InFirefox context={context} /> : <InChrome context={context} />}
      <p class="quiet-text">
        {isFirefox ? (
          <>
            For Chrome, Edge, Brave and others:{" "}
            <a href={packagePath("chrome")}>{packageName("chrome")}</a>
          </>
        ) : (
          <>
            For Firefox: <a href={packagePath("firefox")}>{packageName("firefox")}</a>. Open this
            page in Firefox for the steps.
          </>
        )}
      </p>
    </section>
  );
};

const InChrome = ({ context }: { readonly context: SignedInContext }) => (
  <>
    <ol>
      <li>
        Download <a href={packagePath("chrome")}>{packageName("chrome")}</a>
      </li>
      <li>
        Open <code>chrome://extensions</code> and turn on Developer mode.
      </li>
      <li>
        Drag the file onto that page. Or unpack it into a folder that will stay where it is, press
        Load unpacked, and choose the folder.
      </li>
      <SignIn context={context} />
    </ol>
  </>
);

const InFirefox = ({ context }: { readonly context: SignedInContext }) => (
  <>
    <p>
      Firefox keeps only extensions that Mozilla has signed. This one is not signed, so Firefox
      removes it when you close the browser:
    </p>
    <ol>
      <li>
        Save <a href={packagePath("firefox")}>{packageName("firefox")}</a> (do not unpack it)
      </li>
      <li>
        Open <code>about:debugging#/runtime/this-firefox</code>
      </li>
      <li>Press Load Temporary Add-on, and choose the file.</li>
      <SignIn context={context} />
    </ol>
  </>
);

const SignIn = ({ context }: { readonly context: SignedInContext }) => (
  <li>
    Docket opens a page of its own. Enter <code>{serverAddress(context)}</code> there, if it has not
    found that itself, and sign in.
  </li>
);

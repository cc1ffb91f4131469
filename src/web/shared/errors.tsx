import { messageOf, statusOf } from "../../server/refusals.ts";
import type { Refusal } from "../../domain/base/refusal.ts";
import { Layout } from "../ui/layout.tsx";

const TITLES: Readonly<Record<number, string>> = {
  403: "Not allowed",
  404: "Nothing here",
  429: "Too many tries",
  500: "Something went wrong",
  503: "Not now",
  507: "The disk is full",
};

/** A page for a refusal that no form shows, or (null) for a bug. */
export const ErrorPage = ({
  refusal,
  requestId,
}: {
  readonly refusal: Refusal | null;
  readonly requestId: string;
}) => (
  <Layout title={TITLES[statusOf(refusal)] ?? "This did not work"}>
    <p>{messageOf(refusal)}</p>
    {refusal ? null : (
      <p>
        The server's log tells more: look there for <code>{requestId}</code>.
      </p>
    )}
    <p>
      <a href="/account">To the account area</a>
    </p>
  </Layout>
);

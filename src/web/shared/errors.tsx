import { messageOf, statusOf } from "../../server/refusals.ts";
import type { Refusal } from "../../domain/base/refusal.ts";
import { Layout } from "../ui/layout.tsx";

const TITLES: Readonly<Record<number, string>> = {
  403: "Not allowed",
  404: "Not found",
  429: "Too many attempts",
  500: "Something went wrong",
  503: "Temporarily unavailable",
  507: "The disk is full",
};

/** The page for a refusal that no form can show, or for a bug (null). */
export const ErrorPage = ({
  refusal,
  requestId,
}: {
  readonly refusal: Refusal | null;
  readonly requestId: string;
}) => (
  <Layout title={TITLES[statusOf(refusal)] ?? "That did not work"}>
    <p>{messageOf(refusal)}</p>
    {refusal ? null : (
      <p>
        The server's log has the details. Look for <code>{requestId}</code>.
      </p>
    )}
    <p>
      <a href="/account">Go to your account</a>
    </p>
  </Layout>
);

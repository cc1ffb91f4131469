import type { Failure } from "../../server/refusals.ts";
import { Layout } from "../ui/layout.tsx";

const TITLES: Readonly<Record<number, string>> = {
  403: "Not allowed",
  404: "Nothing here",
  429: "Too many tries",
  500: "Something went wrong",
  503: "Not now",
  507: "The disk is full",
};

/** A page for a refusal that no form shows, or for a bug. */
export const ErrorPage = ({
  failure,
  requestId,
}: {
  readonly failure: Failure;
  readonly requestId: string;
}) => (
  <Layout title={TITLES[failure.status] ?? "This did not work"}>
    <p>{failure.message}</p>
    {failure.isBug && (
      <p>
        The server's log tells more: look there for <code>{requestId}</code>.
      </p>
    )}
    <p>
      <a href="/account">To the account area</a>
    </p>
  </Layout>
);

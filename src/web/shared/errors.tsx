import type { Failure } from "../../server/respond.ts";
import { Layout } from "../ui/layout.tsx";

const TITLES: Readonly<Record<number, string>> = {
  403: "Not allowed",
  404: "Not found",
  429: "Too many attempts",
  500: "Something went wrong",
  503: "Temporarily unavailable",
  507: "No space left",
};

/** The page for a refusal that no form can show, or for a bug. */
export const ErrorPage = ({
  failure,
  requestId,
}: {
  readonly failure: Failure;
  readonly requestId: string;
}) => (
  <Layout title={TITLES[failure.status] ?? "That did not work"}>
    <p>{failure.message}</p>
    {failure.isBug && (
      <p>
        The server's log has the details. Look for <code>{requestId}</code>.
      </p>
    )}
    <p>
      <a href="/tasks">Go to your tasks</a> or <a href="/account">your account</a>
    </p>
  </Layout>
);

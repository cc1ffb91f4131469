import type { PageContext } from "../shared/page.ts";

type LinkProps = {
  readonly context: PageContext;
  readonly path: "/account/confirm/openid" | "/sign-in/openid";
  readonly next: string;
  /** What comes before the provider's name. */
  readonly verb: string;
};

/** A link to the OpenID provider, if one is configured. */
export const OpenIdLink = ({ context, path, next, verb }: LinkProps) => {
  const { openId } = context.service;
  return openId === null ? null : (
    <p>
      <a class="button" href={`${path}?next=${encodeURIComponent(next)}`}>
        {`${verb} ${openId.name}`}
      </a>
    </p>
  );
};

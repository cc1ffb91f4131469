import type { Ask } from "../ask.ts";

type LinkProps = {
  readonly ask: Ask;
  readonly path: "/account/confirm/openid" | "/sign-in/openid";
  readonly next: string;
  /** What comes before the provider's name. */
  readonly verb: string;
};

/** A link to the OpenID provider, if one is configured. */
export const OpenIdLink = ({ ask, path, next, verb }: LinkProps) => {
  const { openId } = ask.service;
  return openId === null ? null : (
    <p>
      <a class="button" href={`${path}?next=${encodeURIComponent(next)}`}>
        {`${verb} ${openId.name}`}
      </a>
    </p>
  );
};

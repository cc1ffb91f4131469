/** The part of the package that our tests call, because it comes without types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  type Context = {
    readonly oidc: {
      readonly client: { readonly clientId: string };
      readonly account: { readonly accountId: string };
    };
  };

  type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> };

  class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    readonly Grant: new (of: { readonly clientId: string; readonly accountId: string }) => Grant;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Readonly<Record<string, unknown>>,
    ): Promise<void>;
  }

  export { type Context, Provider };
}

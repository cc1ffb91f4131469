import { toOpenAPISchema } from "@elysiajs/openapi/openapi";
import { Elysia } from "elysia";
import { endpointName } from "../../server/call.ts";
import { mount } from "../../server/elysia.ts";
import { VERSION } from "../../domain/base/release.ts";
import type { Route } from "../route.ts";
import { ABOUT, TAGS } from "./about.ts";
import { completeOperation, type Drawn } from "./complete.ts";
import { components, shapes } from "./components.ts";
import { asSent } from "./input.ts";
import { operationOf } from "./operations/all.ts";

const OPENAPI = "3.1.2";

const texts = new WeakMap<readonly Route[], string>();

/** Returns the OpenAPI document of the routes as JSON text. It is made on the first call, then kept. */
export const documentText = (routes: readonly Route[]): string => {
  const text = texts.get(routes) ?? JSON.stringify(documentOf(routes));
  texts.set(routes, text);
  return text;
};

const documentOf = (routes: readonly Route[]) => {
  const { paths, schemas } = draw(routes);
  const operations = routes.map((route) => {
    const path = endpointName(route.path);
    const method = route.method.toLowerCase();
    return {
      path,
      method,
      operation: completeOperation(route, operationOf(route), paths[path]?.[method] ?? {}),
    };
  });
  return {
    openapi: OPENAPI,
    info: { ...ABOUT, version: VERSION },
    servers: [{ url: "/", description: "The server that you got this document from." }],
    tags: TAGS,
    paths: Object.fromEntries(
      [...Map.groupBy(operations, ({ path }) => path)].map(([path, group]) => [
        path,
        Object.fromEntries(group.map(({ method, operation }) => [method, operation])),
      ]),
    ),
    components: { schemas, ...components() },
  };
};

type Drawing = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Drawn>>>>;
  readonly schemas: Readonly<Record<string, unknown>>;
};

/** Returns the paths and schemas that Elysia's plugin takes from an app with these routes. The app serves nothing. */
const draw = (routes: readonly Route[]): Drawing => {
  const app = new Elysia({ normalize: false }).model(shapes(routes));
  for (const route of routes)
    mount(app, route, () => null, {
      query: route.query,
      body: route.body && asSent(route.body),
    });
  // The plugin takes a path with a dot for a file and leaves it out unless `staticFile` is false.
  const { paths, components: drawn } = toOpenAPISchema(
    app,
    { staticFile: false },
    undefined,
    undefined,
    OPENAPI,
  );
  return { paths: paths as Drawing["paths"], schemas: withoutIds(drawn.schemas) };
};

/** Removes Elysia's `$id`s, which are plain names and not URIs as JSON Schema requires. */
const withoutIds = (schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>>) =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, { $id: _id, ...schema }]) => [name, schema]),
  );

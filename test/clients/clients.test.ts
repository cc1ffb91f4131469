import { expect, test } from "bun:test";
import { pathToFileURL } from "node:url";
import { createClient } from "@hey-api/openapi-ts";
import openapiTS, { astToString } from "openapi-typescript";
import { newcomer, SAYS, sharedServer } from "../support/replies.ts";
import { complaintsAbout, lyingDocument, newProject } from "../support/clients/generated.ts";
import { HEY_API, OPENAPI_FETCH } from "../support/clients/programs.ts";

const server = await sharedServer();

type Project = ReturnType<typeof newProject>;

/** Each generator, and the program that uses its client. */
const GENERATORS = [
  {
    name: "openapi-typescript",
    program: OPENAPI_FETCH,
    generate: async ({ document, write }: Project): Promise<void> => {
      write("client/docket.ts", astToString(await openapiTS(pathToFileURL(document))));
    },
  },
  {
    name: "@hey-api/openapi-ts",
    program: HEY_API,
    generate: async ({ document, directory }: Project): Promise<void> => {
      await createClient({
        input: document,
        output: `${directory}/client`,
        plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
        logs: { level: "silent" },
      });
    },
  },
];

/** In ms: on a busy machine, the generators and the compiler read a lot. */
const PATIENCE = 120_000;

type Work = (url: string, key: string) => Promise<unknown>;

test.each(GENERATORS)(
  "A client made by $name compiles and works",
  async (generator) => {
    const project = newProject();
    await generator.generate(project);
    const program = project.write("program.ts", generator.program);
    expect(complaintsAbout(program)).toEqual([]);

    const ann = await newcomer(server);
    const { work } = (await import(program)) as { readonly work: Work };
    expect(await work(server.url, await ann.key())).toEqual({
      scopes: ["read", "write"],
      urls: ["https://trains.example/", "https://hotels.example/"],
      tabs: 2,
      titles: ["Plan the trip"],
      next: null,
      status: "in_progress",
      wasAsked: true,
      refusal: [404, SAYS.noTask],
    });
  },
  PATIENCE,
);

test.each(GENERATORS)(
  "A program that uses $name does not compile if the document lies",
  async (generator) => {
    const project = newProject(lyingDocument());
    await generator.generate(project);
    const program = project.write("program.ts", generator.program);
    expect(complaintsAbout(program)).toEqual(["Type 'string' is not assignable to type 'number'."]);
  },
  PATIENCE,
);

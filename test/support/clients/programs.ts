// Programs as users of the generated clients would write them. They are stored as text, because
// they are compiled with what is generated from the current document. What they print is compared
// with what the server does.

/** With openapi-typescript and openapi-fetch. */
export const OPENAPI_FETCH = `
import createClient from "openapi-fetch";
import type { components, paths } from "./client/docket.ts";

export const work = async (baseUrl: string, key: string) => {
  const docket = createClient<paths>({ baseUrl, headers: { Authorization: "Bearer " + key } });
  const V1 = "/api/public/v1";

  const { data: me } = await docket.GET(\`\${V1}/me\`);
  const scopes: readonly ("read" | "write")[] = me?.scopes ?? [];

  const made = await docket.POST(\`\${V1}/tasks\`, {
    params: { header: { "Idempotency-Key": '"trip-1"' } },
    body: {
      title: "Plan the trip",
      colour: null,
      tabs: [{ url: "https://trains.example/" }, { url: "https://hotels.example/", title: "Hotels" }],
      notes: ["Ask bob.", { text: "The berths sell out." }],
    },
  });
  const task: components["schemas"]["Task"] | undefined = made.data;
  if (!task) throw new Error("No task was made.");
  const urls: string[] = task.tabs.map(({ url }) => url);
  const tabs: number = task.tab_count;

  const listed = await docket.GET(\`\${V1}/tasks\`, {
    params: { query: { created_by: "agent", closed: true, limit: 10, status: undefined } },
  });
  const titles = listed.data?.tasks.map(({ title }) => title) ?? [];
  const next: string | null | undefined = listed.data?.next_cursor;

  const changed = await docket.PATCH(\`\${V1}/tasks/{id}\`, {
    params: { path: { id: task.id }, header: { "If-Match": made.response.headers.get("ETag") ?? "" } },
    body: { status: "in_progress" },
  });
  const status: string | undefined = changed.data?.status;

  const asked = await docket.POST(\`\${V1}/projects\`, {
    params: { query: { dry_run: true } },
    body: { name: "Travel" },
  });
  const wasAsked = asked.data !== undefined && "dry_run" in asked.data && asked.data.dry_run;

  const refused = await docket.PATCH(\`\${V1}/tasks/{id}\`, {
    params: { path: { id: "none" } },
    body: { title: "t" },
  });
  const sentence: string | undefined = refused.error?.error;
  return { scopes, urls, tabs, titles, next, status, wasAsked, refusal: [refused.response.status, sentence] };
};

const wrong = async (docket: ReturnType<typeof createClient<paths>>) => {
  // @ts-expect-error: a title is needed.
  await docket.POST("/api/public/v1/tasks", { body: { status: "todo" } });
  // @ts-expect-error: a note needs a text.
  await docket.POST("/api/public/v1/tasks/{id}/notes", { params: { path: { id: "t" } }, body: {} });
  // @ts-expect-error: there is no such person.
  await docket.GET("/api/public/v1/tasks", { params: { query: { created_by: "nobody" } } });
  // @ts-expect-error: nothing can be deleted.
  await docket.DELETE("/api/public/v1/tasks/{id}", { params: { path: { id: "t" } } });
};
void wrong;
`;

/** With @hey-api/openapi-ts. */
export const HEY_API = `
import { createClient } from "./client/client/index.ts";
import { addNote, createFolder, createTask, getMe, listTasks, updateTask } from "./client/index.ts";
import type { Task } from "./client/index.ts";

export const work = async (baseUrl: string, key: string) => {
  const client = createClient({ baseUrl, auth: key });

  const { data: me } = await getMe({ client });
  const scopes: readonly ("read" | "write")[] = me?.scopes ?? [];

  const made = await createTask({
    client,
    headers: { "Idempotency-Key": '"trip-1"' },
    body: {
      title: "Plan the trip",
      colour: null,
      tabs: [{ url: "https://trains.example/" }, { url: "https://hotels.example/", title: "Hotels" }],
      notes: ["Ask bob.", { text: "The berths sell out." }],
    },
  });
  const task: Task | undefined = made.data;
  if (!task) throw new Error("No task was made.");
  const urls: string[] = task.tabs.map(({ url }) => url);
  const tabs: number = task.tab_count;

  const listed = await listTasks({ client, query: { created_by: "agent", closed: true, limit: 10 } });
  const titles = listed.data?.tasks.map(({ title }) => title) ?? [];
  const next: string | null | undefined = listed.data?.next_cursor;

  const changed = await updateTask({
    client,
    path: { id: task.id },
    headers: { "If-Match": made.response?.headers.get("ETag") ?? "" },
    body: { status: "in_progress" },
  });
  const status: string | undefined = changed.data?.status;

  const asked = await createFolder({ client, query: { dry_run: true }, body: { name: "Travel" } });
  const wasAsked = asked.data !== undefined && "dry_run" in asked.data && asked.data.dry_run;

  const refused = await updateTask({ client, path: { id: "none" }, body: { title: "t" } });
  const sentence: string | undefined = refused.error?.error;
  return { scopes, urls, tabs, titles, next, status, wasAsked, refusal: [refused.response?.status, sentence] };
};

const wrong = async () => {
  // @ts-expect-error: a title is needed.
  await createTask({ body: { status: "todo" } });
  // @ts-expect-error: a note needs a text.
  await addNote({ path: { id: "t" }, body: {} });
  // @ts-expect-error: there is no such person.
  await listTasks({ query: { created_by: "nobody" } });
};
void wrong;
`;

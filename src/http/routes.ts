import { ANY_CREDENTIAL, ANYONE, OWN_DEVICES, READ, SESSION } from "../server/checks/admission.ts";
import { MAX_REGISTRATION } from "../domain/people/oauth-client.ts";
import { Tabs } from "../server/tasks/fields.ts";
import {
  getChanges,
  getEntitlement,
  getHealth,
  getInbox,
  getMe,
  getProjects,
  getReadiness,
  getTask,
  getTasks,
  postProject,
} from "./reads.ts";
import {
  patchManyTasks,
  patchNote,
  patchTaskById,
  postInboxTabs,
  postMove,
  postNote,
  postTabs,
  postTask,
  showChangedNote,
  showInboxTabs,
  showMove,
  showNote,
  showProject,
  showRow,
  showRows,
  showTabs,
  showTask,
} from "./edits.ts";
import {
  getClaims,
  postClaim,
  postRelease,
  postRenew,
  showClaimed,
  showReleased,
  showRenewed,
} from "./claims.ts";
import { getIcons, postIcons } from "./icons.ts";
import { getMetadata, getResource, postRegister, postRevoke, postToken } from "./oauth.ts";
import { showDocument } from "./openapi/show.ts";
import { type Route, route, write } from "./route.ts";
import {
  ChangesQuery,
  ClaimBody,
  FileQuery,
  FolderBody,
  IconsBody,
  IconsQuery,
  MoveBody,
  NoteBody,
  OverrideQuery,
  PullQuery,
  PushBody,
  PushQuery,
  RegisterBody,
  ReleaseBody,
  TabsQuery,
  RenewBody,
  TaskBody,
  TaskPatchBody,
  TaskPatchesBody,
  TasksQuery,
} from "./schemas.ts";
import { getSync, postSync } from "./sync.ts";

/** The largest push, and what to do about a larger one. */
const PUSH = {
  rules: "sync" as const,
  maxBody: 16 * 1024 * 1024,
  tooLarge: "The body must be at most 16 MiB. Send fewer records at a time.",
};

const LENIENT = { ignoresUnknown: true };

/** OAuth's forms have a few short fields. */
const FORM = {
  form: true,
  maxBody: 16 * 1024,
  tooLarge: "The body must be at most 16 KiB.",
};

const REGISTRATION = {
  success: 201,
  maxBody: MAX_REGISTRATION,
  tooLarge: "A registration must be at most 2 KiB.",
} as const;

/** A function, because the document describes the table that contains it. */
const getDocument = showDocument(() => ROUTES);

const V1 = "/api/public/v1";

/** The public API (specification, section 4), the sign-in of extensions, and the checks for the server's owner. */
export const ROUTES: readonly Route[] = [
  route("GET", `${V1}/me`, ANY_CREDENTIAL, getMe, LENIENT),
  route("GET", `${V1}/entitlement`, ANY_CREDENTIAL, getEntitlement, LENIENT),
  route("GET", `${V1}/sync`, SESSION, getSync, { query: PullQuery, ...LENIENT }),
  route("POST", `${V1}/sync`, SESSION, postSync, {
    query: PushQuery,
    body: PushBody,
    ...PUSH,
    ...LENIENT,
  }),
  route("GET", `${V1}/icons`, OWN_DEVICES, getIcons, { query: IconsQuery }),
  route("POST", `${V1}/icons`, OWN_DEVICES, postIcons, { body: IconsBody }),
  route("GET", `${V1}/tasks`, READ, getTasks, { query: TasksQuery }),
  write("POST", `${V1}/tasks`, postTask, showTask, { body: TaskBody, success: 201 }),
  route("GET", `${V1}/tasks/:id`, READ, getTask),
  write("PATCH", `${V1}/tasks/:id`, patchTaskById, showRow, {
    body: TaskPatchBody,
    query: OverrideQuery,
  }),
  write("PATCH", `${V1}/tasks`, patchManyTasks, showRows, {
    body: TaskPatchesBody,
    query: OverrideQuery,
  }),
  write("POST", `${V1}/tasks/:id/tabs`, postTabs, showTabs, {
    body: Tabs,
    query: TabsQuery,
    success: 201,
  }),
  write("POST", `${V1}/tasks/:id/tabs/move`, postMove, showMove, {
    body: MoveBody,
    query: OverrideQuery,
  }),
  write("POST", `${V1}/tasks/:id/notes`, postNote, showNote, {
    body: NoteBody,
    query: OverrideQuery,
    success: 201,
  }),
  write("PATCH", `${V1}/tasks/:id/notes/:note`, patchNote, showChangedNote, {
    body: NoteBody,
    query: OverrideQuery,
  }),
  route("GET", `${V1}/inbox`, READ, getInbox),
  write("POST", `${V1}/inbox/tabs`, postInboxTabs, showInboxTabs, {
    body: Tabs,
    query: FileQuery,
    success: 201,
  }),
  route("GET", `${V1}/changes`, READ, getChanges, { query: ChangesQuery }),
  route("GET", `${V1}/claims`, READ, getClaims),
  write("POST", `${V1}/claims`, postClaim, showClaimed, { body: ClaimBody, success: 201 }),
  write("POST", `${V1}/claims/:id/renew`, postRenew, showRenewed, {
    body: RenewBody,
    touches: "claim",
  }),
  write("POST", `${V1}/claims/:id/release`, postRelease, showReleased, {
    body: ReleaseBody,
    touches: "claim",
  }),
  route("GET", `${V1}/projects`, READ, getProjects),
  write("POST", `${V1}/projects`, postProject, showProject, {
    body: FolderBody,
    success: 201,
    touches: "folder",
  }),
  route("GET", "/.well-known/oauth-authorization-server", ANYONE, getMetadata),
  route("GET", "/.well-known/oauth-protected-resource", ANYONE, getResource),
  route("GET", "/.well-known/oauth-protected-resource/mcp", ANYONE, getResource),
  route("POST", "/oauth/register", ANYONE, postRegister, { body: RegisterBody, ...REGISTRATION }),
  route("POST", "/oauth/token", ANYONE, postToken, FORM),
  route("POST", "/oauth/revoke", ANYONE, postRevoke, FORM),
  route("GET", "/healthz", ANYONE, getHealth),
  route("GET", "/readyz", ANYONE, getReadiness),
  route("GET", "/openapi.json", ANYONE, getDocument),
];

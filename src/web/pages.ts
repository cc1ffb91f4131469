import { openPage, ownPage, type Page, sectionOf } from "./shared/page.ts";
import { getAuthorize, postAuthorize } from "./oauth/authorize.ts";
import { postCodes } from "./authenticator/codes.tsx";
import { postNew, postTurnOff, postTurnOn } from "./authenticator/set-up.tsx";
import { getActivity } from "./activity/activity.tsx";
import { getUndo, postKeep, postUndo } from "./undo/undo.tsx";
import { getHistory } from "./history/history.tsx";
import { getRestore, postRestore } from "./history/restore.tsx";
import { getFolder } from "./tasks/folder.tsx";
import { getTask } from "./tasks/task.tsx";
import { postCreationOptions, postPasskey, postRemovePasskey } from "./passkeys/own.ts";
import { forScript } from "./passkeys/parts.tsx";
import { postPasskeyConfirm, postPasskeySignIn, postRequestOptions } from "./passkeys/sign-in.ts";
import { getFound, getLink, postLink, postUnlink } from "./openid/link.tsx";
import { getCallback, getConfirmOpenId, getOpenId } from "./openid/sign-in.ts";
import { getConnect } from "./keys/connect.tsx";
import { getKeys } from "./keys/keys.tsx";
import { getNewKey, postKeys } from "./keys/new.tsx";
import { getReplace, postReplace } from "./keys/replace.tsx";
import { postRevoke } from "./keys/revoke.tsx";
import { TARGETS } from "../extension/packages/manifest.ts";
import { getDevices, postPair, postRevokeDevice } from "./devices/devices.tsx";
import { getPackage, packagePath } from "./devices/extension.tsx";
import { getDelete, postDelete } from "./security/delete.tsx";
import { getExport } from "./imports/export.ts";
import { getImports, postUpload } from "./imports/start.tsx";
import { getPreview, postImport } from "./imports/preview.tsx";
import { getImport, postResume, postUndoImport } from "./imports/report.tsx";
import { getEmail, postEmail } from "./security/email.tsx";
import { postInvite, postWithdraw } from "./owner/invite.tsx";
import { postDisable, postEnable, postReset } from "./owner/people.tsx";
import { getServer } from "./owner/page.tsx";
import { getReset, postNewPassword } from "./entry/reset.tsx";
import { getSecurity } from "./security/page.tsx";
import { postPassword } from "./security/password.ts";
import { postForget } from "./security/identities.tsx";
import { postEnd, postEndOthers } from "./security/browser-sessions.tsx";
import { getDeleted } from "./deleted/deleted.tsx";
import { postDismiss } from "./deleted/refused.tsx";
import { postRestoreAll, postRestoreOne } from "./deleted/restore.tsx";
import { getCode, getConfirm, postCode, postConfirm } from "./entry/again.tsx";
import { getInvitation, getSetUp, postInvitation, postSetUp } from "./entry/setup.tsx";
import { getSignIn, postSignIn, postSignOut } from "./entry/sign-in.tsx";
import { getOverview, getRoot } from "./overview.tsx";
import { seeOther } from "./shared/reply.tsx";
import { Refusal } from "../domain/base/refusal.ts";
import { ANY_PATH } from "../server/call.ts";

/** The addresses, and who answers each. */
const pages: readonly Page[] = [
  openPage("GET", "/", getRoot),
  openPage("GET", "/setup", getSetUp),
  openPage("POST", "/setup", postSetUp),
  openPage("GET", "/invitation", getInvitation),
  openPage("POST", "/invitation", postInvitation),
  openPage("GET", "/reset", getReset),
  openPage("POST", "/reset", postNewPassword),
  openPage("GET", "/sign-in", getSignIn),
  openPage("POST", "/sign-in", postSignIn),
  openPage("GET", "/sign-in/code", getCode),
  openPage("POST", "/sign-in/code", postCode),
  openPage("POST", "/sign-out", postSignOut),
  ownPage("GET", "/account", getOverview),
  ownPage("GET", "/account/confirm", getConfirm),
  ownPage("POST", "/account/confirm", postConfirm),
  // API keys: to list, create, replace and revoke.
  ownPage("GET", "/account/keys", getKeys),
  ownPage("GET", "/account/keys/new", getNewKey),
  ownPage("GET", "/account/keys/connect", getConnect),
  ownPage("POST", "/account/keys", postKeys),
  ownPage("POST", "/account/keys/:id/revoke", postRevoke),
  ownPage("GET", "/account/keys/:id/replace", getReplace),
  ownPage("POST", "/account/keys/:id/replace", postReplace),
  // Undoing what a key did.
  ownPage("GET", "/account/keys/:id/undo", getUndo),
  ownPage("POST", "/account/keys/:id/undo", postUndo),
  ownPage("POST", "/account/keys/:id/keep", postKeep),
  // What API keys did.
  ownPage("GET", "/account/activity", getActivity),
  // The tasks and folders that keys have read or changed.
  ownPage("GET", "/account/tasks/:id", getTask),
  ownPage("GET", "/account/folders/:id", getFolder),
  // What happened to a task, and how to restore it.
  ownPage("GET", "/account/tasks/:id/history", getHistory),
  ownPage("GET", "/account/tasks/:id/restore", getRestore),
  ownPage("POST", "/account/tasks/:id/restore", postRestore),
  // What devices deleted or moved to the trash, and how to restore it.
  ownPage("GET", "/account/deleted", getDeleted),
  ownPage("POST", "/account/deleted/restore", postRestoreOne),
  ownPage("POST", "/account/deleted/:id/restore", postRestoreAll),
  ownPage("POST", "/account/deleted/refused/dismiss", postDismiss),
  ownPage("GET", "/account/devices", getDevices),
  ...TARGETS.map((target) => ownPage("GET", packagePath(target), getPackage(target))),
  ownPage("POST", "/account/devices/pair", postPair),
  ownPage("POST", "/account/devices/:id/revoke", postRevokeDevice),
  // Files of other tools: to look at first, to import and to take back; and to export.
  ownPage("GET", "/account/import", getImports),
  ownPage("POST", "/account/import", forScript(postUpload), "file"),
  ownPage("GET", "/account/uploads/:id", getPreview),
  ownPage("POST", "/account/uploads/:id", postImport),
  ownPage("GET", "/account/import/:id", getImport),
  ownPage("POST", "/account/import/:id/resume", postResume),
  ownPage("POST", "/account/import/:id/undo", postUndoImport),
  openPage("GET", "/oauth/authorize", getAuthorize),
  openPage("POST", "/oauth/authorize", postAuthorize),
  // How people sign in, and where they are signed in.
  ownPage("GET", "/account/security", getSecurity),
  ownPage("GET", "/account/email", getEmail),
  ownPage("POST", "/account/email", postEmail),
  ownPage("GET", "/account/export", getExport),
  ownPage("GET", "/account/delete", getDelete),
  ownPage("POST", "/account/delete", postDelete),
  ownPage("POST", "/account/password", postPassword),
  ownPage("POST", "/account/visits/:id/end", postEnd),
  ownPage("POST", "/account/visits/end-others", postEndOthers),
  ownPage("POST", "/account/redirects/remove", postForget),
  // For the server's owner alone: who uses it, and how it is.
  ownPage("GET", "/account/server", getServer),
  ownPage("POST", "/account/server/invitations", postInvite),
  ownPage("POST", "/account/server/invitations/:id/withdraw", postWithdraw),
  ownPage("POST", "/account/server/people/:id/disable", postDisable),
  ownPage("POST", "/account/server/people/:id/enable", postEnable),
  ownPage("POST", "/account/server/people/:id/reset", postReset),
  // The authenticator app: to set it up, to get recovery codes, and to turn it off.
  ownPage("POST", "/account/authenticator/new", postNew),
  ownPage("POST", "/account/authenticator", postTurnOn),
  ownPage("POST", "/account/authenticator/codes", postCodes),
  ownPage("POST", "/account/authenticator/remove", postTurnOff),
  // Passkeys: to sign in, to confirm who is there, to create and to remove.
  openPage("POST", "/sign-in/passkey/options", forScript(postRequestOptions), "json"),
  openPage("POST", "/sign-in/passkey", forScript(postPasskeySignIn), "json"),
  ownPage("POST", "/account/confirm/passkey", forScript(postPasskeyConfirm), "json"),
  ownPage("POST", "/account/passkeys/options", forScript(postCreationOptions), "json"),
  ownPage("POST", "/account/passkeys", forScript(postPasskey), "json"),
  ownPage("POST", "/account/passkeys/:id/remove", postRemovePasskey),
  // Through an OpenID provider: to sign in, to confirm who is there, to link and to unlink.
  openPage("GET", "/sign-in/openid", getOpenId),
  openPage("GET", "/sign-in/openid/callback", getCallback),
  ownPage("GET", "/account/confirm/openid", getConfirmOpenId),
  ownPage("GET", "/account/openid/link", getLink),
  ownPage("GET", "/account/openid/found", getFound),
  ownPage("POST", "/account/openid/link", postLink),
  ownPage("POST", "/account/openid/unlink", postUnlink),
];

/**
 * An address that only accepts a form redirects to the section it belongs to. After a form is shown again
 * with its problems, that address is in the address bar, and people press Enter there or go back to it in
 * their history.
 */
const waysBack: readonly Page[] = pages
  .filter(
    ({ method, access, body }) => method === "POST" && access === "signed in" && body === "form",
  )
  .filter(({ path }) => !pages.some((page) => page.method === "GET" && page.path === path))
  .map(({ path }) => ownPage("GET", path, () => seeOther(sectionOf(path))));

const tellUnknown = (): never => {
  throw new Refusal("not_found", "There is no page at this address.");
};

/** Every page: the account area, and the pages that lead to it. */
export const PAGES: readonly Page[] = [
  ...pages,
  ...waysBack,
  openPage("GET", "/account/*", tellUnknown),
];

/** For an address that nothing else has, if a person opens it: see `isForPerson`. */
export const UNKNOWN_PAGE = openPage("GET", ANY_PATH, tellUnknown);

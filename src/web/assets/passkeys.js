// Creates and uses passkeys through the browser's own functions. Parts of a page that need them stay hidden
// until this script shows them.

const able = globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON !== undefined;

for (const part of document.querySelectorAll("[data-passkey]")) {
  if (!able) break;
  part.hidden = false;
  const button = part.querySelector("button");
  const told = part.querySelector("[role=alert]");
  button.addEventListener("click", async () => {
    button.disabled = true;
    told.textContent = "";
    try {
      await DEEDS[part.dataset.passkey](part);
    } catch (error) {
      told.textContent = wordsFor(error);
    }
    button.disabled = false;
  });
}

// Shown only where the browser cannot create passkeys.
for (const part of document.querySelectorAll("[data-no-passkey]")) part.hidden = able;

const DEEDS = {
  async make(part) {
    const { options } = await send(part.dataset.options, {});
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    const credential = await navigator.credentials.create({ publicKey });
    const name = part.querySelector("input").value;
    await send(part.dataset.action, { credential: credential.toJSON(), name });
  },
  async use(part) {
    const { options } = await send(part.dataset.options, {});
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    const credential = await navigator.credentials.get({ publicKey });
    const { next } = part.dataset;
    await send(part.dataset.action, { credential: credential.toJSON(), next });
  },
};

// Asks the server. If the reply leads to another page, goes there and never returns.
async function send(path, value) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(value),
  });
  // Signed out in the meantime: the server redirects to the sign-in page.
  if (response.redirected) return leave(response.url);
  const answer = await response
    .json()
    .catch(() => ({ error: "The server sent no usable answer. Try again." }));
  if (!response.ok) throw new Told(answer.error);
  return answer.next === undefined ? answer : leave(answer.next);
}

function leave(address) {
  location.assign(address);
  return new Promise(() => {});
}

// A message from the server, to be shown as it is.
class Told extends Error {}

const WORDS = {
  NotAllowedError: "This was cancelled or took too long. Nothing was changed.",
  InvalidStateError: "This device or password manager already has a passkey for this account.",
  NotSupportedError: "This device cannot create the kind of passkey that Docket needs.",
  SecurityError: "Your browser does not allow passkeys at this address.",
  TypeError: "The server cannot be reached. Check your connection and try again.",
};

function wordsFor(error) {
  if (error instanceof Told) return error.message;
  return (
    WORDS[error.name] ??
    `Your browser could not use the passkey: ${error.message} Try again, or use your password.`
  );
}

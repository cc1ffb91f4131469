// Passkeys, by what browsers bring for them. Parts of a page that need them are hidden until here.

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

// What is said where passkeys cannot be made at all.
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

// Asks the server. Where its answer leads elsewhere, goes there, and nothing follows.
async function send(path, value) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(value),
  });
  // Signed out meanwhile: the server leads to the sign-in.
  if (response.redirected) return leave(response.url);
  const answer = await response.json().catch(() => ({ error: "The server did not answer." }));
  if (!response.ok) throw new Told(answer.error);
  return answer.next === undefined ? answer : leave(answer.next);
}

function leave(address) {
  location.assign(address);
  return new Promise(() => {});
}

// What the server said in words of its own.
class Told extends Error {}

const WORDS = {
  NotAllowedError: "Nothing was done: it was cancelled, or took too long.",
  InvalidStateError: "This device or password manager has a passkey for this account already.",
  NotSupportedError: "This device cannot make the kind of passkey that is needed here.",
  SecurityError: "The browser makes no passkeys at this address.",
  TypeError: "The server cannot be reached.",
};

function wordsFor(error) {
  if (error instanceof Told) return error.message;
  return WORDS[error.name] ?? "This did not work. Try again, or use your password.";
}

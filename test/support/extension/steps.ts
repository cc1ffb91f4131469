// Code that runs in the extension's worker or event page, and stops it at one of its steps: after each answer of the
// browser, the store or the server, before the code that waits for that answer goes on.

/** A step by its number, counted from 1, or the first one of a kind. */
export type Step = number | string;

/**
 * Returns code that holds everything at a step, and then says so on the channel `test steps`. It is
 * a function of the global object that it works in. From then on, nothing that is awaited goes on. With `freezes`, steps
 * within a transaction that writes to the store count too: the whole thread stands still there, so that it cannot end by itself.
 */
export const holdAt = (step: Step, freezes: boolean): string => `((scope) => {
  const at = ${JSON.stringify(step)};
  let steps = 0;
  let isHeld = false;
  /** Each takes seconds. Those of the first transactions are like the others. */
  let writes = 0;
  const never = new Promise(() => {});
  const say = new BroadcastChannel("test steps");
  /** Returns null to go on. */
  const reach = (name) => {
    if (!isHeld && (steps += 1) !== at && name !== at) return null;
    if (!isHeld) say.postMessage(name);
    isHeld = true;
    // A browser takes two seconds to stop a thread that does not answer.
    while (${freezes} && name === "answer of the store") {}
    return never;
  };
  const wrap = (owner, name, path) => {
    const usual = owner?.[name];
    if (typeof usual !== "function") return;
    owner[name] = async function (...given) {
      const answer = await usual.apply(this, given);
      return (await reach(path)) ?? answer;
    };
  };
  const PARTS = {
    "action": ["setBadgeText", "setTitle"],
    "alarms": ["clear", "create", "get"],
    "storage.local": ["get", "remove", "set"],
    "storage.session": ["get", "remove", "set"],
    "tabGroups": ["get", "update"],
    "tabs": ["create", "discard", "get", "group", "query", "remove", "update"],
    "windows": ["create"],
  };
  for (const [part, names] of Object.entries(PARTS)) {
    const owner = part.split(".").reduce((from, name) => from?.[name], scope.chrome);
    for (const name of names) wrap(owner, name, part + "." + name);
  }
  wrap(scope, "fetch", "fetch");
  wrap(scope.Response.prototype, "text", "a reply's text");
  const locks = scope.navigator.locks;
  const request = locks.request.bind(locks);
  locks.request = (...given) => {
    const job = given.pop();
    return request(...given, async (lock) => (await reach("lock")) ?? job(lock));
  };
  const add = scope.EventTarget.prototype.addEventListener;
  scope.EventTarget.prototype.addEventListener = function (kind, listener, ...rest) {
    const isEnd = kind === "complete" && this instanceof scope.IDBTransaction;
    const isAnswer =
      writes < 6 &&
      kind === "success" &&
      this instanceof scope.IDBRequest &&
      this.transaction?.mode === "readwrite";
    if (isAnswer) writes += 1;
    if (!isEnd && !(isAnswer && ${freezes})) return add.call(this, kind, listener, ...rest);
    const name = isEnd ? "end of a transaction" : "answer of the store";
    return add.call(this, kind, (event) => reach(name) ?? listener.call(this, event), ...rest);
  };
})`;

/** How long work goes on before it lets others go on, in ms. */
const SLICE = 8;

/** When long work began in the present turn of the event loop; null if there was none in it yet. */
let began: number | null = null;

const AT_ONCE = Promise.resolve();

/** Call it before each step of long work. If the steps of this turn of the event loop have taken 8 ms, others go on first. */
export const breathe = (): Promise<void> => {
  if (began === null) {
    began = performance.now();
    setImmediate(() => {
      began = null;
    });
    return AT_ONCE;
  }
  return performance.now() - began < SLICE ? AT_ONCE : letOthersGoOn();
};

/**
 * Lets everything that has arrived meanwhile go on first. It takes two turns of the event loop, because Bun may run the
 * next one before it looks at its sockets.
 */
export const letOthersGoOn = async (): Promise<void> => {
  await turn();
  await turn();
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const LONG = 500;

let timer: ReturnType<typeof setTimeout> | undefined;
/** Whether the finger that is still down has pressed long enough. */
let hasRun = false;

const end = (): void => clearTimeout(timer);

/**
 * What makes an element take a long press. Not by the browser's own context menu: Safari has none on a phone. The
 * press that ends is no press of the link below it.
 */
export const longPress = (run: () => void) => ({
  onTouchStart: (): void => {
    hasRun = false;
    clearTimeout(timer);
    timer = setTimeout(() => {
      hasRun = true;
      run();
    }, LONG);
  },
  onTouchMove: end,
  onTouchEnd: (event: TouchEvent): void => {
    end();
    if (hasRun) event.preventDefault();
  },
  onTouchCancel: end,
  onContextMenu: (event: Event): void => {
    if (isCoarse()) event.preventDefault();
  },
});

const coarse = matchMedia("(pointer: coarse)");

/** Whether fingers press here. */
export const isCoarse = (): boolean => coarse.matches;

/** In ms. People let go of a tab by then. */
const PATIENCE = 10_000;
const PAUSE = 250;

/** Does something with tabs. Chrome refuses all of it while someone drags one, so that is tried again for a while. */
export const patiently = async <T>(act: () => Promise<T>): Promise<T> => {
  const end = Date.now() + PATIENCE;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!isDragged(error) || Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
};

const isDragged = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("cannot be edited right now");

/** Waiting for something, but not for long. */

/** Resolves when the promise is settled either way, or after so many milliseconds, whichever is first. */
export const settledWithin = (promise: Promise<unknown>, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const late = setTimeout(resolve, ms);
    const settled = (): void => {
      clearTimeout(late);
      resolve();
    };
    promise.then(settled, settled);
  });

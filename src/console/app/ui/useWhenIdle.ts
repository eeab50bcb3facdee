/** What a page can wait for until it stands there. */
import { useEffect, useState } from 'preact/hooks';

/** A page that is never idle gets it all the same, milliseconds. */
const latestMs = 1_000;

/** False until the browser has nothing more urgent to do, and true from then on. */
export const useWhenIdle = (): boolean => {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const become = (): void => setIdle(true);
    // Safari has none.
    if (!('requestIdleCallback' in globalThis)) {
      const timer = setTimeout(become, latestMs / 10);
      return () => clearTimeout(timer);
    }
    const callback = requestIdleCallback(become, { timeout: latestMs });
    return () => cancelIdleCallback(callback);
  }, []);
  return isIdle;
};

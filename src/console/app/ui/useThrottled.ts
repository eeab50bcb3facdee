/** A value that changes often, taken over now and then. */
import { useEffect, useRef, useState } from 'preact/hooks';

/** The value as it stood `everyMs` ago at most; the last one is always taken over. */
export const useThrottled = <T>(value: T, everyMs: number): T => {
  const [taken, setTaken] = useState(value);
  const takenAt = useRef(Date.now());
  useEffect(() => {
    if (Object.is(value, taken)) return undefined;
    const wait = Math.max(0, takenAt.current + everyMs - Date.now());
    const timer = setTimeout(() => {
      takenAt.current = Date.now();
      setTaken(() => value);
    }, wait);
    return () => clearTimeout(timer);
  }, [value, taken]);
  return taken;
};

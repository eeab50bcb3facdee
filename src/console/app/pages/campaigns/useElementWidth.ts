/** How wide an element is, as of now and of every change: drawings with text are drawn in real pixels. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

export const useElementWidth = (): readonly [RefObject<HTMLDivElement | null>, number] => {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const shown = box.current!;
    const measure = (): void => setWidth(shown.clientWidth);
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(shown);
    return () => watch.disconnect();
  }, []);
  return [box, width];
};

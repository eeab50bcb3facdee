/** Pages that are loaded when they are first asked for. */
import type { ComponentType, JSX } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { AdminApiRequestError } from '../api.ts';
import { BrokenPageNotice, ErrorNotice, LoadingNotice } from './loadingAndErrorNotices.tsx';

export interface LazyPage<Props> {
  (props: Props): JSX.Element;
  /** Brings it before it is drawn; undefined: it is here. */
  bring(): Promise<void> | undefined;
}

/**
 * `load`: brings the page; tried anew when it failed. A page that throws is taken away and says so: it is drawn again only
 * when it is asked for.
 */
export const lazyPage = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyPage<Props> => {
  let loaded: ComponentType<Props> | undefined;
  const keep = async (): Promise<void> => {
    loaded = await load();
  };
  const Lazy = (props: Props): JSX.Element => {
    const [, setDone] = useState(0);
    const [failure, setFailure] = useState<unknown>(undefined);
    const [bug, drawAgain] = useErrorBoundary((error: unknown) => reportError(error));
    useEffect(() => {
      if (loaded) setDone((count) => count + 1);
      if (loaded || failure !== undefined) return;
      keep().then(
        () => setDone((count) => count + 1),
        // A file that does not come is the service that does not answer.
        () => setFailure(new AdminApiRequestError(0, '')),
      );
    }, [failure]);
    const Page = loaded;
    if (bug !== undefined) return <BrokenPageNotice onAgain={drawAgain} />;
    if (Page) return <Page {...props} />;
    if (failure !== undefined) return <ErrorNotice error={failure} onAgain={() => setFailure(undefined)} />;
    return <LoadingNotice />;
  };
  return Object.assign(Lazy, { bring: () => (loaded ? undefined : keep()) });
};

/** Brings the page that is about to be drawn; undefined: it is here, as all are that are not lazy. */
export const bringPageOf = ({ type }: JSX.Element): Promise<void> | undefined =>
  typeof type === 'function' && 'bring' in type ? (type as LazyPage<object>).bring() : undefined;

/** Pages that are loaded when they are first asked for. */
import type { ComponentType, JSX } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { AdminApiRequestError } from '../api.ts';
import { BrokenPageNotice, ErrorNotice, LoadingNotice } from './loadingAndErrorNotices.tsx';

/**
 * `load`: brings the page; tried anew when it failed. A page that throws is taken away and says so: it is drawn again only
 * when it is asked for.
 */
export const lazyPage = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ((props: Props) => JSX.Element) => {
  let loaded: ComponentType<Props> | undefined;
  return (props) => {
    const [, setDone] = useState(0);
    const [failure, setFailure] = useState<unknown>(undefined);
    const [bug, drawAgain] = useErrorBoundary((error: unknown) => reportError(error));
    useEffect(() => {
      if (loaded) setDone((count) => count + 1);
      if (loaded || failure !== undefined) return;
      load().then(
        (page) => {
          loaded = page;
          setDone((count) => count + 1);
        },
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
};

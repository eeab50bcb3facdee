/** Pages that are loaded when they are first asked for. */
import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { AdminApiRequestError } from '../api.ts';
import { ErrorNotice, LoadingNotice } from './state.tsx';

/** `load`: brings the page; tried anew when it failed. */
export const lazyPage = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ((props: Props) => JSX.Element) => {
  let loaded: ComponentType<Props> | undefined;
  return (props) => {
    const [, setDone] = useState(0);
    const [failure, setFailure] = useState<unknown>(undefined);
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
    if (Page) return <Page {...props} />;
    if (failure !== undefined) return <ErrorNotice error={failure} onAgain={() => setFailure(undefined)} />;
    return <LoadingNotice />;
  };
};

/** A page that is loaded when it is shown: what a first view does not need comes later. */
import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failed, Loading } from './state.tsx';

/** `load`: imports the page; it is asked once, and again only after a failure. */
export const lazy = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ((props: Props) => JSX.Element) => {
  let loaded: ComponentType<Props> | undefined;
  return (props) => {
    const [, drawAgain] = useState(0);
    const [failure, setFailure] = useState<unknown>();
    useEffect(() => {
      if (loaded) return;
      load().then((page) => {
        loaded = page;
        drawAgain((times) => times + 1);
      }, setFailure);
    }, []);
    const Page = loaded;
    if (Page) return <Page {...props} />;
    return failure === undefined ? <Loading /> : <Failed error={failure} onAgain={() => location.reload()} />;
  };
};

/** Top right: whether what is shown is live. */
import type { JSX } from 'preact';
import { createReactiveStore, useStore } from '../store.ts';
import { useTranslation } from '../words/index.ts';
import { Mark } from './mark.tsx';

/** `none`: the page shows nothing that moves. `since`: when the last news came, as it is written. */
export const streamConnectionState = createReactiveStore<'none' | 'live' | { since: string }>('none');

/** When the last news came, where the stream is cut; undefined: what is shown holds. */
export const useLastNewsBeforeCut = (): string | undefined => {
  const state = useStore(streamConnectionState);
  return typeof state === 'object' ? state.since : undefined;
};

export const StreamConnectionIndicator = (): JSX.Element | null => {
  const say = useTranslation();
  const state = useStore(streamConnectionState);
  if (state === 'none') return null;
  const isLive = state === 'live';
  return (
    <span class="stream" role="status">
      <Mark of={isLive ? 'good' : 'warn'} />
      <span class={isLive ? 'txt' : 'txt warn'}>
        {isLive ? say('live') : say('cutSince', { time: state.since })}
      </span>
    </span>
  );
};

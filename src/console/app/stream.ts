/** The page's one stream of server-sent events. It comes back by itself after a cut, to where it was. */
import { useEffect } from 'preact/hooks';
import { adminPath } from '../../admin/client.ts';
import type { StreamEventPayloads } from '../../admin/console/news.ts';
import { fetchCurrentSession, signedInAdministratorStore } from './api.ts';
import { streamConnectionState } from './ui/streamMark.tsx';

/** What the stream tells, by the name of the event. */
export type StreamEventHandlers = {
  readonly [Name in keyof StreamEventPayloads]?: (body: StreamEventPayloads[Name]) => void;
};

/** Without a word for so long it counts as cut, milliseconds: the service says something every two seconds or so. */
const silentMs = 12_000;

const hour = (at: number): string => new Date(at).toLocaleTimeString([], { hour12: false });

/**
 * Hears of topics (`now`, `machine:a_17@5`) while the page is shown. Undefined: not yet. `account`: whose machines they name,
 * for small ids, which several accounts have.
 */
export const useStream = (
  topics: string | undefined,
  hearers: StreamEventHandlers,
  account?: string,
): void => {
  useEffect(() => {
    if (topics === undefined) return undefined;
    return follow(topics, hearers, account);
    // The hearers of a page stay the same while its topics do.
  }, [topics]);
};

const follow = (topics: string, hearers: StreamEventHandlers, account?: string): (() => void) => {
  const query = { topics, ...(account !== undefined && { account }) };
  const source = new EventSource(`/admin/api${adminPath('GET /stream', { query })}`);
  let last = Date.now();
  const heard = (): void => {
    last = Date.now();
    streamConnectionState.set('live');
  };
  const cut = (): void => {
    const state = streamConnectionState.get();
    if (typeof state !== 'object') streamConnectionState.set({ since: hour(last) });
  };
  source.addEventListener('open', heard);
  source.addEventListener('beat', heard);
  source.addEventListener('end', () => void fetchCurrentSession().catch(cut));
  source.addEventListener('error', () => {
    cut();
    // Refused, not cut: the session has ended, or the service says why.
    if (source.readyState === EventSource.CLOSED && typeof signedInAdministratorStore.get() === 'object')
      void fetchCurrentSession().catch(cut);
  });
  for (const [event, hear] of Object.entries(hearers))
    source.addEventListener(event, ({ data }: MessageEvent<string>) => {
      heard();
      // What the service tells under this name; its topics are held to the same shape.
      hear(JSON.parse(data) as never);
    });
  const watch = setInterval(() => {
    if (Date.now() - last > silentMs) cut();
  }, 1_000);
  return () => {
    clearInterval(watch);
    source.close();
    streamConnectionState.set('none');
  };
};

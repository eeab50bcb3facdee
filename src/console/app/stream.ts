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

/** After a refusal the stream is asked for again, each time later, milliseconds: the browser itself does so after cuts only. */
const firstRetryMs = 1_000;
const latestRetryMs = 15_000;

const follow = (topics: string, hearers: StreamEventHandlers, account?: string): (() => void) => {
  let last = Date.now();
  let retryMs = firstRetryMs;
  let retry: ReturnType<typeof setTimeout> | undefined;
  /** Where it was: a stream that the browser gave up says so by itself no more. */
  let position = '';
  const heard = (): void => {
    last = Date.now();
    retryMs = firstRetryMs;
    streamConnectionState.set('live');
  };
  const cut = (): void => {
    const state = streamConnectionState.get();
    if (typeof state !== 'object') streamConnectionState.set({ since: hour(last) });
  };
  const open = (): EventSource => {
    const resumed = position === '' ? {} : { last_event_id: position };
    const query = { topics, ...resumed, ...(account !== undefined && { account }) };
    const source = new EventSource(`/admin/api${adminPath('GET /stream', { query })}`);
    source.addEventListener('open', heard);
    source.addEventListener('beat', heard);
    source.addEventListener('end', () => void fetchCurrentSession().catch(cut));
    source.addEventListener('error', () => {
      cut();
      // Refused, not cut: the session has ended, or the service cannot answer now.
      if (source.readyState === EventSource.CLOSED) comeBack();
    });
    for (const [event, hear] of Object.entries(hearers))
      source.addEventListener(event, ({ data, lastEventId }: MessageEvent<string>) => {
        heard();
        position = lastEventId;
        // What the service tells under this name; its topics are held to the same shape.
        hear(JSON.parse(data) as never);
      });
    return source;
  };
  /** A page whose session has ended is taken away meanwhile. */
  const comeBack = (): void => {
    if (typeof signedInAdministratorStore.get() !== 'object') return;
    void fetchCurrentSession().catch(cut);
    retry = setTimeout(() => (source = open()), retryMs);
    retryMs = Math.min(2 * retryMs, latestRetryMs);
  };
  let source = open();
  const watch = setInterval(() => {
    if (Date.now() - last > silentMs) cut();
  }, 1_000);
  return () => {
    clearInterval(watch);
    clearTimeout(retry);
    source.close();
    streamConnectionState.set('none');
  };
};

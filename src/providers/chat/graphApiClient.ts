/**
 * The one client of the upstream graph API (spec 4.14 to 4.21). What the network and the upstream do becomes a
 * `GraphApiAnswer`; above all, whether a request was surely not heard or may have been.
 */
import type { GraphApiClient, GraphApiAnswer, GraphApiRequest } from '../contracts/chat.ts';
import { type GraphApiHttpReply, readGraphApiReply } from './interpretGraphApiReply.ts';

/** One request as a transport carries it. */
export interface GraphApiHttpRequest {
  method: GraphApiRequest['method'];
  /** With the version, and without the query: `/v22.0/1055/messages`. */
  path: string;
  query: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  /** JSON text. */
  body?: string;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Carries a request to an upstream and brings its reply. Throws `NotConnected` when nothing of it can have been heard. */
export type GraphApiTransport = (exchange: GraphApiHttpRequest) => Promise<GraphApiHttpReply>;

/** There was no connection. */
export class GraphApiUnreachable extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'GraphApiUnreachable';
  }
}

export interface GraphApiClientOptions {
  transport: GraphApiTransport;
  /** `GRAPH_VERSION`, e.g. `v22.0`. */
  version: string;
}

export const openGraphApiClient = ({ transport, version }: GraphApiClientOptions): GraphApiClient => ({
  async ask(request) {
    const { method, path, query = {}, body, token, timeoutMs, signal } = request;
    const wrong = wrongWith(request);
    if (wrong) return wrong;
    const end = endOf(timeoutMs, signal);
    try {
      const reply = await transport({
        method,
        path: `/${version}/${path}`,
        query,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        timeoutMs,
        signal: end.signal,
      });
      return readGraphApiReply(reply, token);
    } catch (error) {
      return failureOf(error, end.isLate());
    } finally {
      end.over();
    }
  },
});

/**
 * When an exchange is given up: after so long, or when its caller gives it up. `AbortSignal.timeout` would keep its timer
 * until then, and what `AbortSignal.any` keeps, however soon the answer came.
 */
const endOf = (timeoutMs: number, caller: AbortSignal | undefined) => {
  const controller = new AbortController();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    controller.abort(new DOMException('the upstream did not answer in time', 'TimeoutError'));
  }, timeoutMs);
  const giveUp = (): void => controller.abort(caller?.reason);
  if (caller?.aborted) giveUp();
  caller?.addEventListener('abort', giveUp, { once: true });
  return {
    signal: controller.signal,
    isLate: () => late,
    over: (): void => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', giveUp);
    },
  };
};

const failureOf = (error: unknown, late: boolean): GraphApiAnswer => {
  const { code, name } = error as NodeJS.ErrnoException;
  if (error instanceof GraphApiUnreachable)
    return { outcome: 'unreachable', text: `the upstream cannot be reached (${causeOf(error)})` };
  if (late) return { outcome: 'unknown', text: 'the upstream did not answer in time' };
  return { outcome: 'unknown', text: `the connection to the upstream broke (${code ?? name})` };
};

const causeOf = ({ cause, message }: Error): string =>
  (cause as NodeJS.ErrnoException | undefined)?.code ?? message;

/** Refuses what is never sent, as the upstream would: a token that fits no header, an id that is none. */
const wrongWith = ({ path, token }: GraphApiRequest): GraphApiAnswer | undefined => {
  if (!/^[\x21-\x7e]+$/.test(token)) return ownRefusal(401, 190, 'the access token is empty or malformed');
  if (!/^(\d{1,40}(\/[a-z_]{1,40})?|[a-z_]{1,40})$/.test(path))
    return ownRefusal(400, 100, 'the upstream knows ids of digits only');
  return undefined;
};

const ownRefusal = (http: number, code: number, text: string): GraphApiAnswer => ({
  outcome: 'refused',
  ...{ http, code, text, raw: '', transient: false },
});

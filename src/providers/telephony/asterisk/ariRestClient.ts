/**
 * Asterisk's REST interface over kept-alive connections.
 *
 * An answer of any status is an answer; only what the network does is thrown, and the kind says whether the
 * request can have reached Asterisk.
 */
import { Pool } from 'undici';
import { Retryable, NotRetryable } from '../../../engine/contract/performer.ts';

/** The request never left: nothing has happened at Asterisk. */
export class AriRequestNeverSent extends Error {
  override readonly name = 'AriRequestNeverSent';
}

export interface AriResponse {
  status: number;
  /** Parsed JSON; undefined when there was none. */
  body: unknown;
}

export type AriHttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Ask {
  query?: Record<string, string | number | undefined>;
  body?: object;
  signal?: AbortSignal | undefined;
}

export interface Ari {
  /** Throws `AriRequestNeverSent`, or whatever the network threw when the request may have arrived. */
  ask(method: AriHttpMethod, path: string, ask?: Ask): Promise<AriResponse>;
  /** The bytes of a stored file; undefined when there is none. Throws where Asterisk cannot give it now. */
  file(path: string): Promise<Buffer | undefined>;
  close(): Promise<void>;
}

export interface AriLogin {
  /** Where Asterisk's HTTP server listens, e.g. `http://127.0.0.1:8088`. */
  url: string;
  user: string;
  password: string;
}

/** What an Authorization header carries. */
export const basicAuthorization = ({ user, password }: AriLogin): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** A path below `/ari` with its ids encoded: path`/channels/${id}`. */
export const path = (texts: TemplateStringsArray, ...ids: string[]): string =>
  texts.reduce((whole, text, i) => whole + encodeURIComponent(ids[i - 1]!) + text);

const requestMs = 10_000;

/** A client of one Asterisk. */
export const createAri = (login: AriLogin): Ari => {
  const { origin, pathname } = new URL(login.url);
  const base = pathname.replace(/\/(ari\/?)?$/, '');
  // Asterisk drops a connection after 60 idle seconds; we let go of it long before.
  const pool = new Pool(origin, { connections: 16, keepAliveTimeout: 10_000, connect: { timeout: 3000 } });
  const headers = { authorization: basicAuthorization(login), 'content-type': 'application/json' };

  const send = async (method: AriHttpMethod, where: string, { query, body, signal }: Ask) => {
    const late = AbortSignal.timeout(requestMs);
    try {
      return await pool.request({
        method,
        path: `${base}/ari${where}${queryText(query)}`,
        headers,
        body: body ? JSON.stringify(body) : null,
        signal: signal ? AbortSignal.any([signal, late]) : late,
      });
    } catch (cause) {
      if (neverLeft(cause))
        throw new AriRequestNeverSent(`Asterisk at ${origin} cannot be reached`, { cause });
      throw cause;
    }
  };

  return {
    ask: async (method, where, ask = {}) => {
      const { statusCode, body } = await send(method, where, ask);
      return { status: statusCode, body: parsed(await body.text()) };
    },
    file: async (where) => {
      const { statusCode, body } = await send('GET', where, {});
      if (statusCode === 200) return Buffer.from(await body.arrayBuffer());
      await body.dump();
      if (statusCode === gone) return undefined;
      throw new Retryable(`GET ${where}: ${statusCode}`);
    },
    close: () => pool.destroy(),
  };
};

const queryText = (query: Ask['query']): string => {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  if (pairs.length === 0) return '';
  return `?${pairs.map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`).join('&')}`;
};

const parsed = (text: string): unknown => {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};

const neverLeft = (cause: unknown): boolean => {
  const code = (cause as { code?: string }).code ?? '';
  return /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/.test(code);
};

/** Asterisk's own sentence about a refusal. */
export const describeAriRefusal = ({ status, body }: AriResponse): string => {
  const { message, error } = (body ?? {}) as { message?: string; error?: string };
  return `${status} ${message ?? error ?? ''}`.trim();
};

const gone = 404;
/** "Channel not in Stasis application": it waits at the door, or machine detection has it. */
const notInControl = 409;

/**
 * Asks for something that may safely be asked again, and says what kind of failure it was:
 * `NotRetryable('gone')` when the thing is no more, `Retryable` when Asterisk cannot now or is away.
 */
export const sendAriCommand = async (
  ari: Ari,
  method: AriHttpMethod,
  where: string,
  ask: Ask = {},
): Promise<AriResponse> => {
  const answer = await ari.ask(method, where, ask).catch((cause: unknown) => {
    throw new Retryable('Asterisk did not answer', { cause });
  });
  if (answer.status < 300) return answer;
  const said = `${method} ${where}: ${describeAriRefusal(answer)}`;
  if (answer.status === gone) throw new NotRetryable('gone', said);
  if (answer.status === notInControl || answer.status >= 500) throw new Retryable(said);
  throw new NotRetryable('refused', said);
};

/** Accepts that the thing is no more. */
export const ignoreIfGone = (error: unknown): undefined => {
  if (error instanceof NotRetryable && error.reason === 'gone') return undefined;
  throw error;
};

/** Asks for the events of one channel, also of one that another application made. One that is gone is fine. */
export const subscribeToAriChannel = async (
  { ari, app }: { ari: Ari; app: string },
  channel: string,
): Promise<void> => {
  const query = { eventSource: `channel:${channel}` };
  await ari.ask('POST', path`/applications/${app}/subscription`, { query });
};

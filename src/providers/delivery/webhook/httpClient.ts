/** One request to a receiver, and the head of its answer. */
import { Readable } from 'node:stream';
import type { Agent } from 'undici';
import type { DnsLookups } from '../../contracts/dns.ts';
import { ssrfGuardedLookup, isAddressRefusedError, networkErrorText } from '../../ssrfGuard.ts';
import { Retryable, NotRetryable } from '../../../engine/contract/performer.ts';
import { requestOverNodeHttp } from './nodeHttp.ts';
import { lruOf } from '../../../lib/lru.ts';

export interface WebhookHttpRequest {
  /** Whose address it is. */
  account: number;
  url: URL;
  method: 'POST' | 'GET';
  headers: Readonly<Record<string, string>>;
  /** Null: none. One that is long is read anew for every request. */
  body: string | (() => AsyncIterable<Uint8Array>) | null;
  signal: AbortSignal;
}

export interface WebhookHttpResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What was said, as far as it is read. */
  text: string;
}

export interface HttpClient {
  /** Throws `NotRetryable('addressRefused')` and `Retryable`. Settles when nothing of it is left open. */
  send(request: WebhookHttpRequest): Promise<WebhookHttpResponse>;
  /** Closes its connections. */
  stop(): Promise<void>;
}

export interface HttpClientOptions {
  names: Pick<DnsLookups, 'prepare' | 'lookup'>;
  /** Private networks (CIDRs) that the operator opened. */
  allowed: readonly string[];
  /** Within which a receiver answers, or takes more of a long body, milliseconds. */
  answerMs: number;
}

const CONNECT_MS = 10_000;
/** So much of an answer is read, bytes, and for so long after its head, milliseconds. */
const READ_BYTES = 16_384;
const READ_MS = 500;
/** Receivers known to be asked plainly. */
const MOST_PLAIN = 1_000;

type Request = Omit<WebhookHttpRequest, 'account' | 'body'> & { body: string | Readable | null };

export const openHttpClient = ({ names, allowed, answerMs }: HttpClientOptions): HttpClient => {
  const lookup = ssrfGuardedLookup(allowed, names.lookup);
  let agent: Agent | undefined;
  /** Origins that say "100 Continue" unasked, the latest at the end. */
  const plain = lruOf<string, true>(MOST_PLAIN);

  const ask = async ({ url, ...outgoing }: Request): Promise<WebhookHttpResponse> => {
    // Loaded with the first callback: many services never make one.
    const undici = await import('undici');
    agent ??= new undici.Agent({ connect: { timeout: CONNECT_MS, lookup } });
    const answer = await undici.request(url, {
      ...outgoing,
      dispatcher: agent,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return { status: answer.statusCode, headers: answer.headers, text: await readSome(answer.body) };
  };

  const askPlain = async (request: Request): Promise<WebhookHttpResponse> => {
    const answer = await requestOverNodeHttp({ ...request, lookup });
    return { status: answer.statusCode!, headers: answer.headers, text: await readSome(answer) };
  };

  /** Sends it once more, at once, when nothing was said of it. */
  const askAgain = async ({ origin }: URL, request: () => Request): Promise<WebhookHttpResponse> => {
    if (plain.has(origin)) return askPlain(request());
    try {
      return await ask(request());
    } catch (error) {
      if (saidToGoOn(error)) {
        plain.set(origin, true);
        return askPlain(request());
      }
      if (wasClosedUnderIt(error)) return ask(request());
      throw error;
    }
  };

  return {
    send: async ({ account, ...outgoing }) => {
      await prepared(names.prepare(String(account), outgoing.url.hostname), outgoing.signal);
      const patience = patientFor(answerMs);
      const signal = AbortSignal.any([outgoing.signal, patience.signal]);
      const request = () => ({ ...outgoing, body: patience.during(outgoing.body), signal });
      try {
        return await askAgain(outgoing.url, request);
      } catch (cause) {
        throw cause === patience.signal.reason
          ? new Retryable(`it did not answer within ${answerMs / 1_000} s`, { cause })
          : kindOf(cause);
      } finally {
        patience.end();
      }
    },
    stop: async () => agent?.destroy(),
  };
};

/** The name is looked up before its receiver is waited for. */
const prepared = async (asked: Promise<void>, signal: AbortSignal): Promise<void> => {
  let quit = (): void => {};
  const over = new Promise<never>((_, reject) => {
    quit = () => reject(signal.reason as Error);
    signal.addEventListener('abort', quit, { once: true });
  });
  try {
    await Promise.race([asked, over]);
  } catch (cause) {
    throw kindOf(cause);
  } finally {
    signal.removeEventListener('abort', quit);
  }
};

/** It answered "100 Continue" unasked, which undici takes for the end. */
const saidToGoOn = (error: unknown): boolean => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'UND_ERR_SOCKET' && message === 'bad response';
};

/**
 * The request went into a connection that had served before and was closed under it, as a receiver does with those that
 * rest: that says nothing of the request.
 */
const wasClosedUnderIt = (error: unknown): boolean => {
  const { code, socket } = error as { code?: unknown; socket?: { bytesRead?: number } };
  return code === 'UND_ERR_SOCKET' && (socket?.bytesRead ?? 0) > 0;
};

/** A timer that is late by so much, milliseconds, fired after this process was held up and read no sockets. */
const HELD_UP_MS = 500;
/** The extra time in which answers that arrived during the stall are read, milliseconds. */
const HEAR_MS = 1_000;

/**
 * Aborts after a silence; as long as more of a long body is taken, there is none. A process that was held up (stopped,
 * starved, a frozen machine) read no sockets for as long: it listens once more before it reports a timeout.
 */
const patientFor = (ms: number) => {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let due: number;
  const wait = (forMs: number): void => {
    clearTimeout(timer);
    due = performance.now() + forMs;
    timer = setTimeout(() => {
      if (performance.now() - due > HELD_UP_MS) wait(HEAR_MS);
      else late.abort(new Error('late'));
    }, forMs);
  };
  wait(ms);
  const noticed = async function* (pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      wait(ms);
      yield piece;
    }
  };
  return {
    signal: late.signal,
    during: (body: WebhookHttpRequest['body']) =>
      body === null || typeof body === 'string' ? body : Readable.from(noticed(body())),
    end: () => clearTimeout(timer),
  };
};

/** What comes after is not wanted, and its connection neither. */
const readSome = async (body: Readable): Promise<string> => {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const late = setTimeout(() => body.destroy(), READ_MS);
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= READ_BYTES) break;
    }
  } catch {
    // The head has said it all; a body that breaks off takes nothing back.
  } finally {
    clearTimeout(late);
    body.destroy();
  }
  return Buffer.concat(pieces).subarray(0, READ_BYTES).toString('utf8');
};

/** No host, no HTTP server, a broken connection, a certificate of another name: all may succeed later. */
const kindOf = (cause: unknown): unknown => {
  if (isAddressRefusedError(cause))
    return new NotRetryable('addressRefused', 'the address points into a private network', { cause });
  const fault = networkErrorText(cause);
  return fault === undefined ? cause : new Retryable(`it cannot be reached: ${fault}`, { cause });
};

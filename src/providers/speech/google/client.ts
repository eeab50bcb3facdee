/**
 * Google's speech API over kept-alive connections. Nothing it does is harmed by a repeat, so whatever the network does
 * is `Retryable`; an answer says by its status what it is. The key travels in a header and stands in no message.
 */
import { Pool } from 'undici';
import { Retryable } from '../../../engine/contract/performer.ts';
import { googleSpeechFailure } from './failure.ts';

export interface GoogleSpeechOptions {
  /** API key. */
  key: string;
  /** Where the API is, without `/v1`. */
  url: string;
  /** A request that takes longer is given up, milliseconds. Default 20,000. */
  timeoutMs?: number;
  /** A larger answer is given up, bytes. Default 32 MiB: some half an hour of speech. */
  maxAnswerBytes?: number;
}

export interface GoogleSpeechClient {
  /** The JSON of the answer. Throws `Retryable` or `NotRetryable`. */
  ask(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown>;
  close(): Promise<void>;
}

const CONNECTIONS = 8;

export const openGoogleSpeechClient = (options: GoogleSpeechOptions): GoogleSpeechClient => {
  const { key, url, timeoutMs = 20_000, maxAnswerBytes = 32 * 2 ** 20 } = options;
  const { origin, pathname } = new URL(url);
  const base = pathname.replace(/\/+$/, '');
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    connect: { timeout: Math.min(5000, timeoutMs) },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: maxAnswerBytes,
  });

  const send = async (method: 'GET' | 'POST', path: string, body: object | undefined) => {
    const {
      statusCode,
      headers,
      body: content,
    } = await pool.request({
      method,
      path: base + path,
      headers: {
        'x-goog-api-key': key,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json; charset=utf-8' }),
      },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: statusCode, headers, text: await content.text() };
  };

  return {
    async ask(method, path, body) {
      const answer = await send(method, path, body).catch((cause: unknown) => {
        throw new Retryable(`Google did not answer ${method} ${path}`, { cause });
      });
      if (answer.status !== 200) throw googleSpeechFailure(answer, key);
      return parsed(answer.text);
    },
    close: () => pool.destroy(),
  };
};

/** An answer that is no JSON came from a proxy between us and Google. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Retryable('Google answered with something that is no JSON', { cause });
  }
};

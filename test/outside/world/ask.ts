/** One HTTP request as any client makes it, from any loopback address; its answer, or why there was none. */
import { type Agent, request } from 'node:http';

export interface Asking {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Where it comes from. Default: 127.0.0.1. */
  localAddress?: string;
  /** For the whole of it. Default 15 s. */
  timeoutMs?: number;
  /** Default: a connection of its own. */
  agent?: Agent;
  /** Kept of the answer, bytes. Default 4 MB. */
  mostBytes?: number;
}

export interface Answer {
  /** 0: none came. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  ms: number;
  /** Why none came; empty when one did. */
  failed: string;
}

/** Never throws. */
export const ask = (url: string, asking: Asking = {}): Promise<Answer> => {
  const { method = 'GET', headers = {}, body, localAddress, timeoutMs = 15_000 } = asking;
  const { agent, mostBytes = 4_000_000 } = asking;
  const began = performance.now();
  return new Promise((resolve) => {
    const settle = (answer: Partial<Answer>): void => {
      clearTimeout(timer);
      const ms = Math.round(performance.now() - began);
      resolve({ status: 0, headers: {}, text: '', failed: '', ...answer, ms });
    };
    const asked = request(
      url,
      {
        method,
        // From elsewhere: what this machine's own programs show wrong is counted together.
        headers: {
          'X-Forwarded-Proto': 'https',
          ...headers,
          ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
        },
        agent: agent ?? false,
        ...(localAddress !== undefined && { localAddress }),
      },
      (response) => {
        const pieces: Buffer[] = [];
        let bytes = 0;
        response.on('data', (piece: Buffer) => {
          bytes += piece.length;
          if (bytes <= mostBytes) pieces.push(piece);
        });
        response.on('end', () => {
          const text = Buffer.concat(pieces).toString('utf8');
          settle({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
        response.on('error', (error) => settle({ failed: wordsOf(error) }));
        response.on('close', () => settle({ failed: 'the answer was cut off' }));
      },
    );
    const timer = setTimeout(() => {
      settle({ failed: `no answer within ${timeoutMs} ms` });
      asked.destroy();
    }, timeoutMs);
    asked.on('error', (error) => settle({ failed: wordsOf(error) }));
    asked.end(body);
  });
};

const wordsOf = (error: Error & { code?: string }): string => error.code ?? error.message;

export const postJson = (
  url: string,
  body: object,
  asking: Asking = {},
  by: typeof ask = ask,
): Promise<Answer> =>
  by(url, {
    method: 'POST',
    ...asking,
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...asking.headers },
  });

/** An answer's JSON; an empty object for what is none. */
export const jsonOf = <T extends object>(text: string): Partial<T> => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
};

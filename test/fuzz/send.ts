/** Sends bytes as they are, also those that no client library would. */
import { Agent, request } from 'node:http';
import type { FuzzRequest } from './request.ts';
import type { FuzzAnswer } from './judge.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

export const closeConnections = (): void => agent.destroy();

/** A request; its method is POST unless it says another. */
interface SentBytes extends FuzzRequest {
  method?: string;
}

/** Rejects when there is no answer within so many milliseconds. */
export const send = (
  url: string,
  { method = 'POST', path, headers, body }: SentBytes,
  withinMs: number,
): Promise<FuzzAnswer> =>
  new Promise((resolve, reject) => {
    const asking = request(new URL(path, url), { method, headers, agent }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          http: response.statusCode!,
          headers: response.headers,
          text: Buffer.concat(pieces).toString('utf8'),
        }),
      );
    });
    asking.setTimeout(withinMs, () => asking.destroy(new Error(`no answer within ${withinMs} ms`)));
    asking.on('error', (error) => reject(new Error(`no answer: ${error.message}`, { cause: error })));
    asking.end(body);
  });

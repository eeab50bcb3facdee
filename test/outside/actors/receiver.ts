/** Where customers hear of their calls and messages. Some of the time it fails, as receivers do; never the same event twice. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Dice } from '../dice.ts';
import type { Ledger } from '../evidence.ts';
import { jsonOf } from '../world/ask.ts';

export interface Receiver {
  /** Of an account's callbacks, under a name or an address of this machine. */
  urlFor(account: { id: number; webhookSecret: string }, host: string): string;
  stop(): void;
}

interface Event {
  event: string;
  event_id: string;
  seq: number;
  final: boolean;
  cd_id: string;
  cdls_id: string | number;
}

export const startReceiver = async (dice: Dice, ledger: Ledger): Promise<Receiver> => {
  const secrets = new Map<number, string>();
  const failedOnce = new Set<string>();

  const hear = async (request: IncomingMessage): Promise<number> => {
    const account = Number(/^\/account\/(\d+)/.exec(request.url ?? '')?.[1]);
    const body = await bodyOf(request);
    const event = jsonOf<Event>(body);
    const id = String(request.headers['webhook-id'] ?? '');
    // One failure for an event at most: the try after the second comes minutes later.
    const fails = dice.chance(0.03) && !failedOnce.has(id);
    if (fails) failedOnce.add(id);
    const answer = fails ? dice.pick([500, 503, 0]) : 204;
    ledger.add({
      ...{ kind: 'calledBack', account, id, answer },
      subject: event.cd_id || String(event.cdls_id ?? ''),
      event: event.event ?? '',
      seq: event.seq ?? 0,
      final: event.final ?? false,
      signed: isSigned(secrets.get(account) ?? '', body, request) && event.event_id === id,
      digest: createHash('sha256').update(body).digest('base64url').slice(0, 16),
    });
    return answer;
  };
  const server = createServer((request, response) => {
    request.on('error', () => {});
    hear(request).then(
      (answer) => (answer === 0 ? request.destroy() : response.writeHead(answer).end()),
      () => request.destroy(),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlFor: ({ id, webhookSecret }, host) => {
      secrets.set(id, webhookSecret);
      return `http://${host}:${port}/account/${id}`;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

export const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
};

/**
 * By the receivers' own library, but for the date: the clock of the service is one of the things that are stepped.
 */
const isSigned = (secret: string, body: string, { headers }: IncomingMessage): boolean => {
  try {
    const id = String(headers['webhook-id']);
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
    const wanted = new Webhook(secret).sign(id, at, body);
    return String(headers['webhook-signature']).split(' ').includes(wanted);
  } catch {
    return false;
  }
};

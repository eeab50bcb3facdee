/**
 * The courier of callbacks: posts an event to an address that a customer named, with the headers of Standard Webhooks
 * (decisions/0056). What comes twice has the same `webhook-id`.
 */
import type { Agent } from 'undici';
import type { WrittenCallback } from '../../../machines/delivery/input.ts';
import type { Courier, Parcel } from '../delivery.ts';
import { guardedLookup, isRefusedAddress, readAddress } from '../outward.ts';
import { Retryable, Terminal } from '../performer.ts';
import { turnsByTarget } from './turns.ts';
import { judge } from './webhookAnswer.ts';
import { callbackHeaders } from './webhookHeaders.ts';

export interface WebhookOptions {
  /** Private networks (CIDRs) that the operator opened. */
  allowed: readonly string[];
  /** Epoch milliseconds. */
  now(): number;
  /** Within which a receiver answers, milliseconds. Default 15 s. */
  answerMs?: number;
  /** How long one event waits behind others for the same receiver before it is tried later. Default a minute. */
  waitMs?: number;
}

const CONNECT_MS = 10_000;
const ANSWER_MS = 15_000;
const WAIT_MS = 60_000;
/** Events on their way to one receiver at a time: one that is dead holds up nobody else's. */
const AT_A_TIME = 8;
/** Of an answer nothing counts but its head; so much is read, so that the connection can be used again. */
const READ_BYTES = 16_384;

export interface WebhookCourier extends Courier {
  /** Closes its connections. */
  stop(): Promise<void>;
}

export const webhookCourier = (options: WebhookOptions): WebhookCourier => {
  const { allowed, now, answerMs = ANSWER_MS, waitMs = WAIT_MS } = options;
  const turns = turnsByTarget(AT_A_TIME);
  let agent: Agent | undefined;

  const post = async ({ body, ...event }: WrittenCallback, url: URL, signal: AbortSignal): Promise<void> => {
    // Loaded with the first callback: many services never make one.
    const undici = await import('undici');
    agent ??= new undici.Agent({
      connections: AT_A_TIME,
      connect: { timeout: CONNECT_MS, lookup: guardedLookup(allowed) },
    });
    const answer = await undici.request(url, {
      method: 'POST',
      dispatcher: agent,
      signal,
      headers: callbackHeaders(event, now()),
      body,
    });
    answer.body.dump({ limit: READ_BYTES, signal }).catch(() => {});
    judge(answer.statusCode, answer.headers, now());
  };

  return {
    carry: async ({ subject, signal }: Parcel) => {
      const event = subject as WrittenCallback;
      const url = addressOf(event, allowed);
      const patience = AbortSignal.timeout(waitMs);
      const attempt = () => inTime(answerMs, signal, (within) => post(event, url, within));
      try {
        await turns(url.origin, attempt, AbortSignal.any([signal, patience]));
      } catch (cause) {
        throw cause === patience.reason
          ? new Retryable('too many events wait for this receiver', { cause })
          : kindOf(cause);
      }
    },
    stop: async () => agent?.destroy(),
  };
};

const addressOf = ({ url: written }: WrittenCallback, allowed: readonly string[]): URL => {
  const url = readAddress(written, allowed);
  if (typeof url === 'string') throw new Terminal('addressRefused', `the address ${url}`);
  if (url.username !== '' || url.password !== '')
    throw new Terminal('addressRefused', 'the address holds credentials, which are not sent');
  return url;
};

const inTime = async (
  ms: number,
  signal: AbortSignal,
  work: (within: AbortSignal) => Promise<void>,
): Promise<void> => {
  const late = AbortSignal.timeout(ms);
  try {
    await work(AbortSignal.any([signal, late]));
  } catch (cause) {
    throw cause === late.reason
      ? new Retryable(`it did not answer within ${ms / 1_000} s`, { cause })
      : cause;
  }
};

/** Nobody there, a broken connection, a certificate that is not theirs: another attempt may succeed. */
const kindOf = (cause: unknown): unknown => {
  if (isRefusedAddress(cause))
    return new Terminal('addressRefused', 'the address points into a private network', { cause });
  const { code } = cause as NodeJS.ErrnoException;
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code)
    ? new Retryable(`it cannot be reached: ${code}`, { cause })
    : cause;
};

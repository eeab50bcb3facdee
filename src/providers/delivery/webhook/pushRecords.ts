/**
 * Pushes records of calls (spec 4.13 `rurl`): all in one body, or a request for each call. What has been brought is not
 * brought again when the rest is tried later.
 */
import type { PushCallback } from '../../../../machines/delivery/input.ts';
import { type Continuation, Deferred, PartiallyDelivered } from '../../delivery.ts';
import { Retryable } from '../../../engine/contract/performer.ts';
import { spooled } from '../../spool.ts';
import type { Push, PushResume } from './webhookAccount.ts';
import { type WebhookRequest, written } from './webhookRequest.ts';

export interface PushOptions {
  push: Push;
  callback: Pick<PushCallback, 'eventId'>;
  url: string;
  resume: string | undefined;
  /** Where a long body is put together before it is signed. */
  temporary: string;
  /** Sends one request when it is its turn. */
  send(letter: WebhookRequest): Promise<void>;
}

/** Calls brought one by one before the machine hears how far it got. */
const CALLS_A_PART = 500;

export const pushRecords = (options: PushOptions): Promise<Continuation | void> => {
  const { method, type } = options.push;
  // What has no body cannot be JSON.
  return method === 'POST' && type === 'json' ? bringWhole(options) : bringEach(options);
};

const bringWhole = ({ push, callback, url, temporary, send }: PushOptions): Promise<void> =>
  spooled(temporary, bytesOf(push.answer()), (body) =>
    send({ eventId: callback.eventId, url, method: 'POST', contentType: 'application/json', body }),
  );

async function* bytesOf(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const part of text) yield Buffer.from(part, 'utf8');
}

const bringEach = async ({
  push,
  callback,
  url,
  resume,
  send,
}: PushOptions): Promise<Continuation | void> => {
  const before = readResume(resume);
  let last = before;
  for await (const { id, fields } of push.calls(before)) {
    // The receiver sees each record as an event of its own.
    const eventId = `${callback.eventId}_${id}`;
    try {
      await send({ eventId, ...written(fields, url, { ...push, type: 'form' }) });
    } catch (error) {
      return stopped(error, last, last !== before);
    }
    last = { id, count: (last?.count ?? 0) + 1 };
    if (last.count - (before?.count ?? 0) === CALLS_A_PART) return { resume: writeResume(last) };
  }
};

/** What is not brought is tried later, from where it stopped. */
const stopped = (error: unknown, last: PushResume | undefined, hasBrought: boolean): Continuation => {
  if (last === undefined) throw error;
  if (error instanceof Deferred && hasBrought) return { resume: writeResume(last) };
  throw error instanceof Retryable ? new PartiallyDelivered(error, writeResume(last)) : error;
};

const writeResume = ({ id, count }: PushResume): string => `${id} ${count}`;

const readResume = (text: string | undefined): PushResume | undefined => {
  if (text === undefined) return undefined;
  const [id = 0, count = 0] = text.split(' ').map(Number);
  return { id, count };
};

/**
 * Pushes records of calls (spec 4.13 `rurl`): all in one body, or a request for each call. What has been brought is not
 * brought again when the rest is tried later.
 */
import type { CallRecordsPushCallback } from '../../../../machines/delivery/input.ts';
import {
  type DeliveryResumePoint,
  DeliveryPostponedError,
  PartialDeliveryError,
} from '../../contracts/delivery.ts';
import { Retryable } from '../../../engine/contract/performer.ts';
import { spoolThenSend } from '../../spoolUploadWithDigest.ts';
import type { Push, CallRecordPushPosition } from './webhookAccountTypes.ts';
import { type WebhookRequest, encodeWebhookFields } from './webhookRequest.ts';

export interface CallRecordPushOptions {
  push: Push;
  callback: Pick<CallRecordsPushCallback, 'eventId'>;
  url: string;
  resume: string | undefined;
  /** Where a long body is put together before it is signed. */
  temporary: string;
  /** Sends one request when it is its turn. */
  send(letter: WebhookRequest): Promise<void>;
}

/** Calls brought one by one before the machine hears how far it got. */
const CALLS_A_PART = 500;

export const pushCallRecords = (options: CallRecordPushOptions): Promise<DeliveryResumePoint | void> => {
  const { method, type } = options.push;
  // What has no body cannot be JSON.
  return method === 'POST' && type === 'json' ? bringWhole(options) : bringEach(options);
};

const bringWhole = ({ push, callback, url, temporary, send }: CallRecordPushOptions): Promise<void> =>
  spoolThenSend(temporary, bytesOf(push.answer()), (body) =>
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
}: CallRecordPushOptions): Promise<DeliveryResumePoint | void> => {
  const before = readResume(resume);
  let last = before;
  for await (const { id, fields } of push.calls(before)) {
    // The receiver sees each record as an event of its own.
    const eventId = `${callback.eventId}_${id}`;
    try {
      await send({ eventId, ...encodeWebhookFields(fields, url, { ...push, type: 'form' }) });
    } catch (error) {
      return stopped(error, last, last !== before);
    }
    last = { id, count: (last?.count ?? 0) + 1 };
    if (last.count - (before?.count ?? 0) === CALLS_A_PART) return { resume: writeResume(last) };
  }
};

/** What is not brought is tried later, from where it stopped. */
const stopped = (
  error: unknown,
  last: CallRecordPushPosition | undefined,
  hasBrought: boolean,
): DeliveryResumePoint => {
  if (last === undefined) throw error;
  if (error instanceof DeliveryPostponedError && hasBrought) return { resume: writeResume(last) };
  throw error instanceof Retryable ? new PartialDeliveryError(error, writeResume(last)) : error;
};

const writeResume = ({ id, count }: CallRecordPushPosition): string => `${id} ${count}`;

const readResume = (text: string | undefined): CallRecordPushPosition | undefined => {
  if (text === undefined) return undefined;
  const [id = 0, count = 0] = text.split(' ').map(Number);
  return { id, count };
};

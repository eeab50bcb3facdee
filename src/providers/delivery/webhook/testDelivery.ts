/** A test event, sent to see whether callbacks get there. */
import { randomUUID } from 'node:crypto';
import { Retryable, NotRetryable } from '../../../engine/contract/performer.ts';
import { checkWebhookResponse } from './answer.ts';
import type { WebhookAccount } from './webhookAccountTypes.ts';
import { encodeWebhookFields } from './webhookRequest.ts';
import type { WebhookSendContext, WebhookSender } from './webhookSender.ts';

/** What the receiver said; `http_status` 0: nothing. */
export interface WebhookTestResult {
  delivered: boolean;
  /** `notNow` when it may work later. */
  reason?: string;
  message?: string;
  http_status: number;
  /** The beginning of its answer. */
  answer: string;
  took_ms: number;
}

const LONGEST_ANSWER = 2_000;

export interface TestWebhookOptions {
  sender: WebhookSender;
  to: WebhookAccount;
  url: URL;
  envelope: WebhookSendContext;
  /** Epoch milliseconds. */
  now(): number;
}

/** Sends it ahead of all that wait. Throws errors that are no outcome of the delivery. */
export const sendTestWebhook = async ({
  sender,
  to,
  url,
  envelope,
  now,
}: TestWebhookOptions): Promise<WebhookTestResult> => {
  const began = now();
  const eventId = `evt_test_${randomUUID()}`;
  const fields = {
    ...{ event: 'test', event_id: eventId, seq: 1, timestamp: new Date(began).toISOString() },
    ...{ final: false, attempt: 1, attempts: 1 },
  };
  const said = { http_status: 0, answer: '' };
  const took = () => Math.round(now() - began);
  try {
    const answer = await sender.atOnce({ eventId, ...encodeWebhookFields(fields, url.href, to) }, envelope);
    Object.assign(said, {
      http_status: answer.status,
      answer: answer.text.slice(0, LONGEST_ANSWER).toWellFormed(),
    });
    checkWebhookResponse(answer.status, answer.headers, now());
    return { delivered: true, ...said, took_ms: took() };
  } catch (error) {
    return { ...webhookTestFailure(error), ...said, took_ms: took() };
  }
};

/** What was refused before anything was sent, or not taken. A mistake of ours is thrown. */
export const webhookTestFailure = (error: unknown): WebhookTestResult => {
  if (!(error instanceof Retryable || error instanceof NotRetryable)) throw error;
  const reason = error instanceof NotRetryable ? error.reason : 'notNow';
  return { delivered: false, reason, message: error.message, http_status: 0, answer: '', took_ms: 0 };
};

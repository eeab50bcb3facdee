/** Sends letters: signed, and when it is their turn. */
import { Readable } from 'node:stream';
import { DeliveryPostponedError, CircuitOpen } from '../../contracts/delivery.ts';
import { Retryable } from '../../../engine/contract/performer.ts';
import { checkWebhookResponse } from './answer.ts';
import type { WebhookEndpointCircuitLimiter } from './endpointLimiter.ts';
import { webhookHeaders } from './headers.ts';
import type { WebhookRequest } from './webhookRequest.ts';
import type { WebhookHttpResponse, HttpClient } from './httpClient.ts';

/** For whom it is sent. */
export interface WebhookSendContext {
  account: number;
  /** Extra headers and Basic credentials. */
  login: Record<string, string>;
  /** `whsec_…`; each of them signs. */
  secrets: readonly string[];
  /** It goes to a target that is left alone, too. Default no. */
  insists?: boolean | undefined;
  signal: AbortSignal;
}

/** What became of a request that was due. `open`: its target was left alone; `refused`: a no for good. */
export type CallbackOutcome = 'delivered' | 'failed' | 'open' | 'deferred' | 'refused';

export interface WebhookSender {
  /** Sends it when it is its turn. Throws `DeliveryPostponedError`, and what `post` and `checkWebhookResponse` throw. `letter` is written then. */
  inTurn(
    url: URL,
    letter: () => WebhookRequest | Promise<WebhookRequest>,
    envelope: WebhookSendContext,
  ): Promise<void>;
  /** Sends it now. Answers whatever was answered. */
  atOnce(letter: WebhookRequest, envelope: WebhookSendContext): Promise<WebhookHttpResponse>;
}

export interface WebhookSenderDeps {
  post: HttpClient;
  limiter: WebhookEndpointCircuitLimiter;
  /** Epoch milliseconds. */
  now(): number;
  observe(outcome: CallbackOutcome): void;
}

export const openWebhookSender = ({ post, limiter, now, observe }: WebhookSenderDeps): WebhookSender => {
  const atOnce: WebhookSender['atOnce'] = async (letter, { account, login, secrets, signal }) => {
    const { eventId, url, method, contentType, body } = letter;
    const isShort = typeof body === 'string';
    const headers = {
      ...login,
      ...(contentType !== '' && { 'content-type': contentType }),
      ...(!isShort && { 'content-length': String(body.bytes) }),
      ...(await webhookHeaders(
        { eventId, secrets, now: now() },
        isShort ? [body] : piecesOf(body.content()),
      )),
    };
    const content = isShort ? body : () => piecesOf(body.content());
    return post.send({
      ...{ account, url: new URL(url), method, headers, signal },
      body: method === 'GET' ? null : content,
    });
  };

  return {
    atOnce,
    inTurn: async ({ origin }, letter, envelope) => {
      let began = false;
      const work = async (): Promise<void> => {
        began = true;
        const { status, headers } = await atOnce(await letter(), envelope);
        checkWebhookResponse(status, headers, now());
      };
      try {
        await limiter.pass({ account: envelope.account, origin }, work, envelope);
        observe('delivered');
      } catch (error) {
        if (!envelope.signal.aborted) observe(outcomeOf(error, began));
        throw error;
      }
    },
  };
};

const outcomeOf = (error: unknown, began: boolean): CallbackOutcome => {
  if (error instanceof CircuitOpen) return 'open';
  if (error instanceof DeliveryPostponedError) return 'deferred';
  if (error instanceof Retryable) return began ? 'failed' : 'open';
  return 'refused';
};

const piecesOf = (content: Uint8Array | Readable): AsyncIterable<Uint8Array> =>
  content instanceof Readable ? content : Readable.from([content]);

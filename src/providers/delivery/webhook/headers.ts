/** The headers of a callback (Standard Webhooks): which event, when this attempt was made, and that it is ours. */
import { webhookSignature } from '../../../rules/deliveries/webhookSignature.ts';

export interface WebhookSignatureInput {
  eventId: string;
  /** `whsec_…`; each of them signs. */
  secrets: readonly string[];
  /** Of this attempt, epoch milliseconds. */
  now: number;
}

export const webhookHeaders = async (
  { eventId, secrets, now }: WebhookSignatureInput,
  body: Iterable<string | Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<Record<string, string>> => {
  const timestamp = Math.floor(now / 1_000);
  return {
    'user-agent': 'Ramal',
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': await webhookSignature(secrets, { id: eventId, timestamp }, body),
  };
};

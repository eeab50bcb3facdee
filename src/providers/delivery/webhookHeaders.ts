/** The headers of a callback (Standard Webhooks): which event, and when this attempt was made. */
import type { WrittenCallback } from '../../../machines/delivery/input.ts';

/** `now`: epoch milliseconds. A signature is made of these two and the body, and has its place here. */
export const callbackHeaders = (
  { eventId, contentType }: Pick<WrittenCallback, 'eventId' | 'contentType'>,
  now: number,
): Record<string, string> => ({
  'content-type': contentType,
  'user-agent': 'Ramal',
  'webhook-id': eventId,
  'webhook-timestamp': String(Math.floor(now / 1_000)),
});

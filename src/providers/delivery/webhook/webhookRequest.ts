/** From what is to be said to what is sent. */
import type {
  CallCallback,
  CallbackSubject,
  MessageCallback,
  VerbatimBodyCallback,
} from '../../../../machines/delivery/input.ts';
import type { ContentWithDigest } from '../../spoolUploadWithDigest.ts';
import type { WebhookAccount, WebhookBodyFields, Way } from './webhookAccountTypes.ts';
import { parseUrl } from '../../../lib/parseUrl.ts';

/** One request, before it is signed: the same bytes for every attempt. */
export interface WebhookRequest {
  /** `webhook-id`. */
  eventId: string;
  url: string;
  method: Way['method'];
  /** Empty with GET. */
  contentType: string;
  /** A long one lies on disk. */
  body: string | ContentWithDigest;
}

type Event = VerbatimBodyCallback | CallCallback | MessageCallback;

export const isEventCallback = (subject: CallbackSubject): subject is Event => subject.what !== 'push';

/**
 * What stands written is posted as it stands; an event is written in the account's way. Throws what `eventOf` throws.
 */
export const webhookRequestOf = async (
  event: Event,
  url: string,
  to: WebhookAccount,
): Promise<WebhookRequest> => {
  if (event.what === 'written') {
    const { eventId, contentType, body } = event;
    return { eventId, url, method: 'POST', contentType, body };
  }
  const { id, fields } = await to.eventOf(event);
  return { eventId: id, ...encodeWebhookFields(fields, url, to) };
};

/** Fields as JSON, as a form, or in the query of the address. */
export const encodeWebhookFields = (
  fields: WebhookBodyFields,
  url: string,
  { method, type }: Way,
): Omit<WebhookRequest, 'eventId'> => {
  if (method === 'GET') return { url: withQuery(url, formOf(fields)), method, contentType: '', body: '' };
  return type === 'json'
    ? { url, method, contentType: 'application/json', body: JSON.stringify(fields) }
    : { url, method, contentType: 'application/x-www-form-urlencoded', body: formOf(fields) };
};

const formOf = (fields: WebhookBodyFields): string =>
  new URLSearchParams(
    Object.entries(fields).map(([key, value]): [string, string] => [key, String(value)]),
  ).toString();

/** The address keeps its own query as it is written; a fragment is never sent. */
const withQuery = (url: string, query: string): string => {
  const address = parseUrl(url);
  if (!address) return url;
  address.hash = '';
  address.search = address.search === '' ? query : `${address.search}&${query}`;
  return address.href;
};

/**
 * Receipts of SMS gateways: `/hooks/sms/<route_id>`, by GET or POST as the gateway likes, read as the route's settings
 * say. Answered when all of them are durable, like every hook (decisions/0015).
 */
import {
  type SmsReceiptSettings,
  parseStoredSmsRouteSettings,
  smsRouteSecretSchemas,
} from '../rules/sms/smsRouteCarrierSchemas.ts';
import type { SmsRoute, HandleSmsReceipt } from '../providers/contracts/sms.ts';
import { type SmsGatewayReceipt, readSmsReceipts } from './read/smsReceipts.ts';
import type { HookAnswer } from './receiveChatWebhook.ts';
import { isSameSecret } from './signature.ts';

export interface SmsReceiptHookRequest {
  /** `route_id`. */
  route: number;
  /** Of the address, without `?`. */
  query: string;
  /** `Authorization`; empty: none. */
  authorization: string;
  rawBody: Buffer;
}

/** Never throws. */
export type ReceiveSmsReceiptHook = (hook: SmsReceiptHookRequest) => Promise<HookAnswer>;

export interface SmsReceiptHookDeps {
  /** An active route by its id alone; undefined: there is none. Throws when it cannot be known now. */
  findRoute(id: number): Promise<SmsRoute | undefined>;
  take: HandleSmsReceipt;
  /** Epoch milliseconds. */
  now(): number;
  /**
   * Turns an error into an answer: 503 when the database or the engine is unavailable, else 500 with an incident id.
   */
  failed(error: unknown): HookAnswer;
}

/** Receipts of one request. */
const MOST_RECEIPTS = 1_000;

export const smsReceiptHookReceiver =
  (scope: SmsReceiptHookDeps): ReceiveSmsReceiptHook =>
  async (hook) => {
    try {
      return await receive(scope, hook);
    } catch (error) {
      return scope.failed(error);
    }
  };

const receive = async (scope: SmsReceiptHookDeps, hook: SmsReceiptHookRequest): Promise<HookAnswer> => {
  const route = await scope.findRoute(hook.route);
  const settings = route?.kind === 'http' ? receiptSettingsOf(route) : undefined;
  if (typeof settings === 'string') return { http: 503, text: settings, retryAfterSeconds: 60 };
  if (!route || !settings) return { http: 404, text: 'there is no route that takes receipts' };
  if (!isAdmitted(hook, tokenOf(route))) return { http: 403, text: 'the token does not fit' };
  const receipts = readSmsReceipts(hook.query, hook.rawBody.toString('utf8'), settings);
  if (receipts.length > MOST_RECEIPTS) return { http: 413, text: `more than ${MOST_RECEIPTS} receipts` };
  if (receipts.some(({ providerId }) => providerId === ''))
    return {
      http: 400,
      text: 'a receipt names no message where the settings of the route say that it would',
    };
  const taken = await Promise.all(receipts.map((receipt) => take(scope, route, receipt)));
  return taken.includes('later')
    ? { http: 503, text: 'a message that this may be about is still on its way', retryAfterSeconds: 5 }
    : { http: 200, text: 'OK' };
};

const take = async (
  { take: takeReceipt, now }: SmsReceiptHookDeps,
  route: SmsRoute,
  { status, ...receipt }: SmsGatewayReceipt,
): Promise<'heard' | 'gone' | 'later'> =>
  status === undefined ? 'gone' : takeReceipt(route, { ...receipt, status, occurredAt: now() });

/** Undefined: it takes no receipts. A text: why its settings cannot be used; the operator was told at the start. */
const receiptSettingsOf = ({ settings }: SmsRoute): SmsReceiptSettings | string | undefined => {
  try {
    return parseStoredSmsRouteSettings('http', settings).receipts;
  } catch (error) {
    return `the route: ${(error as Error).message}`;
  }
};

/** Empty: the route has none, and takes no receipts. */
const tokenOf = (route: SmsRoute): string =>
  smsRouteSecretSchemas.http.parse(JSON.parse(route.openSecret() || '{}'))['receipt_token'] ?? '';

/** Gateways sign nothing: a request with the token, in the address or as a bearer, is believed. */
const isAdmitted = ({ query, authorization }: SmsReceiptHookRequest, token: string): boolean => {
  const [, bearer] = /^Bearer[ \t]+([^ \t].*)$/i.exec(authorization) ?? [];
  const shown = bearer ?? new URLSearchParams(query).get('token') ?? '';
  return token !== '' && isSameSecret(shown, token);
};

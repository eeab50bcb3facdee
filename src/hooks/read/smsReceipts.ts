/** Receipts as an SMS gateway writes them, read as its route says. */
import { isDeeperThan } from '../../lib/depth.ts';
import { readGatewayAnswerField } from '../../rules/sms/gatewayTemplate.ts';
import { parseJsonKeepingLargeIds } from '../../lib/jsonIds.ts';
import { isProviderId } from '../../rules/sms/providerId.ts';
import type { SmsReceiptSettings } from '../../rules/sms/smsRouteCarrierSchemas.ts';
import { truncateSentence } from './safeJsonAccess.ts';

export interface SmsGatewayReceipt {
  /** Empty: it names no message, or by what can be no id. */
  providerId: string;
  /** Undefined: it is still on its way. */
  status: 'delivered' | 'undelivered' | 'failed' | undefined;
  code: string;
  text: string;
}

/** `query`: that of the address; `body`: JSON, a form, or any text that expressions find their way in. */
export const readSmsReceipts = (
  query: string,
  body: string,
  settings: SmsReceiptSettings,
): SmsGatewayReceipt[] => {
  const text = asText(query, body.trim());
  return listAt(text, settings.list).map((one) => readReceipt(one, settings));
};

/** JSON stays as it is; forms and queries become an object of their names. */
const asText = (query: string, body: string): string => {
  if (/^[[{<]/.test(body)) return body;
  const isForm = body === '' || /^[^=&\s]+=/.test(body);
  if (!isForm) return body;
  return JSON.stringify(Object.fromEntries([...new URLSearchParams(query), ...new URLSearchParams(body)]));
};

/** The receipts of a body by themselves: of the list that the path leads to, or of one that is all there is. */
const listAt = (text: string, path: string | undefined): string[] => {
  const found = path === undefined ? parsed(text) : valueAt(parsed(text), path.split('.'));
  if (Array.isArray(found)) return found.map((one) => JSON.stringify(one));
  return path === undefined ? [text] : [];
};

/** Lists and objects within each other; what is deeper can be read and not be written again. */
const DEEPEST = 64;

const parsed = (text: string): unknown => {
  try {
    const value = parseJsonKeepingLargeIds(text);
    return isDeeperThan(value, DEEPEST) ? undefined : value;
  } catch {
    return undefined;
  }
};

const valueAt = (value: unknown, [key, ...rest]: readonly string[]): unknown => {
  if (key === undefined) return value;
  const holds = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  return holds ? valueAt((value as Record<string, unknown>)[key], rest) : undefined;
};

const readReceipt = (text: string, settings: SmsReceiptSettings): SmsGatewayReceipt => {
  const { id, status, error, error_code } = settings;
  const word = (readGatewayAnswerField(text, status) ?? '').trim().toLowerCase();
  const says = (words: readonly string[]): boolean => words.some((one) => one.toLowerCase() === word);
  const named = readGatewayAnswerField(text, id) ?? '';
  const ends = ['delivered', 'undelivered', 'failed'] as const;
  return {
    providerId: isProviderId(named) ? named : '',
    status: ends.find((end) => says(settings[end])),
    code: ((error_code && readGatewayAnswerField(text, error_code)) ?? '')
      .slice(0, LONGEST_CODE)
      .toWellFormed(),
    text: truncateSentence((error && readGatewayAnswerField(text, error)) ?? ''),
  };
};

const LONGEST_CODE = 20;

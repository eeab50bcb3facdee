/** What an SMSC brings by itself: a receipt in the text of Appendix B, in TLVs, or both; or a message from a telephone. */
import type { Pdu } from 'smpp';
import type { MessageReceiptStatus } from '../../../../machines/contracts/message.ts';
import { restoreAsciiMisreadAsGsm } from './gsmBytes.ts';
import { isProviderId, longestProviderId } from '../../../rules/sms/providerId.ts';
import type { SmppSettings } from '../../../rules/sms/smsRouteCarrierSchemas.ts';
import { trimTrailingCharacter } from '../../../lib/trimEnd.ts';

export interface SmppReceipt {
  providerId: string;
  status: MessageReceiptStatus;
  /** Epoch milliseconds; undefined: it does not say. */
  occurredAt: number | undefined;
  code: string;
  text: string;
  /** Our own reference, where the carrier brings it back. */
  reference: number | undefined;
  /** Whom the message went to. */
  to: string;
}

/** Bits 2 to 5 of `esm_class`: a receipt, or news on the way there. */
const receiptBits = 0x3c;
const receiptClasses: ReadonlySet<number> = new Set([0x04, 0x08, 0x20]);

const statuses: Readonly<Record<string, MessageReceiptStatus>> = {
  ENROUTE: 'sent',
  ACCEPTD: 'sent',
  DELIVRD: 'delivered',
  EXPIRED: 'undelivered',
  DELETED: 'undelivered',
  UNDELIV: 'undelivered',
  UNKNOWN: 'undelivered',
  REJECTD: 'failed',
};

/** `message_state` (5.2.28), from 1. */
const states = ['ENROUTE', 'DELIVRD', 'EXPIRED', 'DELETED', 'UNDELIV', 'ACCEPTD', 'UNKNOWN', 'REJECTD'];

/** Undefined: it is no receipt, or names no message. */
export const readSmppReceipt = (pdu: Pdu, settings: SmppSettings): SmppReceipt | undefined => {
  const bits = Number(pdu['esm_class'] ?? 0) & receiptBits;
  const told = trimTrailingCharacter(textOf(pdu['receipted_message_id']), '\0');
  if (!receiptClasses.has(bits) && told === '') return undefined;
  const words = restoreAsciiMisreadAsGsm(textOf(pdu['short_message']) || textOf(pdu['message_payload']));
  const id = told || (/\bid:\s*([^\s]+)/i.exec(words)?.[1] ?? '');
  const state =
    states[Number(pdu['message_state']) - 1] ?? wordAfter('stat', words).toUpperCase().slice(0, 7);
  const status = statuses[state];
  const providerId = canonicalReceiptId(id, settings);
  if (!isProviderId(providerId) || !status) return undefined;
  const fine = status === 'delivered' || status === 'sent';
  const error = wordAfter('err', words);
  return {
    providerId,
    status,
    occurredAt: momentOf(wordAfter('done date', words), settings.utc_offset_minutes),
    code: fine ? '' : error,
    text: fine ? '' : state,
    reference: typeof pdu['user_message_reference'] === 'number' ? pdu['user_message_reference'] : undefined,
    to: textOf(pdu['source_addr']).replace(/^\+/, ''),
  };
};

/** The id of a submission's answer, in the one way that receipts are compared with. */
export const canonicalSmppMessageId = (id: string, { receipt_ids: base }: SmppSettings): string => {
  if (base === 'decimal') return inDecimal(id, 16);
  return base === 'hex' ? inDecimal(id, 10) : id;
};

const canonicalReceiptId = (id: string, { receipt_ids: base }: SmppSettings): string => {
  if (base === 'decimal') return inDecimal(id, 10);
  return base === 'hex' ? inDecimal(id, 16) : id;
};

/** Without leading zeros; what is no such number stays as it is. */
const inDecimal = (id: string, base: 10 | 16): string => {
  if (id.length > longestProviderId) return id;
  if (base === 10) return /^\d+$/.test(id) ? BigInt(id).toString() : id;
  return /^[0-9a-f]+$/i.test(id) ? BigInt(`0x${id}`).toString() : id;
};

/** The package gives a text as it is, as bytes, or beside its header. */
const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (Buffer.isBuffer(value)) return value.toString('latin1');
  return typeof value === 'object' && value !== null && 'message' in value ? textOf(value.message) : '';
};

const wordAfter = (name: string, words: string): string =>
  new RegExp(`\\b${name}:\\s*(\\w+)`, 'i').exec(words)?.[1] ?? '';

/** `YYMMDDhhmm`, with or without seconds, on a clock so many minutes ahead of UTC. */
const momentOf = (written: string, offsetMinutes: number | undefined): number | undefined => {
  const [, year, month, day, hour, minute, second = '0'] =
    /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?$/.exec(written)?.map((part) => part ?? '0') ?? [];
  if (offsetMinutes === undefined || year === undefined) return undefined;
  const [y, mo, d, h, mi, s] = [year, month, day, hour, minute, second].map(Number) as [
    number, number, number, number, number, number,
  ]; // prettier-ignore
  return Date.UTC(2000 + y, mo - 1, d, h, mi, s) - offsetMinutes * 60_000;
};

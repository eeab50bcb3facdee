/** A text as the submissions it takes: one, or several that the telephone joins by a header (3GPP 23.040, 9.2.3.24.1). */
import { gsmBytes, ucs2Bytes } from './gsmBytes.ts';
import { segmentSms } from '../../../rules/sms/smsEncoding.ts';
import type { SmppSettings } from '../../../rules/sms/smsRouteCarrierSchemas.ts';

export interface SmsToSplit {
  to: string;
  from: string;
  text: string;
  /** Tells the parts of one text from those of another to the same number, 0 to 255. */
  reference: number;
}

/** Bit 6 of `esm_class`: the text begins with a header. */
const withHeader = 0x40;
const coding = { gsm: 0, ucs2: 8 } as const;

/** Parameters of `submit_sm`, a part each. */
export const splitIntoSmppParts = (
  { to, from, text, reference }: SmsToSplit,
  settings: SmppSettings,
): Record<string, unknown>[] => {
  const { encoding, parts } = segmentSms(text);
  const bytesOf = encoding === 'gsm' ? gsmBytes : ucs2Bytes;
  const common = {
    ...source(from === '' ? settings.from : from, settings),
    dest_addr_ton: settings.destination_ton,
    dest_addr_npi: settings.destination_npi,
    destination_addr: to,
    registered_delivery: settings.receipts ? 1 : 0,
    data_coding: coding[encoding],
  };
  if (parts.length === 1) return [{ ...common, esm_class: 0, short_message: bytesOf(text) }];
  return parts.map((part, index) => ({
    ...common,
    esm_class: withHeader,
    short_message: Buffer.concat([header(reference, parts.length, index + 1), bytesOf(part)]),
  }));
};

/** Concatenated short messages, 8-bit reference. */
const header = (reference: number, total: number, number: number): Buffer =>
  Buffer.from([5, 0, 3, reference & 0xff, total, number]);

/** Type of number and numbering plan, as the sender looks. */
const source = (from: string, { source_ton: ton, source_npi: npi }: SmppSettings) => {
  // The type of number says what a plus would.
  const address = from.replace(/^\+(?=\d+$)/, '');
  const [usualTon, usualNpi] = kindOfSender(address);
  return {
    source_addr: address,
    source_addr_ton: ton ?? usualTon,
    source_addr_npi: npi ?? usualNpi,
  };
};

/** Alphanumeric, a short code, or an international number; an empty one is for the carrier to fill in. */
const kindOfSender = (from: string): [number, number] => {
  if (from === '') return [0, 0];
  if (!/^\d+$/.test(from)) return [5, 0];
  return from.length <= 6 ? [3, 0] : [1, 1];
};

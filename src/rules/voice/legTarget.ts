/** Where a second leg goes, by the prefix of what the customer wrote (spec 4.2 `dest2`). */
import type { SecondLegTarget } from '../../../machines/call/input.ts';

/** Turns what a customer calls a number into what a carrier dials; undefined when it is none. */
export type NormalizePhoneNumber = (number: string) => string | undefined;

/** Reads `RT<ccba_id>`, `WA<number>`, `FI<queue_id>` or a telephone number; undefined when it is none of them. */
export const parseLegTarget = (
  text: string,
  normalize: NormalizePhoneNumber,
): SecondLegTarget | undefined => {
  const trimmed = text.trim();
  const prefixed = /^(RT|WA|FI)\s*(\S.*)$/is.exec(trimmed);
  if (!prefixed) return toNumber(trimmed, normalize);
  const [, prefix, rest] = prefixed;
  if (prefix!.toUpperCase() === 'WA') return toChat(rest!, normalize);
  const id = parseAgentOrQueueId(rest!);
  if (id === undefined) return undefined;
  return prefix!.toUpperCase() === 'RT' ? { kind: 'agent', agent: id } : { kind: 'queue', queue: id };
};

/** An id of an agent or a queue, 31 bits. */
export const parseAgentOrQueueId = (text: string): number | undefined =>
  /^\d{1,10}$/.test(text) && Number(text) > 0 && Number(text) < 2 ** 31 ? Number(text) : undefined;

const toNumber = (text: string, normalize: NormalizePhoneNumber): SecondLegTarget | undefined => {
  const number = asItStands(text) ?? normalize(text);
  return number === undefined ? undefined : { kind: 'number', number };
};

/** What begins so bypasses normalization (spec 4.2), whatever its length. */
const bypassing = /^(?:0800|300|400|103)\d{0,12}$/;

const asItStands = (text: string): string | undefined => {
  const digits = text.replaceAll(/[\s().\-/]/g, '');
  return bypassing.test(digits) ? digits : undefined;
};

const toChat = (text: string, normalize: NormalizePhoneNumber): SecondLegTarget | undefined => {
  const number = normalize(text);
  return number === undefined ? undefined : { kind: 'chat', number };
};

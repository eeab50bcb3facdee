/**
 * People's telephone numbers in answers, masked for readers who may not have them: in fields that are named for a number,
 * and wherever a text holds one (`maskPhoneNumbers.ts`). Pure.
 */
import { maskDigits, maskPhones } from './maskPhoneNumbers.ts';

/** Fields whose digits are a number's, however few or many: those of the interface, of machines, and of upstreams. */
const numberName =
  /(^|_)(dest2?|destinations?|phones?|tel|telefone|fone|celular|numbers?|contacts?|callers?|callees?|caller_ids?|to|from|wa_id|recipient|recipient_id|msisdn|called|calling|dialled)$/;
/** A number of JSON that counts or measures something, or is a moment. */
const measureName = /(^|_)(id|bytes|size|free|total|used|at|ms|time|timestamp|since|until|revision)$/;

const digitsOnly = /^\+?\d{5,20}$/;
/** What an event of a machine asked for: `ringTimeout+30000`. */
const timer = /^[A-Za-z][\w.:]*\+\d+$/;

/** `callerId` as `caller_id`. */
const plain = (name: string): string =>
  name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_')
    .replaceAll(/[- ]/g, '_')
    .toLowerCase();

/** Gives a text that a reader hands back later, by which what it stands for is found again. */
export type CreateOpaqueReference = (text: string) => string;

/**
 * A copy of a plain JSON value with all numbers masked, at every depth, in keys, and in JSON within texts. What a reader
 * must hand back to go on has a reference instead: `cursor` itself, and `contact` beside it as `contact_ref`.
 */
export const withMaskedNumbers = (value: unknown, reference: CreateOpaqueReference, name = ''): unknown => {
  if (typeof value === 'string') return maskText(value, reference, name);
  if (typeof value === 'number') return maskNumber(value, name);
  if (Array.isArray(value)) return value.map((part) => withMaskedNumbers(part, reference, name));
  if (typeof value !== 'object' || value === null) return value;
  return maskFields(value, reference);
};

const maskFields = (value: object, reference: CreateOpaqueReference): object => {
  const masked: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value)) {
    masked[freeName(masked, maskPhones(name))] = withMaskedNumbers(part, reference, name);
    if (name === 'contact' && typeof part === 'string') masked['contact_ref'] = reference(part);
  }
  return masked;
};

/** Two numbers as keys may look alike when they are masked. */
const freeName = (taken: object, name: string): string => {
  let free = name;
  for (let nth = 2; Object.hasOwn(taken, free); nth += 1) free = `${name} (${nth})`;
  return free;
};

const maskText = (text: string, reference: CreateOpaqueReference, name: string): string => {
  if (name === 'cursor') return maskPhones(text) === text ? text : reference(text);
  if (name === 'asked' && timer.test(text)) return text;
  if (digitsOnly.test(text) && numberName.test(plain(name))) return maskDigits(text);
  return /^\s*[[{]/.test(text) ? maskJson(text, reference) : maskPhones(text);
};

/** A text that is JSON stays JSON. */
const maskJson = (text: string, reference: CreateOpaqueReference): string => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return maskPhones(text);
  }
  const [before, after] = [JSON.stringify(json), JSON.stringify(withMaskedNumbers(json, reference))];
  return before === after ? text : after;
};

const maskNumber = (value: number, name: string): number | string => {
  const digits = String(value);
  const isNamed = numberName.test(plain(name));
  const fewest = isNamed ? 8 : 10;
  const isOne = /^\d{8,14}$/.test(digits) && digits.length >= fewest;
  if (!isOne || (!isNamed && measureName.test(plain(name)))) return value;
  return maskPhones(digits) === digits ? value : maskDigits(digits);
};

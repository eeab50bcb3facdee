/** What a refusal of Google's speech API means: try later, not with this key, or never with this text. */
import * as z from 'zod';
import { Retryable, NotRetryable } from '../../../engine/contract/performer.ts';

export interface GoogleSpeechHttpReply {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

const refusal = z.object({
  error: z.object({
    message: z.string().default(''),
    details: z.array(z.looseObject({ reason: z.string().optional() })).default([]),
  }),
});

/** A provider that asks for more patience is not believed, milliseconds. */
const LONGEST_WAIT_MS = 300_000;
const LONGEST_MESSAGE = 300;

/** `key` is taken out of what Google says, should it repeat it. */
export const googleSpeechFailure = (answer: GoogleSpeechHttpReply, key: string): Retryable | NotRetryable => {
  const { message, reasons } = readRefusal(answer.text);
  const said = `${answer.status} ${message}`.replaceAll(key, '…').trim().slice(0, LONGEST_MESSAGE);
  if (isPassing(answer.status)) return new Retryable(`Google answered ${said}`, waitOf(answer));
  if (answer.status === 401 || answer.status === 403 || reasons.includes('API_KEY_INVALID')) {
    // What Google says about our project is not for customers.
    const cause = new Error(said);
    return new NotRetryable('notAuthorised', 'Google does not accept the key of this service', { cause });
  }
  return new NotRetryable('refusedBySynthesizer', `Google answered ${said}`);
};

/** Too many requests, a timeout, or a fault of theirs. */
const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500;

const readRefusal = (text: string): { message: string; reasons: string[] } => {
  try {
    const { error } = refusal.parse(JSON.parse(text));
    return { message: error.message, reasons: error.details.flatMap(({ reason }) => reason ?? []) };
  } catch {
    return { message: '', reasons: [] };
  }
};

/** `Retry-After`, in seconds or as a date. */
const waitOf = ({ headers }: GoogleSpeechHttpReply): { afterMs?: number } => {
  const value = String(headers['retry-after'] ?? '').trim();
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return ms > 0 ? { afterMs: Math.min(ms, LONGEST_WAIT_MS) } : {};
};

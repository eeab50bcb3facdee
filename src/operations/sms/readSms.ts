/** From the parameters of MakeSMS to a number and a text, each step with the code of its refusal. */
import { readSmsNumber } from '../../rules/sms/smsNumber.ts';
import { charactersOf, composed, cutText, smsTextLimit } from '../../rules/sms/smsText.ts';
import type { SmsAsked } from './params.ts';

export interface SmsWish {
  /** E.164 without `+`. */
  number: string;
  text: string;
}

/** Throws 230, 235, 238 and 240, in this order. */
export const readSms = (asked: SmsAsked): SmsWish => {
  const { destination = '' } = asked.params;
  if (destination.trim() === '') throw asked.refuse('noDestination');
  const text = readText(asked);
  return { number: readNumber(asked, destination), text };
};

const readText = ({ params: { message = '', cutsText }, refuse }: SmsAsked): string => {
  if (message.trim() === '') throw refuse('noText');
  const text = composed(message);
  if (charactersOf(text) <= smsTextLimit) return text;
  if (cutsText) return cutText(text);
  throw refuse('tooLong');
};

const readNumber = ({ params: { brazil }, refuse }: SmsAsked, destination: string): string => {
  const read = readSmsNumber(destination, { brazil });
  if ('refused' in read) throw refuse('badNumber', `dest ${read.refused}`);
  return read.number;
};

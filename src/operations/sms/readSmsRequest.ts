/** From the parameters of MakeSMS to a number and a text, each step with the code of its refusal. */
import { readSmsNumber } from '../../rules/sms/smsNumber.ts';
import {
  countCharacters,
  composeSmsTextToNfc,
  cutToSmsTextLimit,
  smsTextLimit,
} from '../../rules/sms/smsText.ts';
import type { SmsRequestContext } from './params.ts';

export interface SmsRequest {
  /** E.164 without `+`. */
  number: string;
  text: string;
}

/** Throws 230, 235, 238 and 240, in this order. */
export const readSmsRequest = (ctx: SmsRequestContext): SmsRequest => {
  const { destination = '' } = ctx.params;
  if (destination.trim() === '') throw ctx.refuse('noDestination');
  const text = readText(ctx);
  return { number: readNumber(ctx, destination), text };
};

const readText = ({ params: { message = '', cutsText }, refuse }: SmsRequestContext): string => {
  if (message.trim() === '') throw refuse('noText');
  const text = composeSmsTextToNfc(message);
  if (countCharacters(text) <= smsTextLimit) return text;
  if (cutsText) return cutToSmsTextLimit(text);
  throw refuse('tooLong');
};

const readNumber = ({ params: { brazil }, refuse }: SmsRequestContext, destination: string): string => {
  const read = readSmsNumber(destination, { brazil });
  if ('refused' in read) throw refuse('badNumber', `dest ${read.refused}`);
  return read.number;
};

/** What an assistant writes as the number of a person in a chat app: international, or Brazilian without 55. */
import { readPhoneNumber } from '../voice/parsePhoneNumber.ts';

export type ChatNumberReading =
  /** `home`: it was completed with 55. */
  | { number: string; home: boolean }
  /** It reads as a Brazilian number and as one of another country. */
  | { home: string; abroad: string };

/** With `+` it is as it stands, and so is what reads as no Brazilian number. */
export const readHomeOrAbroadChatNumber = (written: string): ChatNumberReading => {
  const text = written.trim();
  const asItIs = { number: text, home: false };
  const digits = text.replaceAll(/[\s()+.-]/g, '');
  if (text.startsWith('+') || !/^(0\d{9,14}|\d{10,11})$/.test(digits)) return asItIs;
  const home = readPhoneNumber(digits, { brazil: true });
  if (home.kind !== 'mobile' && home.kind !== 'fixed') return asItIs;
  const abroad = readPhoneNumber(digits, { brazil: false });
  if (abroad.kind === 'foreign') return { home: home.number, abroad: `+${digits}` };
  return { number: home.number, home: true };
};

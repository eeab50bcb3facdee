/** Numbers as people write them. */
import { readPhoneNumber } from '../../rules/voice/parsePhoneNumber.ts';

/** A number as it was typed, and as it may be dialled; empty: it is none. */
export const phoneNumberVariants = (text: string): string[] => {
  const digits = text.replaceAll(/[\s().+-]/g, '');
  if (!/^\d{3,20}$/.test(digits)) return [];
  const read = readPhoneNumber(digits, { brazil: true });
  return [...new Set([...('number' in read ? [read.number] : []), digits, `55${digits}`])];
};

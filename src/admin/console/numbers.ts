/** Numbers as people write them. */
import { REGIONS } from '../../rules/voice/areaCodeTimeZones.ts';
import { readPhoneNumber } from '../../rules/voice/parsePhoneNumber.ts';

/** A number as it was typed, and as it may be dialled; empty: it is none. */
export const phoneNumberVariants = (text: string): string[] => {
  const digits = text.replaceAll(/[\s().+-]/g, '');
  if (!/^\d{3,20}$/.test(digits)) return [];
  const read = readPhoneNumber(digits, { brazil: true });
  return [...new Set([...('number' in read ? [read.number] : []), digits, `55${digits}`])];
};

/**
 * A Brazilian number that was typed without its area code, as it may be dialled in each area: records are found by whole
 * numbers only. Empty: it is none.
 */
export const numbersOfAllAreas = (text: string): string[] => {
  const [, local] = /^(9?[2-9]\d{3}[\s.-]?\d{4})$/.exec(text.trim()) ?? [];
  if (local === undefined) return [];
  return [...REGIONS.keys()].flatMap((area) => {
    const read = readPhoneNumber(`${area}${local.replaceAll(/\D/g, '')}`, { brazil: true });
    return 'number' in read ? [read.number] : [];
  });
};

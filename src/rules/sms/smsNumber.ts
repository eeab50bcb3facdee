/** Which numbers take an SMS (spec 4.12 `dest`, `setbrasil`). */
import { readPhoneNumber } from '../voice/parsePhoneNumber.ts';

export type SmsNumberReading = { number: string } | { refused: string };

/**
 * Reads the number of an SMS as E.164 without `+`. With `brazil` (the default) it is a Brazilian mobile, its ninth digit
 * added where it is missing; without it, international as it stands. `refused` is a sentence.
 */
export const readSmsNumber = (input: string, { brazil }: { brazil: boolean }): SmsNumberReading => {
  const read = readPhoneNumber(input, { brazil });
  switch (read.kind) {
    case 'mobile':
      return { number: read.number };
    case 'foreign':
      return brazil
        ? { refused: `${quoted(input)} is not a Brazilian mobile; numbers abroad need setbrasil=0` }
        : { number: read.number };
    case 'fixed':
      return { refused: `${quoted(input)} is a landline` };
    case 'special':
      return { refused: `${quoted(input)} is a special number, which takes no SMS` };
    case 'refused':
      return { refused: read.why };
  }
};

const quoted = (input: string): string => `"${input.trim().slice(0, 40)}"`;

/** Texts as the bytes that an SMSC takes: GSM 03.38 one septet a byte, UCS-2 big-endian. */

const escape = 0x1b;

/** In the order of the table; the escape itself stands for no character. */
const table =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§' +
  '¿abcdefghijklmnopqrstuvwxyzäöñüà';
const extension = new Map(
  Object.entries({
    '\f': 0x0a, '^': 0x14, '{': 0x28, '}': 0x29, '\\': 0x2f, '[': 0x3c, '~': 0x3d, ']': 0x3e, '|': 0x40, '€': 0x65,
  }),
); // prettier-ignore

const codes = new Map(Array.from(table, (character, code) => [character, code]));
codes.delete('\u001b');

/** Throws `RangeError` for a character that GSM 03.38 has no place for. */
export const gsmBytes = (text: string): Buffer => {
  const bytes = Buffer.allocUnsafe(text.length * 2);
  let length = 0;
  for (const character of text) {
    const code = codes.get(character) ?? extension.get(character);
    if (code === undefined) throw new RangeError('GSM 03.38 has no place for a character');
    if (extension.has(character)) length = bytes.writeUInt8(escape, length);
    length = bytes.writeUInt8(code, length);
  }
  return bytes.subarray(0, length);
};

export const ucs2Bytes = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

/**
 * A text that was written in ASCII and read as GSM 03.38, as it was meant: receipts come in ASCII under a data coding
 * that says otherwise.
 */
export const restoreAsciiMisreadAsGsm = (text: string): string =>
  text.replace(/[^\u0020-\u007e]/g, (character) => {
    const code = codes.get(character);
    return code === undefined || code < 0x20 ? character : String.fromCharCode(code);
  });

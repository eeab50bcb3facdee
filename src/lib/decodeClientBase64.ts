/** Base64 as clients write it (spec 4.8 `audio64`): behind a data URL, URL-safe, broken into lines, without padding. */

/** The text is not base64; the message says why. */
export class NotBase64 extends Error {}

/** Decodes text that comes in parts of any size, as it comes. Throws `NotBase64`. */
export async function* decodeBase64Stream(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let left = '';
  let ended = false;
  for await (const text of withoutDataUrl(parts)) {
    const { content, padding } = readPart(text);
    if (ended && content.replaceAll('-', '') !== '')
      throw new NotBase64('there is something after the padding');
    if (!ended) left += content;
    ended ||= padding !== '';
    const whole = left.length - (left.length % 4);
    if (whole > 0) yield Buffer.from(left.slice(0, whole), 'base64url');
    left = left.slice(whole);
  }
  if (left.length === 1) throw new NotBase64('one character is left over');
  yield Buffer.from(left, 'base64url');
}

const DATA_URL = /^\s*(?:data:[^,]{0,200};base64,)?/i;
/** A data URL's beginning stands in so much of the text, characters. */
const HEAD_CHARACTERS = 512;

async function* withoutDataUrl(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let head: string | undefined = '';
  for await (const part of parts) {
    const text = Buffer.from(part).toString('latin1');
    if (head === undefined) yield text;
    else if (head.length + text.length < HEAD_CHARACTERS) head += text;
    else {
      yield (head + text).replace(DATA_URL, '');
      head = undefined;
    }
  }
  if (head !== undefined) yield head.replace(DATA_URL, '');
}

/** Content in the URL-safe alphabet, and padding. A blank is what a form made of a `+`. */
const readPart = (text: string): { content: string; padding: string } => {
  const plain = text
    .replace(/[\t\r\n]+/g, '')
    .replace(/[+ ]/g, '-')
    .replaceAll('/', '_');
  const equals = plain.indexOf('=');
  const content = equals < 0 ? plain : plain.slice(0, equals);
  const padding = plain.slice(content.length);
  if (/^[\w-]*$/.test(content) && /^=*-*$/.test(padding)) return { content, padding };
  const wrong = /[^\w=-]/.exec(plain)?.[0];
  throw new NotBase64(
    wrong === undefined ? 'there is something after the padding' : `${JSON.stringify(wrong)} is not base64`,
  );
};

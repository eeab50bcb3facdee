/**
 * A body looked over while it comes in, before anything is parsed: the token in it, and whether it holds more than a
 * stranger may have parsed. One pass over the bytes, without a stack.
 */
import { LongFormValueSplitter } from './upload/spillUrlencodedLongValues.ts';

/** Parameters that show a token. */
const tokenNames = ['tsid', 'sid'] as const;
type TokenName = (typeof tokenNames)[number];
/** A longer text is neither such a name nor a token. */
const maxTextBytes = 200;
/** What is parsed of a stranger's JSON: names, elements, brackets within brackets. A refusal needs none of them. */
const bounds = { names: 1_000, elements: 10_000, depth: 64 };
/** What is parsed of anyone's JSON: each name more costs microseconds, during which no other is answered. */
export const maxJsonKeys = 60_000;

/** Bodies up to so many bytes are parsed without being looked over: they cost next to nothing. */
const unscannedBytes = 16 * 1024;

export interface BodyTokenScan {
  push(bytes: Uint8Array): void;
  /** The parameters found so far that show a token. Of a body that was not looked over, that is done now. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** Whether it is more than is parsed of a stranger's. */
  readonly isTooMuch: boolean;
  /** Whether it has more names than are parsed of anyone's. */
  readonly hasTooManyNames: boolean;
}

/** Looks over a body when it is longer than a short one, or when it is asked what it shows. */
export class LazyBodyScan implements BodyTokenScan {
  #held: Uint8Array[] = [];
  #bytes = 0;
  #scan: BodyTokenScan | undefined;

  push(chunk: Uint8Array): void {
    if (this.#scan) return this.#scan.push(chunk);
    this.#held.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > unscannedBytes) this.#begin();
  }

  get shown(): Readonly<Record<string, unknown>> {
    return (this.#scan ?? this.#begin()).shown;
  }

  get isTooMuch(): boolean {
    return this.#scan?.isTooMuch ?? false;
  }

  get hasTooManyNames(): boolean {
    return this.#scan?.hasTooManyNames ?? false;
  }

  #begin(): BodyTokenScan {
    const scan = createBodyAccessTokenScan(
      detectJsonOrFormByFirstBytes(Buffer.concat(this.#held), Infinity) ?? 'json',
    );
    for (const one of this.#held) scan.push(one);
    this.#held = [];
    this.#scan = scan;
    return scan;
  }
}

export const createBodyAccessTokenScan = (kind: 'json' | 'form'): BodyTokenScan =>
  kind === 'json' ? new JsonScan() : new FormScan();

/**
 * JSON begins with a brace, whatever the content type says. A byte order mark is passed over. Undefined: not seen yet;
 * after `mostBlank` bytes of white space it is a form.
 */
export const detectJsonOrFormByFirstBytes = (head: Buffer, mostBlank = 1024): 'json' | 'form' | undefined => {
  const begin = head
    .subarray(0, mostBlank)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()[0];
  if (begin === undefined && head.length < mostBlank) return undefined;
  return begin === '{' ? 'json' : 'form';
};

/** A form is split into so few pairs that it is never too much. */
class FormScan implements BodyTokenScan {
  readonly shown: Record<string, string> = {};
  readonly isTooMuch = false;
  readonly hasTooManyNames = false;
  readonly #splitter = new LongFormValueSplitter(tokenNames);

  push(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes);
    for (const { to, bytes: piece, first } of this.#splitter.push(chunk)) {
      if (to === undefined) continue;
      const before = first ? '' : (this.shown[to] ?? '');
      if (before.length <= maxTextBytes) this.shown[to] = before + Buffer.from(piece).toString('latin1');
    }
  }
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const letterD = 0x64;
const letterI = 0x69;
const openBrace = 0x7b;
const openBracket = 0x5b;
const closeBrace = 0x7d;
const closeBracket = 0x5d;

/** Every byte of a stranger's long body goes through here: nothing is made on the way but the tokens. */
class JsonScan implements BodyTokenScan {
  readonly shown: Record<string, string> = {};
  #names = 0;
  #elements = 0;
  #depth = 0;
  #deepest = 0;
  #inText = false;
  #escaped = false;
  /** The text being read, where it is of the outermost object; its length, which goes on beyond what is kept. */
  readonly #text = Buffer.alloc(maxTextBytes);
  #length = 0;
  /** The token's name that was read last, and the one that the next value belongs to. */
  #last: TokenName | undefined;
  #name: TokenName | undefined;

  get isTooMuch(): boolean {
    return this.#names > bounds.names || this.#elements > bounds.elements || this.#deepest > bounds.depth;
  }

  get hasTooManyNames(): boolean {
    return this.#names > maxJsonKeys;
  }

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#inText) at = this.#readText(bytes, at);
      else this.#readSign(bytes[at]!);
    }
  }

  #readSign(byte: number): void {
    switch (byte) {
      case quote:
        this.#inText = true;
        this.#length = 0;
        return;
      case comma:
        this.#elements += 1;
        if (this.#depth === 1) this.#name = undefined;
        return;
      case colon:
        this.#names += 1;
        if (this.#depth === 1) this.#name = this.#last;
        return;
      case openBrace:
      case openBracket:
        this.#depth += 1;
        if (this.#depth > this.#deepest) this.#deepest = this.#depth;
        return;
      case closeBrace:
      case closeBracket:
        this.#depth -= 1;
        return;
      default:
    }
  }

  /** Up to the quote that ends it, or the end of the chunk: where reading stopped. */
  #readText(bytes: Uint8Array, from: number): number {
    const text = this.#text;
    let length = this.#length;
    let escaped = this.#escaped;
    let at = from;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at]!;
      if (escaped) escaped = false;
      else if (byte === quote) break;
      else if (byte === backslash) escaped = true;
      if (length < maxTextBytes) text[length] = byte;
      length += 1;
    }
    this.#length = length;
    this.#escaped = escaped;
    if (at < bytes.length) {
      this.#inText = false;
      if (this.#depth === 1) this.#endText();
    }
    return at;
  }

  #endText(): void {
    if (this.#name === undefined) this.#last = this.#endsInId() ? tokenName(this.#raw()) : undefined;
    else this.shown[this.#name] = this.#length > maxTextBytes ? tooLong : unescaped(this.#raw());
  }

  /** Most names are none: no text is made of them. */
  #endsInId(): boolean {
    const length = this.#length;
    return (
      (length === 3 || length === 4) &&
      this.#text[length - 1] === letterD &&
      this.#text[length - 2] === letterI
    );
  }

  #raw(): Buffer {
    return this.#text.subarray(0, this.#length);
  }
}

/** Stands for a text that is no token. */
const tooLong = '-';

const tokenName = (raw: Buffer): TokenName | undefined =>
  tokenNames.find((name) => raw.toString('latin1') === name);

const unescaped = (raw: Buffer): string => {
  if (!raw.includes(backslash)) return raw.toString('utf8');
  try {
    return JSON.parse(`"${raw.toString('utf8')}"`) as string;
  } catch {
    return '';
  }
};

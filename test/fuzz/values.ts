/** Values for a parameter, out of its schema in `/openapi.json`: what fits, what is at the edge, and what is hostile. */
import * as fc from 'fast-check';

export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
}

/** A piece of JSON text that no value becomes when it is written. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  [fc.toStringMethod](): string {
    return `raw ${this.text.slice(0, 80)}`;
  }
}

export const jsonText = (value: unknown): string =>
  value instanceof RawJson ? value.text : (JSON.stringify(value) ?? 'null');

/** Longest text that is tried out for its length. */
const longest = 12_000;

/** What the schema admits. */
export const fitting = (schema: Schema): fc.Arbitrary<unknown> => {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(fitting));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'integer':
      return fc.integer(bounds(schema));
    case 'number':
      return fc.double({ ...bounds(schema), noNaN: true });
    case 'array':
      return fc.array(schema.items ? fitting(schema.items) : fc.string(), { maxLength: 4 });
    case 'object':
      return fc.record(
        Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, one]) => [key, fitting(one)])),
        { requiredKeys: [] },
      );
    case 'null':
      return fc.constant(null);
    default:
      return text(schema);
  }
};

const bounds = ({ minimum = -(2 ** 31), maximum = 2 ** 31 - 1 }: Schema) => ({
  min: Math.max(minimum, Number.MIN_SAFE_INTEGER),
  max: Math.min(maximum, Number.MAX_SAFE_INTEGER),
});

const text = ({ pattern, maxLength = 60 }: Schema): fc.Arbitrary<string> =>
  pattern === undefined
    ? fc.string({ maxLength: Math.min(maxLength, 60), unit: 'grapheme' })
    : // A fingerprint of a key, `SHA256:` and 43 letters, is the longest that is no shorter.
      fc.stringMatching(new RegExp(pattern), { maxLength: Math.min(maxLength, 60) });

/** The edges of what the schema admits, and just beyond them. */
export const atTheEdge = (schema: Schema): fc.Arbitrary<unknown> => {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(atTheEdge));
  const { minimum, maximum, maxLength } = schema;
  const numbers = [minimum, maximum].flatMap((n) =>
    n === undefined ? [] : [n, n - 1, n + 1, String(n), ` ${n} `, `${n}.0`, n + 0.5],
  );
  const texts = [maxLength ?? 0]
    .filter((length) => length < longest)
    .flatMap((length) => [
      'x'.repeat(length),
      'é'.repeat(length),
      'x'.repeat(length + 1),
      '😀'.repeat(length),
    ]);
  return fc.constantFrom<unknown>('', null, ' ', '0', 0, ...numbers, ...texts);
};

const deep = (open: string, close: string, depth: number): RawJson =>
  new RawJson(`${open.repeat(depth)}1${close.repeat(depth)}`);

const hostileValues: readonly unknown[] = [
  '\0', 'a\0b', '\ud800', 'a\udfffb', '\ufeff', '\u202e11987650000', 'Á'.normalize('NFD'), '😀',
  "'; DROP TABLE calls; --", '<script>alert(1)</script>', '${7*7}', '{{1}}', '<NOME><EXTRA1>', '%s%n', '$1\\1', '../../etc/passwd',
  'null', 'undefined', 'NaN', 'Infinity', '-0', '0x10', '1e3', '1_000', '١٢٣', '１２３', '1,5', '+1', '--1', '1 2',
  '2026-02-30', '0000-00-00', '9999-12-31', '2026-13-01', '24:00:00', '23:59:60', '99:99', '1970-01-01',
  '__proto__', 'constructor', 'toString', 'hasOwnProperty',
  'http://127.0.0.1:1/', 'http://169.254.169.254/', 'file:///etc/passwd', 'javascript:alert(1)', 'http://', 'https://[::1]/',
  '3|5|23:00|2026-11-22 10:00', '0|0|99:99|x', 'RT999999', 'WA', 'FI-1', '|', 'hangup', '1|content1', '*|replay',
  true, false, [], {}, [[]], [null], ['a', 'b'], { toString: 1 }, { length: -1 }, { constructor: { prototype: {} } }, [{}, 1, 'x'],
  -1, 0.1, 1e21, -1e21, 2 ** 31, 2 ** 53, -(2 ** 63),
  new RawJson('1e999'), new RawJson('-1e999'), new RawJson('123456789012345678901234567890'), new RawJson('-0'),
  new RawJson('"\\ud83d"'), new RawJson('{"__proto__":{"polluted":1}}'), new RawJson('{"a":1,"a":2}'),
  deep('[', ']', 3_000), deep('{"a":', '}', 3_000),
  'x'.repeat(100_000), '[{"phone":"11987650000"}', '[{"phone":{}}]', '[[["11987650000"]]]', '{"phone":"11987650000"}', '[1,2,3]',
]; // prettier-ignore

/** What no honest client sends. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...hostileValues) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
);

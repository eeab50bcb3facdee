import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseUrlEncodedForm, parseJsonObjectText } from '../../../src/rest/body.ts';
import type { LongParamBodySplitter } from '../../../src/rest/upload/split.ts';
import { LongFormValueSplitter } from '../../../src/rest/upload/spillUrlencodedLongValues.ts';
import { LongJsonValueSplitter } from '../../../src/rest/upload/spillLongJsonValues.ts';

/** Feeds a body in pieces; answers what stayed together, and what went its own way. */
const split = (splitter: LongParamBodySplitter, body: string, places: number[]) => {
  const bytes = Buffer.from(body);
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b);
  const rest: Uint8Array[] = [];
  let spilled: Uint8Array[] = [];
  const take = (pieces: ReturnType<LongParamBodySplitter['push']>) => {
    for (const { to, bytes: piece, first } of pieces) {
      if (first) spilled = [];
      (to === undefined ? rest : spilled).push(Buffer.from(piece));
    }
  };
  for (const [index, end] of [...ends, bytes.length].entries())
    take(splitter.push(Buffer.from(bytes.subarray(ends[index - 1] ?? 0, end))));
  take(splitter.end());
  return {
    rest: Buffer.concat(rest).toString(),
    spilled: Buffer.concat(spilled).toString(),
    inside: splitter.inside,
  };
};

const places = fc.array(fc.nat(2000), { maxLength: 12 });
const text = fc.string({
  unit: fc.constantFrom('😀', ...'aé"\\/{}[],:& =%+\n\u0007'.split('')),
  maxLength: 20,
});
const value = fc.oneof(
  text,
  fc.array(fc.record({ phone: text, n: fc.integer() }), { maxLength: 4 }),
  fc.object({ maxDepth: 2 }),
);

test('a long value leaves a JSON object whole, wherever it is cut', () => {
  fc.assert(
    fc.property(text, value, text, places, fc.boolean(), (before, long, after, at, escape) => {
      const plain = JSON.stringify({ before, nested: { long: 'no' }, long, after });
      // Clients that escape all beyond ASCII say the same.
      const body = escape
        ? plain.replace(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`) // oxlint-disable-line no-control-regex -- all of ASCII
        : plain;
      const { rest, spilled, inside } = split(new LongJsonValueSplitter(['long']), body, at);
      expect(inside).toBe(false);
      expect(parseJsonObjectText(rest)).toEqual({ before, nested: { long: 'no' }, long: null, after });
      if (typeof long === 'string') expect(spilled).toBe(long);
      else expect(JSON.parse(spilled)).toEqual(JSON.parse(JSON.stringify(long)));
    }),
    { numRuns: 1000 },
  );
});

test('a long value leaves a form whole, wherever it is cut', () => {
  fc.assert(
    fc.property(text, text, text, places, (before, long, after, at) => {
      const body = new URLSearchParams({ before, long, after }).toString();
      const { rest, spilled } = split(new LongFormValueSplitter(['long']), body, at);
      const bytes = (given: string) => Buffer.from(given).toString('latin1');
      expect(parseUrlEncodedForm(rest)).toEqual({ before: bytes(before), long: '', after: bytes(after) });
      expect(spilled).toBe(long);
    }),
    { numRuns: 1000 },
  );
});

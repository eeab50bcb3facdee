import { expect, test } from 'vitest';
import { BodyMemoryBudget } from '../../src/access/bodyMemoryBudget.ts';
import type { ApiClientIdentity } from '../../src/operations/declare.ts';
import { LazyBodyScan } from '../../src/rest/scanBodyTokenAndComplexity.ts';
import { RequestSenderRecognizer } from '../../src/rest/identifySenderMidBody.ts';

const good = { account: { id: 3 } } as ApiClientIdentity;

/** A sender where strangers have `left` bytes of room, and how often its token was looked at. */
const aSender = (
  left: number,
  more: { authorization?: string; fromQuery?: Record<string, unknown> } = {},
) => {
  const room = (most: number) => ({ most, mostOfOne: most });
  const bodies = new BodyMemoryBudget({ small: room(left), large: room(left), known: room(1_000_000) });
  let looks = 0;
  const sender = new RequestSenderRecognizer({
    place: bodies.enter('192.0.2.9'),
    recognise: async (given) => {
      looks += 1;
      const shown = given['tsid'] ?? more.authorization;
      return shown === 'good' ? good : undefined;
    },
    authorization: more.authorization ?? '',
    fromQuery: more.fromQuery ?? {},
  });
  return { sender, looks: () => looks };
};
const shownIn = (body: string) => {
  const scan = new LazyBodyScan();
  scan.push(Buffer.from(body));
  return () => scan.shown;
};

test('a small body that finds room is not looked at', () => {
  const { sender, looks } = aSender(100_000, { authorization: 'good' });
  expect([sender.hold(60, shownIn('{"tsid":"good"}')), looks()]).toEqual([true, 0]);
});

test.each([
  ['JSON', '{"a":1,"tsid":"good"}', {}, true],
  ['a form', 'a=1&tsid=good&b=2', {}, true],
  ['the query string', '', { fromQuery: { tsid: 'good' } }, true],
  ['the header', '', { authorization: 'good' }, true],
  ['nothing', '{"a":1}', {}, false],
  ['a wrong one', '{"tsid":"wrong"}', {}, false],
  [
    'a wrong one of the query string over a good one',
    '{"tsid":"good"}',
    { fromQuery: { tsid: 'wrong' } },
    false,
  ],
])(
  'where strangers have taken all room, a token in %s opens another, if it is good',
  async (_, body, more, held) => {
    const { sender } = aSender(0, more);
    expect(await sender.hold(60_000, shownIn(body))).toBe(held);
    expect(sender.isKnown).toBe(held);
  },
);

test('a token is looked at once, until another is shown', async () => {
  const { sender, looks } = aSender(1_000_000);
  for (let chunk = 0; chunk < 5; chunk += 1) await sender.hold(60_000, () => ({ tsid: 'wrong' }));
  expect(looks()).toBe(1);
  await sender.hold(60_000, () => ({ tsid: 'good' }));
  expect([looks(), sender.isKnown]).toEqual([2, true]);
});

import { describe, expect, it } from 'vitest';
import { breaks, type Break } from './plan.ts';
import { simulate } from './simulate.ts';

/** What must have gone wrong, or on, in some of the stories: else nothing was tried. */
const troubles = [
  'crashes',
  'pauses',
  'suspensions',
  'times the carrier was away',
  'refused all',
  'refused once',
  'clocks set',
  'wall clocks set',
  'lost replies',
  'late deeds',
  'partial batches',
  'taken up',
  'busy numbers',
  'long waits',
  'destinations called',
  'second answers',
  'messages short',
  'messages cut',
  'message failed',
  'receipts heard',
  'events heard twice',
  'events busy',
  'events down',
  'ends heard',
  'slots given again',
  'refused writes',
  'calls by the rulebook',
  'promotions',
  'copies restored',
  'written again',
  'full disks',
];

describe('three nodes on bad days', () => {
  const met = new Set<string>();
  const stories = new Set<string>();

  it.each([1, 2, 3])(
    'lose no call or message, dial, text and charge nobody twice, and leave nothing stuck (seed %i)',
    async (seed) => {
      const { violations, book, digest } = await simulate({ seed, calls: 300 });
      expect(violations).toEqual([]);
      stories.add(digest);
      for (const trouble of troubles) if (book.counted(trouble) > 0) met.add(trouble);
    },
  );

  it('were bad enough', () => {
    expect(troubles.filter((trouble) => !met.has(trouble))).toEqual([]);
  });

  it('tell the same story for the same seed, and another for another', async () => {
    const again = await simulate({ seed: 1, calls: 300 });
    expect([...stories].indexOf(again.digest)).toBe(0);
    expect(stories.size).toBe(3);
  });
});

describe('a broken guard is found out', () => {
  /** What must be seen to be violated. */
  const rules: Record<Break, string> = {
    revision: 'revision',
    readBack: 'heard twice',
    inbox: 'heard twice',
    beginLimit: 'begun unsure',
    wallClock: 'begun unsure',
    heartbeats: 'declared dead alive',
    atMostOnce: 'dialled twice',
    claims: 'two live calls',
    cursor: 'called twice',
    grants: 'no grant',
    hours: 'granted outside its hours',
    balance: 'overdrawn',
    slots: 'slot twice',
    minted: 'id twice',
    readOnly: 'begun late',
    unkept: 'begun unkept',
  };

  // One of a few shows it: some guards are needed only when two misfortunes meet. Those that show most come first; which
  // they are changes with engine and charts, and costs time only.
  const seeds = [6, 3, 4, 2, 5, 7, 10, 1, 8, 9, 11, 12];

  /** Those that few show, and the seed that shows it soonest. */
  const soonest: Partial<Record<Break, number>> = {
    wallClock: 3,
    heartbeats: 16,
    readBack: 1,
    cursor: 4,
    grants: 4,
    hours: 13,
    readOnly: 15,
  };

  it.each(breaks)('%s', async (guard) => {
    const seen = new Set<string>();
    const until = rules[guard];
    // A database that goes back makes stories long, and shows nothing more of the others.
    const setbacks = guard === 'unkept' ? 'kept' : 'never';
    for (const seed of new Set([soonest[guard] ?? seeds[0]!, ...seeds])) {
      if (seen.has(until)) break;
      const { violations } = await simulate({ seed, calls: 300, break: guard, until, setbacks });
      for (const { rule } of violations) seen.add(rule);
    }
    expect([...seen]).toContain(until);
  });
});

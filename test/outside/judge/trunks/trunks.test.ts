import { describe, expect, it } from 'vitest';
import type { Seen } from '../../evidence.ts';
import { judge, strict } from '../../judge.ts';
import { attempt, leg, refusedWith, spoken, trunkStory, type TrunkSpoiling } from './trunkStory.ts';

const isOf =
  (call: string, nth: number) =>
  (line: Seen): boolean =>
    line.kind === 'leg' && line.call === call && line.leg === nth;
const recorded =
  (call: string, more: object): NonNullable<TrunkSpoiling['change']> =>
  (line) =>
    line.kind === 'attempt' && line.call === call ? { ...line, ...more } : line;
const isAway =
  (phase: string) =>
  (line: Seen): boolean =>
    line.kind === 'asterisk' && line.phase === phase;

/** What is done to the story, and the rule that must speak. */
const spoiled: [string, string, TrunkSpoiling][] = [
  ['a leg that two carriers were asked for', 'rings once', { more: spoken('b', 'a_3', 1, 40_000, 42_000) }],
  ['a leg that was asked for twice', 'rings once', { more: [leg('a', 'a_3', 1, 50_000, 'dial')] }],
  ['a second leg that rang, long after', 'rings once', { more: spoken('a', 'a_2', 2, 100_000, 102_000) }],
  [
    'a second leg after an INVITE that got no answer',
    'rings once',
    { without: (line) => line.kind === 'leg' && line.call === 'a_1' && line.saw === 'refused' },
  ],
  ['another trunk after ringing', 'no failover after ringing', { more: [leg('b', 'a_1', 1, 1_020, 'rang')] }],
  [
    'another trunk after busy',
    'no failover after ringing',
    {
      change: (line) =>
        isOf('a_1', 1)(line) && 'sip' in line && line.sip === 503 ? { ...line, sip: 486 } : line,
    },
  ],
  [
    'another trunk after an Asterisk died with the INVITE',
    'no failover after ringing',
    { more: spoken('a', 'a_5', 2, 34_000, 37_000) },
  ],
  ['a leg that is in no record', 'tries agree', { more: spoken('a', 'a_9', 1, 90_000, 92_000) }],
  [
    'an attempt that went elsewhere than its record says',
    'tries agree',
    { change: recorded('a_2', { route: 'carrier-b' }) },
  ],
  [
    'an end that the carrier did not give',
    'tries agree',
    { change: recorded('a_2', { status: 'NOANSWER', sipStatus: 0 }) },
  ],
  ['an answer that no carrier gave', 'tries agree', { without: isOf('a_7', 1) }],
  [
    'a try that another carrier refused',
    'tries agree',
    { change: recorded('a_1', { tries: [{ route: 'carrier-a', leg: 1, sipStatus: 503 }] }) },
  ],
  [
    'a try with another answer',
    'tries agree',
    { change: recorded('a_1', { tries: [{ route: 'carrier-b', leg: 1, sipStatus: 500 }] }) },
  ],
  ['a try that no carrier saw', 'tries agree', { without: isOf('a_1', 1) }],
  ['an attempt with two legs', 'tries agree', { change: recorded('a_1', { tries: [], dialedAt: 990 }) }],
  [
    'more new legs a second than the trunk bears',
    'trunk limits',
    {
      more: Array.from({ length: 9 }, (_, nth) => [
        ...refusedWith('a', `a_2${nth}`, 1, 100_000 + nth * 60, 486),
        attempt(`a_2${nth}`, 'carrier-a', 100_000, { status: 'BUSY', sipStatus: 486 }),
      ]).flat(),
    },
  ],
  [
    'a rate that is too high for ten seconds',
    'trunk limits',
    {
      more: Array.from({ length: 60 }, (_, nth) => [
        ...refusedWith('a', `a_2${nth}`, 1, 100_000 + nth * 160, 486),
        attempt(`a_2${nth}`, 'carrier-a', 100_000 + nth * 160, { status: 'BUSY', sipStatus: 486 }),
      ]).flat(),
    },
  ],
  [
    'more legs at a time than the trunk bears',
    'trunk limits',
    {
      more: [1, 2, 3, 4].flatMap((nth) => [
        ...spoken('b', `a_2${nth}`, 1, 100_000 + nth * 1_000, 110_000),
        attempt(`a_2${nth}`, 'carrier-b', 100_000 + nth * 1_000, {}),
      ]),
    },
  ],
  [
    'a new leg at an Asterisk that is drained',
    'drained',
    { more: [...spoken('a', 'a_9', 1, 16_000, 18_000), attempt('a_9', 'carrier-a', 15_990, {})] },
  ],
  ['a live call that a drain has lost', 'drained', { change: recorded('a_3', { reason: 'lost' }) }],
  [
    'calls that wait while one Asterisk is away',
    'goes on elsewhere',
    {
      without: (line) => 'call' in line && line.call === 'a_6',
      change: (line) => (isAway('started')(line) ? { ...line, at: 50_000 } : line),
    },
  ],
  [
    'an Asterisk that is there again and never used',
    'used again',
    { without: (line) => 'call' in line && line.call === 'a_7' },
  ],
  [
    'a leg that is left at an Asterisk',
    'nothing is left',
    { change: (line) => (line.kind === 'remains' ? { ...line, count: 1 } : line) },
  ],
  ['an end that was not looked at', 'nothing is left', { without: (line) => line.kind === 'remains' }],
  [
    'a leg that was never over',
    'nothing is left',
    { without: (line) => line.kind === 'leg' && line.call === 'a_8' && line.saw === 'left' },
  ],
  [
    'a call that has no end',
    'one end',
    {
      more: [
        { kind: 'acknowledged', work: 'call', account: 1, tag: 'w1', id: 'a_1', at: 500 },
        {
          ...{ kind: 'record', work: 'call', account: 1, id: 'a_1', tag: 'w1', status: '' },
          ...{ refunded: false, at: 195_000 },
        },
      ],
    },
  ],
];

describe('the judge of trunks', () => {
  it('finds nothing where nothing is wrong', () => {
    expect(judge(trunkStory(), strict)).toEqual([]);
  });

  it.each(spoiled)('catches %s', (_, rule, spoiling) => {
    const found = judge(trunkStory(spoiling), strict);
    expect(found.map((one) => one.rule)).toContain(rule);
    for (const { lines } of found) expect(lines.length).toBeGreaterThan(0);
  });

  it('lets a trunk that was surely not reached be followed by another', () => {
    const spoiling = {
      without: isOf('a_1', 1),
      change: recorded('a_1', { tries: [{ route: 'carrier-b', leg: 1, sipStatus: 0 }] }),
    };
    expect(judge(trunkStory(spoiling), strict)).toEqual([]);
  });
});

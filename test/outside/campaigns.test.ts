import { describe, expect, it } from 'vitest';
import type { Evidence, Of, Seen } from './evidence.ts';
import { judge, lenient, strict } from './judge.ts';
import type { Bounds } from './judge/violation.ts';

const account = 103;
/** Their last two digits say what they do: answer, busy. */
const [ana, bia, caio, dora, eva] = [
  '5511970000100',
  '5511970000201',
  '5511970000300',
  '5511970000400',
  '5511970000500',
];

type Timed = Seen & { at: number };
const dial = (at: number, call: string, number: string, attempt = 1): Timed => ({
  ...{ kind: 'dialled', at, call, leg: String(attempt), number, attempt, rings: 6_000 },
});
const destination = (campaign: string, number: string, call: string, status: string, reason = ''): Timed => ({
  ...{ kind: 'destination', at: 90_000, campaign, number, call, state: 'ended', status, reason },
});
const standing = (campaign: string, tag: string, answered: number): Timed => ({
  ...{ kind: 'standing', at: 90_000, account, campaign, tag, state: 'completed', answered },
});
const plain = { account, attempts: 2, intervalMs: 60_000, perMinute: 60, maxAnswered: null, active: true };

/** Two campaigns. The first has one number twice and a blocked one, is paused and resumed; the second opens later. */
const whole: readonly Timed[] = [
  { kind: 'blocked', at: 500, account, number: dora, askedAt: 400 },
  {
    ...{ kind: 'campaign', at: 1_000, askedAt: 900, ...plain, tag: 'first', campaign: '1' },
    numbers: [ana, bia, caio, caio, dora],
  },
  {
    ...{ kind: 'campaign', at: 1_200, askedAt: 1_100, ...plain, tag: 'second', campaign: '2' },
    ...{ numbers: [eva], opensAt: 30_000 },
  },
  dial(2_000, 'a_1', ana),
  dial(3_000, 'a_2', bia),
  { kind: 'hungUp', at: 4_000, call: 'a_1', leg: '1' },
  { kind: 'changed', at: 4_000, campaign: '1', askedAt: 3_900, active: false },
  { kind: 'changed', at: 14_100, campaign: '1', askedAt: 14_000, active: true },
  dial(15_000, 'a_3', caio),
  dial(31_000, 'a_4', eva),
  dial(64_000, 'a_2', bia, 2),
  { kind: 'mended', at: 80_000 },
  standing('1', 'first', 2),
  standing('2', 'second', 1),
  destination('1', ana, 'a_1', 'OK'),
  destination('1', bia, 'a_2', 'BUSY'),
  destination('1', caio, 'a_3', 'OK'),
  destination('2', eva, 'a_4', 'OK'),
  { kind: 'skipped', at: 90_000, campaign: '1', number: caio, reason: 'duplicate' },
  { kind: 'skipped', at: 90_000, campaign: '1', number: dora, reason: 'blocklist' },
];

type Spoil = (lines: readonly Timed[]) => readonly Timed[];
const more =
  (...lines: Timed[]): Spoil =>
  (all) => [...all, ...lines];
const without =
  (isLeftOut: (line: Timed) => boolean): Spoil =>
  (all) =>
    all.filter((line) => !isLeftOut(line));
const change =
  <Kind extends Seen['kind']>(kind: Kind, which: (line: Of<Kind>) => boolean, to: Partial<Of<Kind>>): Spoil =>
  (all) =>
    all.map((line) => (line.kind === kind && which(line as Of<Kind>) ? { ...line, ...to } : line));
const redialled = (call: string, at: number, attempt = 1): Spoil =>
  change('dialled', (line) => line.call === call && line.attempt === attempt, { at });
const both =
  (one: Spoil, other: Spoil): Spoil =>
  (all) =>
    other(one(all));
const first = ({ campaign }: { campaign: string }): boolean => campaign === '1';

const found = (spoil: Spoil, bounds: Bounds): string[] => {
  const lines: Evidence[] = spoil(whole).toSorted((a, b) => a.at - b.at);
  const violations = judge(lines, bounds);
  for (const { lines: shown } of violations) expect(shown.length).toBeGreaterThan(0);
  return violations.map(({ rule }) => rule);
};

const spoiled: [string, string, Spoil][] = [
  ['an attempt too many', 'rules of campaigns', more(dial(125_000, 'a_2', bia, 3))],
  ['another attempt after an answer', 'rules of campaigns', more(dial(70_000, 'a_1', ana, 2))],
  ['another attempt before its time', 'rules of campaigns', redialled('a_2', 20_000, 2)],
  ['an attempt that was dialled twice', 'dialled once', more(dial(64_500, 'a_2', bia, 2))],
  ['a dial before the window opens', 'rules of campaigns', redialled('a_4', 25_000)],
  [
    'more dials than the pace allows',
    'rules of campaigns',
    both(
      both(
        without(({ kind }) => kind === 'changed'),
        redialled('a_3', 2_500),
      ),
      change('campaign', first, { perMinute: 1 }),
    ),
  ],
  ['more answers than were wanted', 'rules of campaigns', change('campaign', first, { maxAnswered: 1 })],
  ['a dial while it was paused', 'paused', redialled('a_3', 9_000)],
  [
    'a dial before it was switched on',
    'paused',
    change('campaign', ({ campaign }) => campaign === '2', { active: false }),
  ],
  [
    'a blocked number that was dialled',
    'block list',
    more({ kind: 'blocked', at: 5_000, account, number: caio, askedAt: 4_900 }),
  ],
  [
    'a number in two calls at once',
    'one call at a time',
    more(dial(3_000, 'a_9', ana), destination('2', ana, 'a_9', 'OK')),
  ],
  [
    'a record that is lost',
    'records of campaigns',
    without((line) => line.kind === 'destination' && line.call === 'a_1'),
  ],
  [
    'a record that was left out silently',
    'records of campaigns',
    without((line) => line.kind === 'skipped' && line.number === caio),
  ],
  [
    'a record that was left out for a reason that is not true',
    'records of campaigns',
    change('skipped', ({ number }) => number === dora, { reason: 'mobile' }),
  ],
  [
    'a record that waits though all is over',
    'records of campaigns',
    change('destination', ({ call }) => call === 'a_4', { call: '', state: 'waiting', status: '' }),
  ],
  [
    'a busy number that was never dialled',
    'records of campaigns',
    without((line) => line.kind === 'dialled' && line.call === 'a_2'),
  ],
  [
    'a number that is said to be blocked',
    'records of campaigns',
    both(
      without((line) => line.kind === 'dialled' && line.call === 'a_3'),
      change('destination', ({ call }) => call === 'a_3', { status: 'CANCEL', reason: 'blocklist' }),
    ),
  ],
  ['a campaign that was made twice', 'records of campaigns', more(standing('3', 'first', 0))],
  [
    'a campaign that is not there',
    'records of campaigns',
    without((line) => line.kind === 'standing' && line.campaign === '2'),
  ],
  [
    'a campaign that goes on for ever',
    'records of campaigns',
    change('standing', first, { state: 'active' }),
  ],
  ['answers that are counted wrongly', 'records of campaigns', change('standing', first, { answered: 3 })],
  ['a dial for a call that is in no record', 'records of campaigns', more(dial(70_000, 'a_99', ana))],
  [
    'a campaign that was refused',
    'records of campaigns',
    more({
      ...{ kind: 'answered', at: 800, by: 'campaigner', door: 'CreateCampaign', tag: 'third', node: 'one' },
      ...{ http: 400, code: '251', ms: 9, said: 'no list' },
    }),
  ],
  ['a campaign that dials late', 'campaigns go on', redialled('a_3', 60_000)],
];

describe('the judge of campaigns', () => {
  it.each([strict, lenient])('finds nothing where nothing is wrong', (bounds) =>
    expect(found((all) => all, bounds)).toEqual([]),
  );

  it.each(spoiled)('catches %s', (_, rule, spoil) => expect(found(spoil, strict)).toContain(rule));

  it('does not take seconds for idleness when it is lenient, but minutes', () => {
    expect(found(redialled('a_3', 60_000), lenient)).toEqual([]);
    expect(found(redialled('a_3', 300_000), lenient)).toContain('campaigns go on');
  });

  it('does not call a campaign idle whose last number was in the call of another', () => {
    const late = redialled('a_3', 45_000);
    expect(found(late, strict)).toContain('campaigns go on');
    expect(found(both(late, more(dial(14_500, 'a_9', caio))), strict)).not.toContain('campaigns go on');
  });

  it('excuses a dial that was under way when its node stood still, but no other', () => {
    const frozen = (from: number, to: number): Spoil =>
      more(
        { kind: 'fault', fault: 'freeze', node: 'one', phase: 'began', count: 0, note: '', at: from },
        { kind: 'fault', fault: 'freeze', node: 'one', phase: 'ended', count: 1, note: '', at: to },
      );
    const late = redialled('a_3', 9_000);
    expect(found(both(late, frozen(3_000, 8_900)), strict)).not.toContain('paused');
    expect(found(both(late, frozen(8_000, 8_900)), strict)).toContain('paused');
  });

  describe('where a database went back to before the list of a campaign', () => {
    const wentBack = (lostFrom: number): Spoil =>
      both(
        without((line) => line.kind === 'destination' && line.campaign === '1'),
        more(
          { kind: 'database', at: 20_000, fault: 'restoreOld', phase: 'away', note: '' },
          { kind: 'database', at: 20_100, fault: 'restoreOld', phase: 'whole', note: '', lostFrom },
        ),
      );

    it('asks for no records of it', () => {
      expect(found(wentBack(800), strict)).toEqual([]);
      expect(found(wentBack(10_000), strict)).toContain('records of campaigns');
    });

    it('asks for none where the list was asked for before and granted after', () => {
      const list: Timed = {
        ...{ kind: 'answered', at: 20_050, by: 'campaigner', door: 'CreateDestinationBase', tag: 'first' },
        ...{ node: 'one', http: 200, code: '0', ms: 150, said: 'OK' },
      };
      expect(found(both(wentBack(10_000), more(list)), strict)).toEqual([]);
      const later = { ...list, at: 20_300 };
      expect(found(both(wentBack(10_000), more(later)), strict)).toContain('records of campaigns');
    });

    it('asks for no record of a dial whose number another campaign has too', () => {
      const shared = both(
        change('campaign', ({ campaign }) => campaign === '2', { numbers: [eva, bia] }),
        more(destination('2', bia, 'a_2', 'BUSY')),
      );
      const inNoRecord = more(dial(70_000, 'a_9', bia));
      expect(found(both(both(wentBack(800), shared), inNoRecord), strict)).not.toContain(
        'records of campaigns',
      );
      expect(found(both(shared, inNoRecord), strict)).toContain('records of campaigns');
    });

    it('still counts its dials', () => {
      const oneMore = both(wentBack(800), more(dial(125_000, 'a_99', bia)));
      expect(found(oneMore, strict)).toEqual(['forgotten campaigns']);
      expect(found(both(wentBack(800), more(dial(64_500, 'a_2', bia, 2))), strict)).toContain('dialled once');
    });
  });
});

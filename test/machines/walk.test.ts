/** Walks through the charts at random: facts repeated, late, in any order, about any leg. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callStateMachine } from '../../machines/call.ts';
import type { CallInput, DtmfKeyAction, SecondLegTarget } from '../../machines/call/input.ts';
import { callMachineKind } from '../../machines/index.ts';
import { line } from '../../machines/callQueue.ts';
import { aCall, callback, events, text } from './calls.ts';
import { Story } from './story.ts';

const CAMPAIGN = 12;

type Step = { type: string; facts: Record<string, unknown> } | { waits: true };

const leg = fc.integer({ min: 0, max: 6 });
const fact = (type: string, facts: Record<string, fc.Arbitrary<unknown>> = {}): fc.Arbitrary<Step> =>
  fc.record({ type: fc.constant(type), facts: fc.record(facts) });
const playback = fc.integer({ min: 0, max: 6 }).map((number) => `p${number}`);
const target = fc.constantFrom<SecondLegTarget>(
  { kind: 'number', number: '551133334444' },
  { kind: 'queue', queue: 9 },
  { kind: 'agent', agent: 9 },
);
const endpoint = fc.constantFrom({ kind: 'sip', uri: 'sip:a@b' }, { kind: 'websocket', url: 'wss://x' });
const outcome = fc.constantFrom('normal', 'busy', 'noAnswer', 'cancelled', 'congestion', 'unreachable');
const hungUp = { leg, outcome, cause: fc.constant(16), sipStatus: fc.constant(0), by: fc.constant('them') };
const media = {
  leg,
  recording: fc.constantFrom('r1', 'r2'),
  media: fc.constant('m'),
  seconds: fc.constant(3),
};
const failed = {
  params: fc.record({ leg, playback }),
  reason: fc.constantFrom('timeout', 'busy', 'x'),
  message: fc.constant(''),
};

const steps: fc.Arbitrary<Step>[] = [
  fc.constant({ waits: true }),
  fact('audioPrepared', {
    audio: fc.array(fc.record({ media: fc.constant('m'), seconds: fc.constant(2) }), { maxLength: 6 }),
  }),
  fact('prepareAudioFailed', failed),
  fact('cleared', { route: fc.constant('r') }),
  fact('refused', { reason: fc.constant('blocklist'), detail: fc.constant('') }),
  fact('postponed', {
    reason: fc.constant('window'),
    detail: fc.constant(''),
    until: fc.constant(1_700_000_900_000),
  }),
  fact('ringing', { leg }),
  fact('answered', { leg }),
  fact('hungUp', hungUp),
  fact('hungUp', { ...hungUp, lost: fc.constant(true) }),
  fact('legFound', { leg, state: fc.constantFrom('dialing', 'ringing', 'up') }),
  fact('played', { leg, playback }),
  fact('playFailed', { leg, playback, reason: fc.constant('') }),
  fact('playFailed', failed),
  fact('digitReceived', { leg, digit: fc.constantFrom('0', '1', '2', '9', '#', '*') }),
  fact('machineDetected', { leg, result: fc.constantFrom('human', 'machine', 'notSure') }),
  fact('recorded', media),
  fact('recordFailed', media),
  fact('recordFailed', failed),
  fact('originateFailed', failed),
  fact('bridgeFailed', failed),
  fact('hangUpFailed', failed),
  fact('targetResolved', { how: fc.constant('endpoint'), endpoint }),
  fact('targetResolved', { how: fc.constant('line'), line: fc.constant(9) }),
  fact('targetRefused', { reason: fc.constant('noAgent'), detail: fc.constant('') }),
  fact('memberOffered', { line: fc.constantFrom(8, 9), member: fc.constantFrom('a', 'b'), endpoint }),
  fact('noneFree', { line: fc.constantFrom(8, 9) }),
  fact('transferRequested', { leg, to: target }),
  fact('digitsRequested', { leg, digits: fc.constant('1') }),
  fact('smsAccepted', { providerId: fc.constant('s'), slow: fc.boolean() }),
  fact('outcomeUnknown', { effect: fc.constantFrom('originate', 'sendSms'), params: fc.record({ leg }) }),
  fact('takenOver'),
  fact('cancel'),
  fact('retryNow'),
  fact('resolveUnknown', { outcome }),
  fact('attemptGranted'),
  // So many questions ago: `tell` makes the question's number of it.
  fact('attemptGranted', { ask: fc.integer({ min: 0, max: 2 }) }),
  fact('attemptAwaited', { ask: fc.integer({ min: 0, max: 2 }) }),
  fact('attemptRevoked', { ask: fc.integer({ min: 0, max: 2 }) }),
  fact('attemptDeferred', {
    until: fc.constant(1_700_000_300_000),
    reason: fc.constantFrom('paused', 'window', 'pace'),
    detail: fc.constant(''),
  }),
  fact('attemptRevoked'),
  fact('campaignOver', { reason: fc.constantFrom('limitReached', 'expired', 'cancelled') }),
  fact('claimRefused', { key: fc.constant('k'), owner: fc.constant('o') }),
  fact('somethingElse'),
];

/** Facts that a healthy world would send in this state: they carry the walk deep into the chart. */
const likely = (told: Story): Step => {
  const context = told.snapshot.context as {
    lastLeg: number;
    talk: { plays: number };
    dial: { leg: number };
  };
  const callee = context.dial.leg;
  if (told.state === 'preparing') {
    const texts = told.last('prepareAudio')['texts'] as unknown as unknown[];
    return { type: 'audioPrepared', facts: { audio: texts.map(() => ({ media: 'm', seconds: 2 })) } };
  }
  if (told.state === 'awaitingTurn') return { type: 'attemptGranted', facts: {} };
  if (told.state === 'clearing') return { type: 'cleared', facts: { route: 'r' } };
  if (told.state.startsWith('dialing')) return { type: 'answered', facts: { leg: callee } };
  if (told.state === 'answered.transferring.resolving')
    return { type: 'targetResolved', facts: { how: 'line', line: 9 } };
  if (told.state.startsWith('answered.transferring'))
    return { type: 'answered', facts: { leg: context.lastLeg } };
  return { type: 'played', facts: { leg: callee, playback: `p${context.talk.plays}` } };
};

const keys = fc.constantFrom<Record<string, DtmfKeyAction>>(
  {},
  { 1: { do: 'transfer', to: { kind: 'queue', queue: 9 } }, 2: { do: 'play', slot: 1 }, 9: { do: 'replay' } },
  { 0: { do: 'optOut' }, 1: { do: 'play', slot: 3 }, '#': { do: 'hangUp' } },
);
const someCall: fc.Arbitrary<CallInput> = fc
  .record({
    mode: fc.constantFrom('play', 'confirm', 'menu', 'recordAnswer', 'agent', 'question', 'validate'),
    secondAnswer: fc.constantFrom(0, 1, 2),
    opening: fc.constantFrom([], [text('a')], [text('a'), { media: 'b' }]),
    notices: fc.boolean(),
    machine: fc.boolean(),
    keys,
    transfer: fc.option(target, { nil: undefined }),
    waitInLine: fc.boolean(),
    recording: fc.constantFrom(undefined, 'ini', 'conf', 'pa'),
    tries: fc.integer({ min: 1, max: 3 }),
    until: fc.constantFrom(undefined, 1_700_000_500_000, 1_700_003_000_000),
    sms: fc.constantFrom(undefined, 'ok', 'nae', 'oknae', 'dtmf1'),
    sendDigits: fc.boolean(),
    campaign: fc.option(fc.boolean(), { nil: undefined }),
    alternatives: fc.constantFrom(undefined, ['5511900000002', '5511900000003']),
    events: fc.option(
      fc.constantFrom([], ['all'], ['ringing', 'dtmf', 'retry'], ['queued', 'answered', 'sms']),
      { nil: undefined },
    ),
  })
  .map((given) =>
    aCall({
      mode: given.mode,
      prompts: {
        opening: [...given.opening],
        slots: { 1: text('one') },
        ...(given.notices ? { noDigit: text('n'), wrong: text('w'), ending: text('e'), ask: text('q') } : {}),
        ...(given.machine ? { machine: text('m') } : {}),
        ...(given.machine !== given.notices
          ? {
              validate: { ask: text('v'), match: text('ok'), notConfirmed: text('no'), noDigit: text('?') },
              beforeTransfer: text('b'),
              nobodyFree: text('f'),
            }
          : {}),
      },
      keys: given.keys,
      digits: { count: 2, waitSeconds: 5, confirm: '1', replay: '9' },
      secondAnswer: given.secondAnswer,
      validation: { confirm: '1', digits: 2, expected: '12022' },
      ...(given.transfer ? { transfer: given.transfer } : {}),
      waitInLine: given.waitInLine,
      ...(given.recording ? { recording: { maxSeconds: 30, from: given.recording } } : {}),
      schedule: { tries: given.tries, intervalMs: 60_000, ...(given.until ? { until: given.until } : {}) },
      ...(given.sms ? { sms: { when: given.sms, text: 't', digit: '1' } } : {}),
      ...(given.campaign === undefined
        ? {}
        : { campaign: { id: CAMPAIGN, row: 3, region: '11', granted: given.campaign } }),
      ...(given.alternatives ? { alternatives: [...given.alternatives] } : {}),
      ...(given.events ? { callback: callback(...given.events) } : {}),
      ...(given.sendDigits ? { sendDigits: { digits: '1', afterSeconds: 1 } } : {}),
    }),
  );

/** A campaign speaks of questions that it was asked. */
const asked = (told: Story, facts: Record<string, unknown>): Record<string, unknown> => {
  const { turn } = told.snapshot.context as { turn?: { ask?: number } };
  return 'ask' in facts ? { ...facts, ask: Math.max(0, (turn?.ask ?? 0) - Number(facts['ask'])) } : facts;
};

const tell = (told: Story, step: Step): void => {
  told.asked = [];
  if (!('waits' in step)) told.hears(step.type, asked(told, step.facts));
  else if (told.timers.size > 0) told.waits();
};

/** What the campaign was told, in order. */
const reports = (told: Story): { type: string; was?: string; ask?: number }[] =>
  told.all
    .filter(({ name, params }) => name === 'tell' && params['machine'] === CAMPAIGN)
    .map(({ params }) => params['event'] as { type: string; was?: string; ask?: number });

/**
 * A campaign can count by what it is told: every attempt that begins is granted and comes to one end, as an answer,
 * by its own word, or with the call; the end is told once and last.
 */
const isCounted = (told: Story, input: CallInput): void => {
  const words = reports(told);
  let stage: 'idle' | 'dialling' | 'up' = 'idle';
  let over = -1;
  for (const [index, { type, was, ask }] of words.entries()) {
    // What it gave back, or asked anew for, or used, it does not dial on.
    if (type === 'attemptBegun' && ask! <= over) throw new Error(`dials on grant ${ask}, over since ${over}`);
    if (type === 'attemptWanted') over = Math.max(over, ask! - 1);
    if (type === 'attemptDropped' || type === 'attemptBegun') over = Math.max(over, ask!);
    const expected = EXPECTED[type];
    if (expected && expected !== stage) throw new Error(`${type} while ${stage}`);
    if (type === 'callEnded' && (was !== stage || index !== words.length - 1))
      throw new Error(`ended as ${was} while ${stage}`);
    stage = NEXT[type] ?? stage;
  }
  const ends = words.filter(({ type }) => type === 'callEnded').length;
  if (ends !== (input.campaign && told.isOver ? 1 : 0)) throw new Error(`its end was told ${ends} times`);
  const [claimed, released] = [told.count('claim'), told.count('release')];
  if (released > claimed) throw new Error('more released than claimed');
};
const EXPECTED: Record<string, string> = {
  attemptWanted: 'idle',
  attemptBegun: 'idle',
  attemptEnded: 'dialling',
  callAnswered: 'dialling',
  callTransferred: 'up',
  transferUndone: 'up',
};
const NEXT: Record<string, 'idle' | 'dialling' | 'up'> = {
  attemptBegun: 'dialling',
  attemptEnded: 'idle',
  callAnswered: 'up',
};

/** The record of each story when it was over and its final event told: what is read whenever that is carried. */
const lastRecords = new WeakMap<Story, string>();

const recordText = ({ context, state }: Story): string => {
  const { attempts: _, ...life } = callMachineKind.record!.onUpdate(context, state);
  return JSON.stringify(life);
};

/** Whoever wants callbacks has heard of one end, last, when the record stood as it stays; of the rest what was asked for. */
const isToldOf = (told: Story, { callback: wish }: CallInput): void => {
  const heard = events(told);
  const ends = heard.filter(({ final }) => final);
  if (ends.length !== (wish ? 1 : 0)) throw new Error(`${ends.length} final events`);
  if (!wish) return;
  const isAsked = (event: string): boolean => wish.events.includes(event) || wish.events.includes('all');
  const unasked = heard.find(({ event, final }) => !final && !isAsked(event));
  if (unasked) throw new Error(`nobody asked for ${unasked.event}`);
  expect(recordText(told)).toBe(lastRecords.get(told));
  const { status } = callMachineKind.record!.onUpdate(told.context, told.state);
  expect(ends[0]!.event).toBe(status === 'OK' ? 'completed' : 'failed');
};

/** What must hold after every step of a call. */
const isSound = (told: Story, input: CallInput): void => {
  if (told.isOver && !lastRecords.has(told)) lastRecords.set(told, recordText(told));
  if (!told.isOver && told.timers.size === 0) throw new Error(`nothing would ever happen in ${told.state}`);
  const legs = told.all.filter(({ name }) => name === 'originate').map(({ params }) => params['leg']);
  if (new Set(legs).size !== legs.length) throw new Error(`a leg number was used twice: ${legs.join(' ')}`);
  const dials = told.all.filter(
    ({ name, params }) => name === 'originate' && params['onBehalfOf'] === undefined,
  );
  const numbers = 1 + (input.alternatives?.length ?? 0);
  if (dials.length > input.schedule.tries * numbers) throw new Error('more dials than tries');
  if (told.count('sendSms') > 1) throw new Error('two messages');
  if (told.all.filter(({ params }) => params['milestone'] === 'ended').length > 1)
    throw new Error('two ends');
  const life = callMachineKind.record!.onUpdate(told.context, told.state);
  if (life['finished'] !== told.isOver) throw new Error('the record does not know the end');
  if (told.isOver && !life['status']) throw new Error('no outcome at the end');
  isCounted(told, input);
  if (told.isOver) isToldOf(told, input);
};

describe('a call, walked at random', () => {
  it('never throws, never leaves its end, always has a timer, and ends once time passes', () => {
    fc.assert(
      fc.property(
        someCall,
        fc.array(
          fc.oneof({ weight: 3, arbitrary: fc.oneof(...steps) }, { weight: 2, arbitrary: fc.constant(null) }),
          {
            maxLength: 40,
          },
        ),
        (input, walk) => {
          const told = new Story(callStateMachine, input);
          isSound(told, input);
          for (const step of walk) {
            const wasOver = told.isOver;
            tell(told, step ?? likely(told));
            isSound(told, input);
            if (wasOver) expect([told.isOver, told.asked]).toEqual([true, []]);
          }
          // Time alone ends it, but for call admission and the campaign: a call may wait for either as long as it
          // takes.
          for (let left = 200; !told.isOver; left -= 1) {
            if (left === 0) throw new Error(`stuck in ${told.state}`);
            if (told.state === 'clearing') told.hears('cleared', { route: 'r' });
            else if (told.state === 'awaitingTurn') told.hears('attemptGranted');
            else told.waits();
            isSound(told, input);
          }
        },
      ),
      { numRuns: 1_500 },
    );
  });
});

describe('a line, walked at random', () => {
  const number = fc.integer({ min: 1, max: 5 });
  const name = fc.constantFrom('a', 'b', 'c');
  const members = fc.array(
    fc.record({
      member: name,
      endpoint,
      penalty: fc.integer({ min: 0, max: 2 }),
      active: fc.boolean(),
      capacity: fc.integer({ min: 1, max: 2 }),
    }),
    { maxLength: 3 },
  );
  const strategy = fc.constantFrom('ringall', 'leastrecent', 'fewestcalls', 'random');
  const moves = fc.oneof(
    fc.constant<Step>({ waits: true }),
    fact('callerJoined', { call: number, waits: fc.boolean() }),
    fact('callerLeft', { call: number }),
    fact('memberTaken', { call: number, member: name }),
    fact('memberMissed', { call: number, member: name }),
    fact('memberFreed', { call: number, member: name }),
    fact('lineChanged', { strategy, members, active: fc.boolean() }),
  );

  it('never throws, and forgets every call once time passes', () => {
    fc.assert(
      fc.property(strategy, members, fc.array(moves, { maxLength: 40 }), (chosen, given, walk) => {
        const told = new Story(line, { strategy: chosen, members: given, active: true });
        for (const step of walk) tell(told, step);
        for (let left = 500; told.timers.size > 0; left -= 1) {
          if (left === 0) throw new Error(`stuck: ${JSON.stringify(told.snapshot.context)}`);
          told.waits();
        }
        expect(told.snapshot.context).toMatchObject({ waiting: [], offers: [], talks: [] });
      }),
      { numRuns: 500 },
    );
  });
});

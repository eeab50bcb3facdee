/** Calls of every sort, as an operation would hand them to the engine. */
import type { CallInput, DtmfKeyAction, SecondLegTarget, PromptSource } from '../../machines/call/input.ts';
import { wishOf } from './callbacks/wishes.ts';
import type { Dice } from './dice.ts';
import { QUEUES } from './lines.ts';
import { EPOCH } from './plan.ts';
import { campaignPart } from './turns.ts';

const MODES = { play: 30, confirm: 18, menu: 24, recordAnswer: 10, agent: 18, question: 12, validate: 12 };

/** A call that an account asks for at that virtual time. */
export const callInput = (dice: Dice, account: number, now: number, name: string): CallInput => {
  const mode = dice.weighed(MODES);
  const asks = mode === 'confirm' || mode === 'menu' || dice.chance(0.3);
  const transfer = mode === 'agent' || dice.chance(0.4) ? target(dice) : undefined;
  return {
    mode,
    requestedAt: EPOCH + Math.round(now),
    destination: `5511${900_000_000 + dice.whole(0, 99_999_999)}`,
    callerId: '551130000000',
    prompts: {
      opening: mode === 'agent' && dice.chance(0.5) ? [] : [prompt(dice)],
      slots: { 1: prompt(dice), 2: prompt(dice) },
      ...(asks ? { ask: prompt(dice) } : {}),
      ...maybe(dice, 0.5, 'noDigit', prompt(dice)),
      ...maybe(dice, 0.5, 'wrong', prompt(dice)),
      ...maybe(dice, 0.5, 'ending', prompt(dice)),
      ...maybe(dice, 0.3, 'machine', prompt(dice)),
    },
    keys: mode === 'menu' || (mode === 'play' && asks) ? keys(dice) : {},
    digits: {
      count: dice.whole(1, 3),
      waitSeconds: dice.whole(3, 8),
      ...(mode === 'confirm' ? { confirm: '1' } : {}),
      ...(dice.chance(0.3) ? { replay: '9' } : {}),
    },
    ...(transfer ? { transfer } : {}),
    waitInLine: dice.chance(0.4),
    lineSeconds: dice.whole(20, 90),
    ...(dice.chance(0.2) ? { sendDigits: { digits: '12#', afterSeconds: 2 } } : {}),
    music: dice.pick(['music', 'ringing', 'silence']),
    ...recording(dice, mode),
    schedule: schedule(dice, now),
    priority: dice.pick([-20, -1, 0, 0, 0, 5]),
    ringSeconds: dice.whole(15, 40),
    limitSeconds: dice.pick([30, 120, 300]),
    answerSeconds: 0,
    ...(dice.chance(0.35)
      ? { sms: { when: dice.pick(['ok', 'nae', 'oknae', 'dtmf1']), text: 'thank you', digit: '1' } }
      : {}),
    policy: { skipBlocklist: false, audioKey: 'k', waitForWindow: true },
    customerCampaign: '',
    correlation: name,
    origin: 'api',
    fixedRoutes: [],
    placeholders: {},
    ...survey(dice, mode),
    ...campaignPart(dice, account),
    ...wishOf(dice),
  };
};

const maybe = <Key extends string, Value>(
  dice: Dice,
  chance: number,
  key: Key,
  value: Value,
): { [K in Key]?: Value } => (dice.chance(chance) ? ({ [key]: value } as { [K in Key]?: Value }) : {});

const prompt = (dice: Dice): PromptSource => {
  if (dice.chance(0.3)) return { media: `${dice.whole(1, 5)}s file` };
  const text = dice.chance(0.004)
    ? 'unspeakable'
    : dice.pick(['hello', 'good morning to you', 'press one', 'goodbye then']);
  return { text, voice: 'v' };
};

const survey = (dice: Dice, mode: CallInput['mode']): Partial<CallInput> => {
  if (mode === 'question') return { secondAnswer: dice.whole(0, 2) };
  if (mode !== 'validate') return {};
  return { validation: { confirm: '1', digits: dice.whole(1, 2), expected: dice.pick(['4711', '92', '']) } };
};

const target = (dice: Dice): SecondLegTarget => {
  switch (dice.weighed({ number: 4, chat: 1, agent: 3, queue: 4 })) {
    case 'number':
      return { kind: 'number', number: '551131000000' };
    case 'chat':
      return { kind: 'chat', number: '5511988880000' };
    case 'agent':
      return { kind: 'agent', agent: 5 };
    case 'queue':
      return { kind: 'queue', queue: dice.pick(QUEUES) };
  }
};

const keys = (dice: Dice): Record<string, DtmfKeyAction> => ({
  1: dice.chance(0.5) ? { do: 'transfer', to: target(dice) } : { do: 'play', slot: 1 },
  2: { do: 'play', slot: 2 },
  3: { do: 'replay' },
  5: { do: 'hangUp' },
  7: { do: 'optOut' },
});

const recording = (dice: Dice, mode: CallInput['mode']): Pick<CallInput, 'recording'> => {
  if (mode !== 'recordAnswer' && dice.chance(0.75)) return {};
  return { recording: { maxSeconds: dice.whole(5, 40), from: dice.pick(['ini', 'conf', 'pa']) } };
};

const schedule = (dice: Dice, now: number): CallInput['schedule'] => ({
  tries: dice.pick([1, 2, 3]),
  intervalMs: dice.whole(5, 120) * 1_000,
  ...(dice.chance(0.1) ? { notBefore: EPOCH + Math.round(now) + dice.whole(1, 300) * 1_000 } : {}),
  ...(dice.chance(0.3) ? { until: EPOCH + Math.round(now) + dice.whole(40, 500) * 1_000 } : {}),
});

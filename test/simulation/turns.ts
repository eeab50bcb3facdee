/**
 * Who grants the turns of campaign calls here: a machine an account, which grants, defers, takes back and ends at its
 * whim, and counts what it is told as a campaign does.
 */
import { enqueueActions, setup } from 'xstate';
import { engineEffects, type MachineEvent, type EventTimestamp } from '../../src/engine/contract/effect.ts';
import type { CallInput } from '../../machines/call/input.ts';
import type { Kind } from '../../src/engine/contract/kind.ts';
import type { CallToCampaignEvent, CampaignToCallEvent } from '../../machines/contracts/campaign.ts';
import type { Book } from './book.ts';
import type { Database } from './database.ts';
import type { Dice } from './dice.ts';
import { ACCOUNTS } from './plan.ts';

/** The numbers that campaign calls share; no other call dials them. */
const NUMBERS = 40;
const numberOf = (index: number): string => `55119000000${String(index).padStart(2, '0')}`;
/** Whether only one call at a time may be live to this number. */
export const isShared = (number: string): boolean => /^55119000000\d\d$/.test(number);

/** The machine of an account that grants turns; its id is far below any minted one. */
const turnsOf = (account: number): number => account * 10 + 9;

export const turnMachines = (): { account: number; id: number; input: object }[] =>
  ACCOUNTS.map((account) => ({ account, id: turnsOf(account), input: {} }));

/** Makes some calls those of a campaign, with one or several numbers that others have as well. */
export const campaignPart = (dice: Dice, account: number): Partial<CallInput> => {
  if (!dice.chance(0.35)) return {};
  const first = dice.whole(0, NUMBERS - 1);
  const others = dice.pick([0, 0, 1, 2]);
  const alternatives = Array.from({ length: others }, (_, index) => numberOf((first + index + 1) % NUMBERS));
  return {
    destination: numberOf(first),
    // No dates: those who wait for a busy number would wait for days.
    schedule: { tries: dice.whole(1, 3), intervalMs: dice.whole(5, 120) * 1_000 },
    ...(others > 0 ? { alternatives } : {}),
    campaign: { id: turnsOf(account), row: first + 1, region: '11', granted: dice.chance(0.5) },
  };
};

export interface TurnsContext {
  /** Calls that dial or are up; the others are not listed. */
  live: Record<string, 'dialling' | 'up'>;
  ended: number;
  /** Reports that do not fit what was told before. */
  wrong: string[];
}

type TurnsEvent = CallToCampaignEvent & EventTimestamp;
type Scope = { context: TurnsContext; event: TurnsEvent };

/** Stages in which a report fits, and the stage it leads to. */
const FITS: Record<CallToCampaignEvent['type'], (string | undefined)[]> = {
  attemptWanted: [undefined],
  attemptBegun: [undefined],
  attemptDropped: [undefined],
  attemptHeld: [undefined],
  attemptEnded: ['dialling'],
  attemptUndone: ['dialling'],
  callAnswered: ['dialling'],
  callTransferred: ['up'],
  transferUndone: ['up'],
  callEnded: [undefined, 'dialling', 'up'],
};
const LEADS: Partial<Record<CallToCampaignEvent['type'], 'dialling' | 'up'>> = {
  attemptBegun: 'dialling',
  callAnswered: 'up',
  callTransferred: 'up',
  transferUndone: 'up',
};

const counted = ({ context, event }: Scope): TurnsContext => {
  const { [event.call]: stage, ...others } = context.live;
  const next = LEADS[event.type];
  const fits =
    FITS[event.type].includes(stage) && (event.type !== 'callEnded' || event.was === (stage ?? 'idle'));
  return {
    live: next ? { ...others, [event.call]: next } : others,
    ended: context.ended + (event.type === 'callEnded' ? 1 : 0),
    wrong: fits ? context.wrong : [...context.wrong, `${event.call} ${event.type} while ${stage}`],
  };
};

/** What it answers depends on the moment, and on nothing that a replay would not know. */
const answersTo = ({ event }: Scope): CampaignToCallEvent[] => {
  if (event.type !== 'attemptWanted') return [];
  const { ask } = event;
  const granted = { type: 'attemptGranted', ...(ask !== undefined && { ask }) } as const;
  const whim = (event.at * 7 + event.call) % 40;
  if (whim < 6)
    return [{ type: 'attemptDeferred', until: event.at + 20_000, reason: 'pace', detail: 'not at once' }];
  if (whim < 9) return [granted, { ...granted, type: 'attemptRevoked' }];
  if (whim < 10) return [{ type: 'campaignOver', reason: 'expired' }];
  return [granted];
};

type Told = { type: 'tell'; params: { machine: number; event: MachineEvent } };

const serve = enqueueActions<
  TurnsContext,
  TurnsEvent,
  undefined,
  TurnsEvent,
  never,
  Told,
  never,
  never,
  never
>(({ context, event, enqueue }) => {
  enqueue.assign(counted({ context, event }));
  for (const word of answersTo({ context, event }))
    enqueue({ type: 'tell', params: { machine: event.call, event: { ...word } } });
});

const chart = setup({
  types: { context: {} as TurnsContext, events: {} as TurnsEvent },
  actions: { ...engineEffects, serve },
}).createMachine({
  id: 'turns',
  context: { live: {}, ended: 0, wrong: [] },
  initial: 'granting',
  states: { granting: { on: { '*': { actions: 'serve' } } } },
});

export const turnsKind: Kind = {
  name: 'turns',
  versions: { 1: chart },
  current: 1,
  effects: {},
  operatorEvents: [],
};

/** Every call of a campaign was heard to the end, once, and no report came that did not fit. */
export const judgeTurns = (book: Book, { born, tables }: Database): void => {
  for (const account of ACCOUNTS) {
    const id = turnsOf(account);
    const calls = [...born].filter(
      ([call, given]) => given.account === account && campaignOf(tables, call) === id,
    );
    const row = tables.machines.get(id);
    if (!row) continue;
    const { live, ended, wrong } = (JSON.parse(row.snapshot) as { c: TurnsContext }).c;
    for (const detail of wrong) book.violated('counted wrong', id, detail);
    if (Object.keys(live).length > 0) book.violated('counted wrong', id, `still ${JSON.stringify(live)}`);
    if (ended !== calls.length) book.violated('counted wrong', id, `${ended} of ${calls.length} ended`);
    book.count('campaign calls', calls.length);
  }
};

/** The machine that a call was born to ask for its turns. */
const campaignOf = (tables: Database['tables'], call: number): number | undefined => {
  const payload = tables.history.get(call)?.[0]?.payload ?? '{}';
  return (JSON.parse(payload) as Partial<CallInput>).campaign?.id;
};

/** What a step asks for, laid into the transaction. All requests of a step are granted, or none. */
import {
  MAX_TIMERS_AND_EFFECTS,
  withoutTimer,
  type TimerOrPendingEffect,
  type PendingEffectEntry,
} from '../contract/timersAndPendingEffects.ts';
import type { CompiledChart, ChartToEngineRequest } from './compileChart.ts';
import type { BalanceBookingWrite, KeyClaimWrite, MachineInboxRow } from '../contract/rows.ts';
import type { BalanceBooking } from '../contract/effect.ts';
import type { Mail } from '../contract/machineMail.ts';
import type { StepTransactionDeps } from './transactionScope.ts';

/** The transaction that requests are laid into. Its lists are replaced, never written to. */
export interface StepInProgress<Child = unknown> {
  readonly chart: CompiledChart;
  readonly account: number;
  readonly at: number;
  readonly scope: StepTransactionDeps;
  readonly revision: number;
  /** The mail being taken. */
  readonly mail: Mail | null;
  agenda: readonly TimerOrPendingEffect[];
  milestones: readonly string[];
  effects: readonly PendingEffectEntry[];
  children: readonly Child[];
  outbox: readonly MachineInboxRow[];
  reached: readonly string[];
  claims: readonly KeyClaimWrite[];
  releases: readonly string[];
  claimants: ReadonlyMap<string, Mail | null>;
  bookings: readonly BalanceBookingWrite[];
  startChild(kind: string, id: number, input: object): void;
  book(bookings: readonly BalanceBooking[]): void;
}

type Asked<Do extends ChartToEngineRequest['do']> = Extract<ChartToEngineRequest, { do: Do }>;

/**
 * Grants what one step asks for; what the history says of it comes back, words parted by spaces.
 * Throws, and leaves the transaction as it was, when one of them is impossible.
 */
export const applyStepRequests = (tx: StepInProgress, requests: readonly ChartToEngineRequest[]): string => {
  const {
    agenda,
    milestones,
    effects: begins,
    children: births,
    outbox: tells,
    reached,
    claims,
    releases,
    claimants,
    bookings,
  } = tx;
  try {
    let asked = '';
    let effects = 0;
    for (const request of requests) {
      const word = request.do === 'effect' ? owe(tx, request, effects++) : grantOther(tx, request);
      if (word !== '') asked = asked === '' ? word : `${asked} ${word}`;
    }
    if (tx.agenda.length > MAX_TIMERS_AND_EFFECTS)
      throw new Error(`more than ${MAX_TIMERS_AND_EFFECTS} entries on the agenda`);
    return asked;
  } catch (error) {
    Object.assign(tx, {
      ...{ agenda, milestones, reached, claims, releases, claimants, bookings },
      ...{ effects: begins, children: births, outbox: tells },
    } satisfies Partial<StepInProgress>);
    throw error;
  }
};

/** When the outcome of an effect begun now counts as lost, epoch milliseconds. */
export const effectDeadline = (
  { at, chart, scope }: Pick<StepInProgress, 'at' | 'chart' | 'scope'>,
  effect: string,
): number => at + timeoutOf({ chart, scope }, effect);

/** When an effect that is under way was begun: the other way round. */
export const effectBegunAt = (
  tx: Pick<StepInProgress, 'chart' | 'scope'>,
  effect: string,
  deadline: number,
): number => deadline - timeoutOf(tx, effect);

const timeoutOf = ({ chart, scope }: Pick<StepInProgress, 'chart' | 'scope'>, effect: string): number =>
  (chart.kind.effects[effect]?.timeoutMs ?? 0) + scope.graceMs;

const grantOther = (tx: StepInProgress, request: Exclude<ChartToEngineRequest, { do: 'effect' }>): string => {
  switch (request.do) {
    case 'arm':
      return arm(tx, request);
    case 'disarm':
      tx.agenda = withoutTimer(tx.agenda, request.timer);
      return '';
    case 'reach':
      reach(tx, request.milestone);
      return '';
    case 'forget':
      tx.milestones = tx.milestones.filter((passed) => passed !== request.milestone);
      return '';
    case 'tell':
      return tell(tx, request);
    case 'startMachine':
      tx.startChild(request.kind, request.id, request.input);
      return `start:${request.kind}@${request.id}`;
    case 'claim':
      claim(tx, request);
      return '';
    case 'release':
      tx.releases = [...tx.releases, request.key];
      return '';
    case 'book':
      return book(tx, request);
  }
};

const owe = (tx: StepInProgress, { name, params }: Asked<'effect'>, index: number): string => {
  const { revision: rev } = tx;
  const id = `${rev}.${index}`;
  const entry: PendingEffectEntry = {
    t: 'effect',
    id,
    name,
    params,
    rev,
    tries: 1,
    due: effectDeadline(tx, name),
  };
  if (tx.chart.kind.effects[name]?.keepsMs !== undefined) entry.at = tx.at;
  tx.agenda = [...tx.agenda, entry];
  tx.effects = [...tx.effects, entry];
  return name;
};

const arm = (tx: StepInProgress, { timer: id, event, delayMs }: Asked<'arm'>): string => {
  const entry: TimerOrPendingEffect = { t: 'timer', id, rev: tx.revision, due: tx.at + delayMs };
  if (event !== id) entry.event = event;
  tx.agenda = [...withoutTimer(tx.agenda, id), entry];
  return `${shortTimer(id)}+${delayMs}`;
};

const reach = (tx: StepInProgress, milestone: string): void => {
  if (tx.milestones.includes(milestone)) return;
  tx.milestones = [...tx.milestones, milestone];
  tx.reached = [...tx.reached, milestone];
};

const tell = (tx: StepInProgress, { machine, event }: Asked<'tell'>): string => {
  const { account, at, scope } = tx;
  tx.outbox = [...tx.outbox, { account, machine, id: scope.mint(), event: JSON.stringify(event), at }];
  return `tell:${event.type}@${machine}`;
};

const claim = (tx: StepInProgress, { key, untilMs }: Asked<'claim'>): void => {
  tx.claims = [...tx.claims, { key, until: untilMs, answer: null }];
  tx.claimants = new Map(tx.claimants).set(key, tx.mail);
};

const book = (tx: StepInProgress, { account, balance, amount, entry }: Asked<'book'>): string => {
  if (!(amount >= 0)) throw new Error(`a step may not take from a balance: ${balance} ${amount}`);
  tx.book([{ account, balance, amount, ...(entry !== undefined && { entry }) }]);
  return `book:${balance}@${account}+${amount}`;
};

/** `xstate.after.ringTimeout.call.dialing` reads as `ringTimeout` in the history. */
const shortTimer = (id: string): string => /^xstate\.after\.([^.]+)\./.exec(id)?.[1] ?? id;

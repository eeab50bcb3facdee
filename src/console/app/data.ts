/** What the admin API answers, as the pages use it, and the questions they ask. */
import { ask } from './api.ts';

export interface AgendaItem {
  what: 'timer' | 'effect';
  id: string;
  name: string;
  /** Epoch milliseconds. */
  dueAt: number;
  tries?: number;
}

export interface Machine {
  /** `a_17`. */
  id: string;
  shard: string;
  account: number;
  kind: string;
  version: number;
  revision: number;
  state: string;
  milestones: string[];
  context: unknown;
  pending: boolean;
  agenda: AgendaItem[];
  attention: string | null;
  createdAt: number;
  endedAt: number | null;
}

/** How an effect ended. */
export interface EffectEnd {
  /** `<revision>.<place>` of the event that asked for it. */
  id: string;
  name: string;
  outcome: 'accepted' | 'failed' | 'unknown';
  /** How often it was begun. */
  tries: number;
  /** From its last beginning to its end; null: it waited to be tried again. */
  ms: number | null;
}

/** One event that a machine took. */
export interface Entry {
  revision: number;
  at: number;
  event: string;
  payload: unknown;
  /** Effects that ended with it, or since the event before. */
  ended: EffectEnd[];
  state: string;
  /** Effects, and timers as `name+milliseconds`; of an event that failed one text, `failed: ` and its error. */
  asked: string[];
}

/** An event by its place in the history. */
export interface Row extends Entry {
  index: number;
}

/** A machine as it was after an event. */
export interface Moment {
  /** Entries of its history. */
  count: number;
  /** -1: it has none yet. */
  index: number;
  entry: Entry | null;
  /** Why no context is known. */
  trouble: 'beginningMissing' | 'failed' | null;
  agrees: boolean;
  changes: { was: Record<string, unknown>; is: Record<string, unknown> };
  context: Record<string, unknown> | null;
  owed: { what: 'timer' | 'effect'; name: string; dueAt: number | null }[];
  visits: { state: string; count: number }[];
  taken: { known: number[]; guessed: number[] };
}

/** Which moment: by its place, or by its revision; neither: the newest. */
export interface Place {
  index?: number;
  revision?: number;
}

export interface MachineAnswer extends Machine {
  record: Record<string, unknown> | null;
}

export interface Explained {
  sentences: string[];
}

export interface Found {
  kind: string;
  id: string | null;
  account: number;
  title: string;
  state: string;
  at: number;
}

export interface Overview {
  at: number;
  shards: string[];
  states: { kind: string; state: string; count: number }[];
  hour: { from: number; attempts: number[]; answers: number[]; failed: number[] };
  outcomes: { channel: string; state: string; count: number }[];
  deadLetters: {
    shard: string;
    account_id: number;
    target: string;
    count: number;
    last_error: string;
    since: number;
  }[];
  troubled: {
    id: string;
    account: number;
    kind: string;
    state: string;
    attention: string;
    created_at: number;
  }[];
  campaigns: {
    shard: string;
    account_id: number;
    id: number;
    name: string;
    state: string;
    phase: string;
    reason: string;
    calls_per_minute: number | null;
    destinations: number;
    skipped: number;
    made: number;
    answered: number;
    ended: number;
    date_end: string;
    time_end: string;
  }[];
  nodes: { shard: string; name: string; started_at: number; beat_at: number; lost_at: number | null }[];
  checks: { name: string; ok: boolean; detail: string }[];
  accounts: Record<string, string>;
  here: { node: string; stepsPerSecond: number; timerLagMs: number | null; callbacksWaiting: number };
}

export interface MachineRow {
  id: string;
  account: number;
  kind: string;
  state: string;
  attention: string | null;
  created_at: number;
}

const named = (id: string): string => `/machines/${encodeURIComponent(id)}`;
const ofAccount = (account: string | null): string =>
  account === null ? '' : `account=${encodeURIComponent(account)}`;

/** After all entries there can be: the history is read by its places. */
const noHistory = 'after=999999999';

/** `account`: tells machines with small ids apart. */
export const readMachine = (id: string, account: string | null): Promise<MachineAnswer> =>
  ask(`${named(id)}?${noHistory}&${ofAccount(account)}`);

export const readMoment = (
  id: string,
  account: string | null,
  { index, revision }: Place,
  isWhole = false,
): Promise<Moment> => {
  const place =
    index === undefined ? (revision === undefined ? '' : `revision=${revision}`) : `index=${index}`;
  return ask(`${named(id)}/moment?${place}&whole=${isWhole ? 1 : 0}&${ofAccount(account)}`);
};

/** A hundred rows; `state`: only those that have to do with it. */
export const readTimeline = (
  id: string,
  account: string | null,
  from: number,
  state: string | undefined,
): Promise<{ count: number; rows: Row[] }> => {
  const filter = state === undefined ? '' : `&state=${encodeURIComponent(state)}`;
  return ask(`${named(id)}/timeline?from=${from}${filter}&${ofAccount(account)}`);
};

export const explain = (id: string, account: string | null, language: string): Promise<Explained> =>
  ask(`${named(id)}/explain?lang=${language}&${ofAccount(account)}`);

/** Gives a machine an event that its chart allows operators. */
export const sendEvent = (id: string, account: number, event: object): Promise<unknown> =>
  ask(`${named(id)}/events?account=${account}`, { method: 'POST', body: event });

/** Performs an owed effect again, now. */
export const retryEffect = (id: string, account: number, effect: string): Promise<unknown> =>
  ask(`${named(id)}/effects/${encodeURIComponent(effect)}/retry?account=${account}`, {
    method: 'POST',
    body: {},
  });

export const find = (
  text: string,
  signal: AbortSignal,
): Promise<{ found: Found[]; accounts: Record<string, string> }> =>
  ask(`/find?q=${encodeURIComponent(text)}`, { signal });

/** Machines of a kind, in a state: `query` is the page's own. */
export const listMachines = (
  query: URLSearchParams,
  signal: AbortSignal,
): Promise<{ machines: MachineRow[]; cursor: string | null }> => ask(`/machines?${query}`, { signal });

export const readOverview = (): Promise<Overview> => ask('/now');

/** Sends an account's dead letters again. */
export const replayDeadLetters = (account: number): Promise<{ replayed: number; more: boolean }> =>
  ask(`/accounts/${account}/deliveries/replay`, { method: 'POST', body: {} });

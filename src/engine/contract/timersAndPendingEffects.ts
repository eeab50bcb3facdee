/**
 * The agenda of a machine, kept in its row: timers that are armed, and effects that are not confirmed. The earliest due
 * time is the row's `wake_at`; timers, retries, scheduled starts and takeovers all follow from that one column.
 */

export interface ArmedMachineTimer {
  t: 'timer';
  /** XState's id of the timer, e.g. `xstate.after.ringTimeout.call.dialing`. */
  id: string;
  /** The event it sends, where that differs from its id. */
  event?: string;
  /** The revision that armed it: a firing for another one is stale. */
  rev: number;
  due: number;
  /** How long it was put off when the database last refused its step; absent: never. */
  putOffMs?: number;
}

export interface PendingEffectEntry {
  t: 'effect';
  /** `revision.index` of the request. */
  id: string;
  name: string;
  params: Record<string, unknown>;
  rev: number;
  /** Of an effect that does not keep: the moment of its step. */
  at?: number;
  /** Performances begun so far. */
  tries: number;
  /** The revision that began it last; absent: that which asked for it. */
  begunRev?: number;
  /** Waiting to be tried again: due is when. Absent: begun, and due is when its outcome counts as lost. */
  wait?: true;
  due: number;
}

export type TimerOrPendingEffect = ArmedMachineTimer | PendingEffectEntry;

/** How an effect ended. It stands in the history with the event that came next. */
export interface EffectOutcome {
  /** `revision.index` of the request. */
  id: string;
  name: string;
  /** `unknown`: it was begun, and its outcome was not heard. */
  outcome: 'accepted' | 'failed' | 'unknown';
  /** Performances begun. */
  tries: number;
  /** Milliseconds from the last beginning to the end; null: it was not under way. */
  ms: number | null;
}

/** An effect that its provider accepted with nothing to tell, and when. */
export interface AcceptedEffect {
  id: string;
  /** Epoch milliseconds of the shard. */
  at: number;
}

/** More owed at once than this is a chart error. */
export const MAX_TIMERS_AND_EFFECTS = 32;

/** The earliest due time, or null when nothing is owed. */
export const earliestDueTime = (agenda: readonly TimerOrPendingEffect[]): number | null => {
  let due: number | null = null;
  for (const entry of agenda) if (due === null || entry.due < due) due = entry.due;
  return due;
};

/** Milliseconds before try number `tries + 1`: doubling from half a second to a minute, spread by a fifth. */
export const backoffMs = (tries: number, random: number): number =>
  Math.round(Math.min(60_000, 500 * 2 ** Math.min(tries - 1, 10)) * (0.8 + 0.4 * random));

/** An agenda without the timer of this id; itself when there is none. */
export const withoutTimer = (
  agenda: readonly TimerOrPendingEffect[],
  id: string,
): readonly TimerOrPendingEffect[] => {
  const at = agenda.findIndex((entry) => entry.t === 'timer' && entry.id === id);
  return at < 0 ? agenda : agenda.toSpliced(at, 1);
};

/**
 * An agenda whose guards armed at this revision come so much later. A guard ends a wait whose fact was lost (its delay's
 * name says so): it is not to end the wait for an effect of its step that had no chance to begin.
 */
export const postponeGuardTimers = (
  agenda: readonly TimerOrPendingEffect[],
  rev: number,
  ms: number,
): readonly TimerOrPendingEffect[] =>
  agenda.map((entry) =>
    entry.t === 'timer' && entry.rev === rev && isGuard(entry.id) ? { ...entry, due: entry.due + ms } : entry,
  );

const isGuard = (timer: string): boolean => /^xstate\.after\.\w+Guard\./.test(timer);

/** The effect of this id, while it is owed. */
export const findPendingEffect = (
  agenda: readonly TimerOrPendingEffect[],
  id: string,
): PendingEffectEntry | undefined =>
  agenda.find((entry): entry is PendingEffectEntry => entry.t === 'effect' && entry.id === id);

/**
 * Dials of a trunk, spread out once more where they leave: between the grant and the dial lies a commit, and what one delays
 * comes together with what follows. A carrier counts what arrives.
 */
import type { ClockWithTimers } from '../contracts/dialClearance.ts';
import type { TrunkCapacity } from './capacityLimiter.ts';
import { RecentTimes } from './recentTimes.ts';

/** A second, and what a request may take longer than the one a second later. */
const WINDOW_MS = 1_020;
/** While a trunk has no share it is looked at again after this long. */
const LOOK_MS = 200;

interface Waiting {
  go(): void;
  isOver(): boolean;
}

interface DialQueue {
  dials: RecentTimes;
  waiting: Waiting[];
  isArmed: boolean;
}

export interface TrunkDialPacer {
  /** Settles when the dial may leave, or its time is over; undefined: at once. */
  turn(trunk: string, signal: AbortSignal): Promise<void> | undefined;
}

export const openTrunkDialPacer = (
  capacityOf: (trunk: string) => TrunkCapacity | undefined,
  clock: ClockWithTimers,
): TrunkDialPacer => {
  const queues = new Map<string, DialQueue>();
  const queueOf = (trunk: string): DialQueue => {
    const known = queues.get(trunk);
    if (known) return known;
    const queue: DialQueue = { dials: new RecentTimes(WINDOW_MS), waiting: [], isArmed: false };
    queues.set(trunk, queue);
    return queue;
  };
  const hasRoom = (trunk: string, { dials }: DialQueue): boolean => {
    const capacity = capacityOf(trunk);
    return !capacity || dials.count(clock.now()) < Math.floor(capacity.callsPerSecond);
  };

  const serve = (trunk: string, queue: DialQueue): void => {
    while (queue.waiting.length > 0 && (queue.waiting[0]!.isOver() || hasRoom(trunk, queue))) {
      const next = queue.waiting.shift()!;
      if (!next.isOver()) queue.dials.add(clock.now());
      next.go();
    }
    if (queue.waiting.length > 0) arm(trunk, queue);
  };
  const arm = (trunk: string, queue: DialQueue): void => {
    if (queue.isArmed) return;
    queue.isArmed = true;
    clock.after(Math.min(LOOK_MS, Math.max(1, queue.dials.untilFewer(clock.now()))), () => {
      queue.isArmed = false;
      serve(trunk, queue);
    });
  };

  return {
    turn: (trunk, signal) => {
      const queue = queueOf(trunk);
      if (queue.waiting.length === 0 && hasRoom(trunk, queue)) {
        queue.dials.add(clock.now());
        return undefined;
      }
      return new Promise((go) => {
        queue.waiting.push({ go, isOver: () => signal.aborted });
        arm(trunk, queue);
      });
    },
  };
};

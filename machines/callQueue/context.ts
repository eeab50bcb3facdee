/** What a line remembers: who waits, who was offered whom, who talks. Plain JSON. */
import type { EventTimestamp } from '../../src/engine/contract/effect.ts';
import type {
  CallQueueEvent,
  CallQueueMember,
  CallQueueStrategy,
} from '../contracts/targetResolutionAndQueue.ts';

/** Calls are named by their machine id. */
export interface QueueLineCaller {
  call: number;
  joinedAt: number;
  waits: boolean;
}

export interface PendingQueueMemberOffer {
  call: number;
  member: string;
  /** A live call answers before; one that does not is gone. */
  until: number;
}

export interface Talk {
  call: number;
  member: string;
  since: number;
}

/** How a member did, for the strategies and for its rest after a missed offer. */
export interface QueueMemberStats {
  calls: number;
  lastAt: number;
  restUntil: number;
}

export interface QueueLineContext {
  id: number;
  strategy: CallQueueStrategy;
  members: CallQueueMember[];
  active: boolean;
  removed: boolean;
  /** In the order they joined. */
  waiting: QueueLineCaller[];
  offers: PendingQueueMemberOffer[];
  talks: Talk[];
  standing: Record<string, QueueMemberStats>;
  /** State of the pseudo-random sequence for the strategy `random`: the same story gives the same choice. */
  seed: number;
}

/** What a line is started with; the engine adds `at` and `id`. */
export interface QueueLineInput {
  strategy: CallQueueStrategy;
  members: CallQueueMember[];
  active: boolean;
}

export interface QueueLineActionArgs {
  context: QueueLineContext;
  event: CallQueueEvent & EventTimestamp;
}

export const initialQueueLineContext = (
  input: QueueLineInput & { at: number; id: number },
): QueueLineContext => ({
  id: input.id,
  strategy: input.strategy,
  members: input.members,
  active: input.active,
  removed: false,
  waiting: [],
  offers: [],
  talks: [],
  standing: {},
  seed: input.id % 2_147_483_646 || 1,
});

export const queueMemberStatsOf = (context: QueueLineContext, member: string): QueueMemberStats =>
  context.standing[member] ?? { calls: 0, lastAt: 0, restUntil: 0 };

/** What a line remembers: who waits, who was offered whom, who talks. Plain JSON. */
import type { Stamp } from '../../src/engine/contract/effect.ts';
import type { LineEvent, LineMember, LineStrategy } from '../contracts/target.ts';

/** Calls are named by their machine id. */
export interface Caller {
  call: number;
  joinedAt: number;
  waits: boolean;
}

export interface Offer {
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
export interface Standing {
  calls: number;
  lastAt: number;
  restUntil: number;
}

export interface LineContext {
  id: number;
  strategy: LineStrategy;
  members: LineMember[];
  active: boolean;
  removed: boolean;
  /** In the order they joined. */
  waiting: Caller[];
  offers: Offer[];
  talks: Talk[];
  standing: Record<string, Standing>;
  /** State of the pseudo-random sequence for the strategy `random`: the same story gives the same choice. */
  seed: number;
}

/** What a line is started with; the engine adds `at` and `id`. */
export interface LineInput {
  strategy: LineStrategy;
  members: LineMember[];
  active: boolean;
}

export interface LineScope {
  context: LineContext;
  event: LineEvent & Stamp;
}

export const newLine = (input: LineInput & { at: number; id: number }): LineContext => ({
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

export const standingOf = (context: LineContext, member: string): Standing =>
  context.standing[member] ?? { calls: 0, lastAt: 0, restUntil: 0 };

import type { SecondLegTarget } from '../call/input.ts';
import type { LegDestination } from './telephony.ts';

/** Events and effects between a call and the target resolver, which knows agents, queues and trunks. */
export interface LegTargetEffects {
  /** Where does this second leg go, as things are now? Answered by `targetResolved` or `targetRefused` with the acceptance. */
  resolveTarget: {
    target: SecondLegTarget;
    /** Comes back with the answer: a callee who is passed on is not brought to where an earlier wish led. */
    question?: number;
    /** The trunk that carries the callee's leg: a number is called by the same. Absent: none is known. */
    trunk?: string;
  };
}

export type SecondLegDestinationAnswer = TargetAnswer & { question?: number };

type TargetAnswer =
  /** Ring this. */
  | { type: 'targetResolved'; how: 'endpoint'; endpoint: LegDestination }
  /** Ask this line (a queue machine of the same account) for a member. */
  | { type: 'targetResolved'; how: 'line'; line: number }
  /** The leg is not opened; the call goes on to its ending. */
  | {
      type: 'targetRefused';
      reason:
        | 'noAgent'
        | 'agentInactive'
        | 'noTrunk'
        | 'noQueue'
        | 'queueInactive'
        /** The account calls no such numbers, or the trunk carries none. */
        | 'targetClosed'
        /** The calls of the account, or of the trunk, cost today what they may cost in a day. */
        | 'targetSpent';
      detail: string;
    };

/**
 * Between a call and a line (a queue, or an agent with a concurrent limit): both are machines and `tell` each other.
 * The line offers members in the order callers joined; every offer is answered by taken, missed or left.
 */
export type CallQueueEvent =
  /** `waits`: false asks for a member that is free now, and hears `noneFree` otherwise. */
  | { type: 'callerJoined'; call: number; waits: boolean }
  /** The caller hung up or gave up; whatever it was offered or held is free again. */
  | { type: 'callerLeft'; call: number }
  /** The member answered and talks with this call. */
  | { type: 'memberTaken'; call: number; member: string }
  /** The member did not answer; the line offers the next. */
  | { type: 'memberMissed'; call: number; member: string }
  /** The talk is over. */
  | { type: 'memberFreed'; call: number; member: string }
  /** An operator changed the line. */
  | { type: 'lineChanged'; strategy: CallQueueStrategy; members: CallQueueMember[]; active: boolean }
  /** The queue or agent was deleted: no member is offered any more, and the line ends with its last talk. */
  | { type: 'lineRemoved' };

export type CallQueueStrategy = 'ringall' | 'leastrecent' | 'fewestcalls' | 'random';

export interface CallQueueMember {
  /** Stable within the line. */
  member: string;
  endpoint: LegDestination;
  /** Lower is asked first. */
  penalty: number;
  active: boolean;
  /** How many calls it may have at a time. */
  capacity: number;
}

/** What a line tells a call. */
export type QueueLineReplyToCall =
  | { type: 'memberOffered'; line: number; member: string; endpoint: LegDestination }
  /** The caller does not wait (or the line is closed) and no member is free; it is not in the line. */
  | { type: 'noneFree'; line: number };

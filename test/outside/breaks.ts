/**
 * Ways to break the built service that a customer would feel, each in another room of it. A judge is worth what it finds:
 * `npm run outside -- --break NAME` judges a broken copy, and 0 then means that the break was missed.
 */
import type { FaultName } from './catalogue.ts';

export interface Edit {
  /** Below `dist/`. */
  file: string;
  /** Stands there exactly once. */
  text: string;
  instead: string;
}

export interface Break {
  /** What a customer gets to feel. */
  says: string;
  edits: readonly Edit[];
  /** The rules that are to find it; others may as well. */
  foundBy: readonly string[];
  /** What finds it soonest. */
  seed: number;
  minutes: number;
  faults: readonly FaultName[];
  /** Wishes of customers a second. */
  perSecond: number;
}

const calm = { seed: 1, minutes: 1.5, faults: [], perSecond: 2 } as const;
const deaths = { seed: 1, minutes: 2, faults: ['kill'], perSecond: 16 } as const;
const ofCampaigns = ['rules of campaigns'] as const;

export const breaks = {
  windowIgnored: {
    says: 'a campaign dials before its window opens',
    edits: [
      {
        file: 'machines/campaign/regionCallingWindows.js',
        text: 'return window !== undefined && window.open && at < window.until;',
        instead: 'return window !== undefined;',
      },
    ],
    foundBy: ofCampaigns,
    ...calm,
  },
  pauseIgnored: {
    says: 'a campaign dials on though it is paused',
    edits: [
      {
        file: 'machines/campaign/phase.js',
        text: 'if (!plan.active || plan.model)',
        instead: 'if (plan.model)',
      },
      {
        file: 'src/providers/dialClearance/checkDialRules.js',
        text: '(await pausedOf({ caller, campaign }))',
        instead: 'false',
      },
    ],
    foundBy: ['paused'],
    ...calm,
  },
  blockListNotAsked: {
    says: 'a number is dialled after it was put on the block list',
    edits: [
      {
        file: 'src/providers/dialClearance/checkDialRules.js',
        text: 'if (question.skipBlocklist)',
        instead: 'if (question.destination)',
      },
    ],
    foundBy: ['block list'],
    ...calm,
  },
  oneAttemptTooMany: {
    says: 'a destination is dialled once more than resends allows',
    edits: [
      {
        file: 'machines/call/attemptEndAndRetry.js',
        text: 'context.dial.attempt < dialAttemptsAllowed(context.call)',
        instead: 'context.dial.attempt <= dialAttemptsAllowed(context.call)',
      },
    ],
    foundBy: ['rules of campaigns', 'dialled once'],
    ...calm,
  },
  paceIgnored: {
    says: 'a campaign dials faster than its calls a minute',
    edits: [
      {
        file: 'machines/campaign/pace.js',
        text: ': MINUTE_MS / callsPerMinute',
        instead: ': 0',
      },
    ],
    foundBy: ofCampaigns,
    ...calm,
  },
  grantsNotCounted: {
    says: 'more calls are answered than max_answered wants, because those under way are not counted',
    edits: [
      {
        file: 'machines/campaign/pace.js',
        text: 'flow.granted.length + flow.revoked.length + flow.fetching + flow.dialling;',
        instead: '0 * flow.dialling;',
      },
    ],
    foundBy: ofCampaigns,
    ...calm,
  },
  numberNotClaimed: {
    says: 'a number is dialled while it is in a call already',
    edits: [
      {
        file: 'machines/call/campaignGrant.js',
        text: "{ type: 'claim', params: { key: keyOf(context), untilMs } },",
        instead: '',
      },
    ],
    foundBy: ['one call at a time'],
    ...calm,
  },
  cursorReset: {
    says: 'a campaign begins its list anew with every piece that it reads',
    edits: [
      {
        file: 'machines/campaign/claimDestinations.js',
        text: 'regions: Object.fromEntries(regions)',
        instead: 'regions: context.regions',
      },
    ],
    foundBy: ['records of campaigns', 'rules of campaigns'],
    ...calm,
    minutes: 1,
  },
  refundTwice: {
    says: 'a message that was refused is given back twice',
    edits: [
      {
        file: 'machines/message.js',
        text: "enqueue({ type: 'book', params: booking });",
        instead:
          "enqueue({ type: 'book', params: booking }), enqueue({ type: 'book', params: { ...booking, entry: booking.entry } });",
      },
    ],
    foundBy: ['money'],
    ...calm,
    minutes: 1,
  },
  eventSkipped: {
    says: 'the events of a call are numbered with a gap',
    edits: [
      {
        file: 'machines/call/statusCallbacks.js',
        text: 'seq: told.events + 1,',
        instead: 'seq: told.events + (told.events > 1 ? 2 : 1),',
      },
    ],
    foundBy: ['callbacks'],
    ...calm,
    minutes: 1,
  },
  acknowledgedEarly: {
    says: 'a wish is acknowledged before the journal has it, and is lost when the process dies',
    edits: [
      {
        file: 'src/engine/writer/writer.js',
        text: 'tx.book(bookings);',
        instead:
          "tx.book(bookings); caller.resolve({ outcome: 'started', ref: { shard: this.#scope.shard, account, id } });",
      },
    ],
    foundBy: ['one end'],
    ...deaths,
  },
  sentAgain: {
    says: 'what is sent at most once is sent again when a process died over it',
    edits: [
      {
        file: 'src/engine/step/applyMailToStep.js',
        text: 'if (isOnceOnly(tx, entry))\n        doubt(tx, id);',
        instead: 'if (entry === undefined)\n        doubt(tx, id);',
      },
    ],
    foundBy: ['submitted once'],
    ...deaths,
  },
  keyForgotten: {
    says: 'a request that is made again with its Idempotency-Key is a second piece of work',
    edits: [
      {
        file: 'src/operations/idempotency.js',
        text: 'if (!idempotency)\n        return [];',
        instead: 'return [];',
      },
    ],
    foundBy: ['one end'],
    ...deaths,
  },
} as const satisfies Record<string, Break>;

export type BreakName = keyof typeof breaks;
export const breakNames = Object.keys(breaks) as BreakName[];

/** How bad the days of a simulation are. Times are virtual milliseconds, chances those of one occasion. */

/** A guard that is broken on purpose: each of them must make the run fail. */
export const breaks = [
  'revision',
  'readBack',
  'inbox',
  'beginLimit',
  'wallClock',
  'heartbeats',
  'atMostOnce',
  'claims',
  'cursor',
  'grants',
  'hours',
  'balance',
  'slots',
  'minted',
  'readOnly',
  'unkept',
] as const;
export type Break = (typeof breaks)[number];

export interface Plan {
  seed: number;
  calls: number;
  /** Over how many minutes they are asked for, at least. Default 1. */
  minutes?: number;
  break?: Break;
  /** A rule whose first violation is all that is asked of the run. */
  until?: string;
  /** A machine whose story is printed while it happens. */
  watch?: number;
  /** Default: as the seed says. */
  setbacks?: Setbacks;
}

/** Whether the database goes back: never, with all journals at hand, or with a disk that is lost as well. */
export const allSetbacks = ['never', 'kept', 'lost'] as const;
export type Setbacks = (typeof allSetbacks)[number];

/** Two of three stories have them, crowded or not; of these every third loses a disk. */
export const setbacksOf = ({ seed, setbacks }: Plan): Setbacks => {
  const turn = Math.floor(seed / 2) % 9;
  return setbacks ?? (turn % 3 === 0 ? 'never' : turn === 4 ? 'lost' : 'kept');
};

/** When the story begins, epoch milliseconds by the database's clock. */
export const EPOCH = Date.UTC(2026, 0, 5, 12);

/** Every other seed has a shard full of nodes, so that slots are given again and again. */
export const isCrowded = ({ seed }: Plan): boolean => seed % 2 === 0;

/** In every third seed a commit takes few steps, so that what comes at once goes in several. */
export const stepsPerCommitOf = ({ seed }: Plan): number => (seed % 3 === 0 ? 5 : 750);

/** In every third seed nodes have no time to spare, also when nothing goes wrong. */
export const isBusy = ({ seed }: Plan): boolean => seed % 3 === 1;

export const SHARD = 'a';
export const ACCOUNTS = [11, 12, 13];
export const NODES = 3;

/** As in production: the charts' pauses after a lost leg are made for it. */
export const GRACE_MS = 20_000;

/** Between two calls, on the average; few calls are spread over a minute. */
export const callEveryMs = ({ calls, minutes = 1 }: Plan): number => Math.max(45, (minutes * 60_000) / calls);
/** Between two changes an operator makes to a line. */
export const lineChangeEveryMs = ({ minutes = 1 }: Plan): number => 150 * minutes;

/**
 * What the shard's time may gain on the truth while a number is claimed, and its claim still outlives its leg: the slack of
 * the claim, without half a minute in which the dial may be late.
 */
export const GAIN_BORNE_MS = 270_000;

/** A run that went so wrong is not continued. */
export const VIOLATIONS_ENOUGH = 25;

/** Nothing goes wrong any more this long after the last start; the rest of the story must come to its end. */
export const TROUBLE_AFTER_MS = 240_000;
/**
 * The last trouble of all: the database is away for longer than nodes look ahead. What comes due after it must come at
 * once.
 */
export const LAST_OUTAGE_MS = 90_000;
/** It is felt for so long: nodes beat and look ahead again. */
export const AFTER_OUTAGE_MS = 6_000;
/** What waits for a database that refused everything is tried again after at most so long. */
export const AFTER_REFUSALS_MS = 15_000;
/** After the trouble: enough for retries, dates and the longest waits. */
export const PATIENCE_MS = 3_600_000;
/** Once everything has ended the world goes on this long: nothing may stir again, and the finished go to rest. */
export const AFTERLIFE_MS = 70 * 60_000;

export const trouble = {
  /** Between two crashes (or orderly stops) of a node, and until it runs again. */
  crashEveryMs: 70_000,
  restartMs: [200, 15_000] as const,
  orderlyStop: 0.25,
  /** Between two pauses of a node at any moment, and their length: short ones, and ones beyond the grace time. */
  pauseEveryMs: 60_000,
  pauseMs: [50, 3_000] as const,
  longPause: 0.4,
  longPauseMs: [3_000, 40_000] as const,
  /** How many pauses are those of the machine: suspended, and not only stopped. */
  suspended: 0.4,
  /** Between two times that the database's clock is set, and a node's wall clock: by milliseconds to minutes. */
  clockSetEveryMs: 40_000,
  wallSetEveryMs: 60_000,
  clockSetMs: [20, 1_500, 15_000, 120_000] as const,
  /** A pause at an await: where an answer arrives, a timer fires, a request is about to leave. */
  pauseAtAwait: 0.000_15,
  /** A pause as the answer to a commit arrives, mostly beyond the grace time. */
  pauseAfterCommit: 0.002,
  pauseAfterCommitMs: [10_000, 40_000] as const,
  /** A pause when a dial is about to leave. */
  pauseBeforeDial: 0.004,
  /** A node dies as it sends a commit (which then lands or not), or as the answer comes. */
  crashAtCommit: 0.000_6,
  /** The database answers nothing. */
  awayEveryMs: 150_000,
  awayMs: [500, 15_000] as const,
  /** It is away for longer than a campaign goes without a word of its calls. */
  longAway: 0.08,
  longAwayMs: [620_000, 1_300_000] as const,
  /** It answers questions, and refuses what would change it. */
  readOnly: 0.35,
  /** An answer of the database is lost after the deed; or the error comes first and the deed after it. */
  lostReply: 0.02,
  lateDeed: 0.004,
  lateDeedMs: [5, 2_500] as const,
  /** A batch is refused for data that is in order when tried again in smaller pieces. */
  refusedBatch: 0.002,
  /** It refuses everything for a while; and for a while some machines, each of them once. */
  refusesAllEveryMs: 90_000,
  refusesAllMs: [500, 12_000] as const,
  refusesOnceEveryMs: 90_000,
  refusesOnceMs: [5_000, 40_000] as const,
  refusedOnce: 0.2,
  /** A node dies as it brings lines of journals, or writes them again; and as it has given a line to its journal. */
  crashAtRedo: 0.004,
  crashAtAppend: 0.000_3,
  /** A disk with journals is full. */
  fullEveryMs: 120_000,
  fullMs: [200, 8_000] as const,
  /** The database goes back: to a standby that was so far behind, or to a copy so old; and at times once more. */
  goBackEveryMs: 70_000,
  behindMs: [5, 300, 3_000] as const,
  /** A standby that lacks one commit, that of a dial, and nothing else. */
  behindByOne: 0.4,
  oldMs: [10_000, 60_000] as const,
  promotion: 0.6,
  backOnceMore: 0.4,
  backOnceMoreMs: [20, 9_000] as const,
  /** It is away meanwhile. */
  promotionMs: [0, 6_000] as const,
  /** All nodes of a host are killed with it. */
  killedWithIt: 0.4,
  /** A slow answer. */
  slowReply: 0.005,
  slowReplyMs: [50, 2_000] as const,
  /** Requests to the world. */
  away: 0.006,
  lostRequest: 0.006,
  lostAcceptance: 0.006,
  slowRequest: 0.008,
  slowRequestMs: [2_000, 14_000] as const,
  /** The carrier's server is away, and phones ring on. */
  carrierAwayEveryMs: 60_000,
  carrierAwayMs: [1_000, 60_000] as const,
  /** Facts from the world. */
  lostFact: 0.008,
  lateFact: 0.012,
  lateFactMs: [500, 12_000] as const,
  repeatedFact: 0.02,
  /** A fact comes to a node that does not hold the machine. */
  strayFact: 0.03,
  lostHint: 0.2,
  /** The dialler desk: its books are away, or in a bad way; it answers a second time, later. */
  deskAway: 0.01,
  deskBroken: 0.003,
  answeredTwice: 0.1,
  /** A list is generated, and said to be once more when calls of it are under way. */
  generatedTwice: 0.5,
} as const;

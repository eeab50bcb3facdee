/** The faults by name: whom each concerns, how long it lasts, and how often a run must have done it to count. */

/** `service`: one after the other, with time between to get well. `neighbour`: beside them, all the time. */
export type Track = 'service' | 'neighbour';

/**
 * Whose requests may be told 503 meanwhile: everybody's, those at the node that it hits, or nobody's. Where it is
 * nobody's all others are served as if nothing was.
 */
export type Refuses = 'all' | 'node' | 'nobody';

export interface FaultKind {
  track: Track;
  refuses: Refuses;
  /** How long it lasts, milliseconds: from, to. */
  lasts: readonly [number, number];
  /** Until all is as usual again after it was undone, milliseconds. */
  recoversMs: number;
  /** What it asks of the machine; where that is missing it is left out with a sentence. */
  needs?: Need;
}

/** `root`: may mount. `faketime`: the library that steps a process's clock. */
export type Need = 'root' | 'faketime' | 'redis';

const ofNode = { track: 'service', refuses: 'node', recoversMs: 5_000 } as const;
const ofDatabase = { track: 'service', refuses: 'all', recoversMs: 10_000 } as const;
const ofService = { track: 'service', refuses: 'nobody', recoversMs: 5_000 } as const;
const ofNeighbour = { track: 'neighbour', refuses: 'nobody', recoversMs: 0 } as const;

export const catalogue = {
  /** A node dies, and is started again. */
  kill: { ...ofNode, lasts: [1_000, 4_000] },
  /** A node stands still, shorter or longer than the grace time. */
  freeze: { ...ofNode, lasts: [1_000, 12_000] },
  /** A node is told to leave, and is started again. */
  restart: { ...ofNode, lasts: [100, 1_000] },
  /** The database answers reads and refuses writes. */
  readOnly: { ...ofDatabase, lasts: [8_000, 10_000] },
  /** The disk of the database and of DATA_DIR has no room. */
  fullDisk: { ...ofDatabase, lasts: [4_000, 8_000], needs: 'root' },
  /** Redis is there and answers nothing. */
  redisHangs: { ...ofService, lasts: [4_000, 8_000], needs: 'redis' },
  /** Redis is gone, and comes back empty. */
  redisGone: { ...ofService, lasts: [1_000, 4_000], needs: 'redis' },
  /** The clock of a node is stepped, forwards or back, and later set right. */
  nodeClock: { ...ofService, lasts: [4_000, 8_000], needs: 'faketime' },
  /** That of the database. */
  databaseClock: { ...ofService, lasts: [4_000, 8_000], needs: 'faketime' },
  /** Requests of strangers and of a customer that are none: bytes, chunks, parts, depths. */
  hostileRequests: { ...ofNeighbour, lasts: [1_000, 2_000] },
  /** Bodies that are announced and never come, from six addresses. */
  silentBodies: { ...ofNeighbour, lasts: [3_000, 8_000] },
  /** Long answers that nobody reads. */
  unreadAnswers: { ...ofNeighbour, lasts: [3_000, 6_000] },
  /** An SMS gateway answers nonsense. */
  gatewayNonsense: { ...ofNeighbour, lasts: [2_000, 5_000] },
  /** An SMSC answers nonsense, floods, and reads nothing. */
  smscNonsense: { ...ofNeighbour, lasts: [2_000, 5_000] },
  /** A receiver of callbacks answers nonsense. */
  receiverNonsense: { ...ofNeighbour, lasts: [2_000, 5_000] },
  /** The name server of a customer's hosts is silent. */
  silentNames: { ...ofNeighbour, lasts: [4_000, 8_000], needs: 'root' },
} as const satisfies Record<string, FaultKind>;

export type FaultName = keyof typeof catalogue;
export const faultNames = Object.keys(catalogue) as FaultName[];

export const kindOf = (name: FaultName): FaultKind => catalogue[name];

/** Whether it hits the node that is planned, and no other. */
export const hitsOneNode = (name: FaultName): boolean =>
  kindOf(name).refuses === 'node' || name === 'nodeClock';

/** How often each must have been done, for the run to say anything: once in two minutes, five times in twenty. */
export const leastOf = (minutes: number): number => Math.max(1, Math.floor(minutes / 4));

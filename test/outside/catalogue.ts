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
  /** How long it lasts, milliseconds: from, to. Those of databases last until the nodes are ready again, about so long. */
  lasts: readonly [number, number];
  /** How long before it something is done that disturbs nobody, milliseconds: from, to. */
  prepares?: readonly [number, number];
  /** A standby takes the place of the primary: every run has at least one of these. */
  promotes?: true;
  /** Until all is as usual again after it was undone, milliseconds. */
  recoversMs: number;
  /** It is done to a run with Asterisks, and to no other. */
  ofAsterisks?: true;
  /** What it asks of the machine; where that is missing it is left out with a sentence. */
  needs?: Need;
}

/** `root`: may mount. `faketime`: the library that steps a process's clock. `compiler`: of C, for one that lets it stand. */
export type Need = 'root' | 'faketime' | 'redis' | 'compiler';

const ofNode = { track: 'service', refuses: 'node', recoversMs: 5_000 } as const;
const ofDatabase = { track: 'service', refuses: 'all', recoversMs: 10_000 } as const;
const ofPromotion = { ...ofDatabase, promotes: true } as const;
const ofService = { track: 'service', refuses: 'nobody', recoversMs: 5_000 } as const;
const ofAsterisk = { ...ofService, ofAsterisks: true, recoversMs: 15_000 } as const;
const ofNeighbour = { track: 'neighbour', refuses: 'nobody', recoversMs: 0 } as const;

export const catalogue = {
  /** A node dies, and is started again. */
  kill: { ...ofNode, lasts: [1_000, 4_000] },
  /** A node stands still, shorter or longer than the grace time. */
  freeze: { ...ofNode, lasts: [1_000, 12_000] },
  /** Its machine is suspended for longer than the grace time: it stands still, and its monotonic clock with it. */
  suspend: { ...ofNode, lasts: [9_000, 13_000], needs: 'compiler' },
  /** A node is told to leave, and is started again. */
  restart: { ...ofNode, lasts: [100, 1_000] },
  /** The database answers reads and refuses writes. */
  readOnly: { ...ofDatabase, lasts: [8_000, 10_000] },
  /** The disk of the database and of DATA_DIR has no room. */
  fullDisk: { ...ofDatabase, lasts: [4_000, 8_000], needs: 'root' },
  /** A standby that has every commit is promoted. */
  promoteSync: { ...ofPromotion, lasts: [6_000, 10_000] },
  /** One that lacks the last seconds is. */
  promoteAsync: { ...ofPromotion, lasts: [12_000, 20_000] },
  /** The same, with one node or two killed at that moment, and started again. */
  promoteKilled: { ...ofPromotion, lasts: [15_000, 25_000] },
  /** A copy of before takes the place of the primary's data. */
  restoreOld: { ...ofDatabase, lasts: [12_000, 20_000], prepares: [20_000, 60_000] },
  /** All connections to the database are cut, again and again. */
  cutConnections: { ...ofDatabase, lasts: [1_000, 5_000] },
  /** Those to one server or both pass nothing and stay open; what waited passes afterwards. */
  hangConnections: { ...ofDatabase, lasts: [2_000, 10_000] },
  /** Redis is there and answers nothing. */
  redisHangs: { ...ofService, lasts: [4_000, 8_000], needs: 'redis' },
  /** Redis is gone, and comes back empty. */
  redisGone: { ...ofService, lasts: [1_000, 4_000], needs: 'redis' },
  /** The clock of a node is stepped, forwards or back, and later set right. */
  nodeClock: { ...ofService, lasts: [4_000, 8_000], needs: 'faketime' },
  /** That of the database. */
  databaseClock: { ...ofService, lasts: [4_000, 8_000], needs: 'faketime' },
  /** An Asterisk dies with its legs, and is started again. */
  killAsterisk: { ...ofAsterisk, lasts: [4_000, 15_000] },
  /** An operator drains the server of an Asterisk, and later lets calls go by it again. */
  drainAsterisk: { ...ofAsterisk, lasts: [15_000, 30_000] },
  /** A carrier refuses every call with 503. */
  closeCarrier: { ...ofAsterisk, lasts: [8_000, 20_000] },
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

export const kindOf = (name: FaultName): FaultKind => catalogue[name];

const all = Object.keys(catalogue) as FaultName[];
/** Those of a run with the carrier that is a log. */
export const faultNames = all.filter((name) => !kindOf(name).ofAsterisks);
/** Those of a run with Asterisks: theirs, and the death of a node. */
export const asteriskFaultNames = all.filter((name) => kindOf(name).ofAsterisks || name === 'kill');

/** Whether it hits the node that is planned, and no other. */
export const hitsOneNode = (name: FaultName): boolean =>
  kindOf(name).refuses === 'node' || name === 'nodeClock';

/** How often each must have been done, for the run to say anything: twice in twenty minutes, five times in fifty. */
export const leastOf = (minutes: number): number => Math.max(1, Math.floor(minutes / 10));

/** The faults by name: whom each concerns, how long it lasts, and how often a run must have done it to count. */

/**
 * `service`: other accounts may be told 503 meanwhile and for a while afterwards. `neighbour`: it is one customer's
 * trouble, or a stranger's, and all others are served as if nothing was.
 */
export type Concern = 'service' | 'neighbour';

export interface FaultKind {
  concern: Concern;
  /** How long it lasts, milliseconds: from, to. */
  lasts: readonly [number, number];
  /** It hits the node that is planned, and no other. */
  ofOneNode?: boolean;
  /** What it asks of the machine; where that is missing it is left out with a sentence. */
  needs?: Need;
}

/** `root`: may mount. `faketime`: the library that steps a process's clock. */
export type Need = 'root' | 'faketime' | 'redis';

const oneNode = { concern: 'service', ofOneNode: true } as const;
const service = { concern: 'service' } as const;
const neighbour = { concern: 'neighbour' } as const;

export const catalogue = {
  /** A node dies, and is started again. */
  kill: { ...oneNode, lasts: [1_000, 4_000] },
  /** A node stands still, shorter or longer than the grace time. */
  freeze: { ...oneNode, lasts: [1_000, 9_000] },
  /** A node is told to leave, and is started again. */
  restart: { ...oneNode, lasts: [100, 1_000] },
  /** The database answers reads and refuses writes. */
  readOnly: { ...service, lasts: [8_000, 10_000] },
  /** The disk of the database and of DATA_DIR has no room. */
  fullDisk: { ...service, lasts: [4_000, 8_000], needs: 'root' },
  /** Redis is there and answers nothing. */
  redisHangs: { ...service, lasts: [4_000, 8_000], needs: 'redis' },
  /** Redis is gone, and comes back empty. */
  redisGone: { ...service, lasts: [1_000, 4_000], needs: 'redis' },
  /** The clock of a node is stepped, forwards or back, and later set right. */
  nodeClock: { ...oneNode, lasts: [4_000, 8_000], needs: 'faketime' },
  /** That of the database. */
  databaseClock: { ...service, lasts: [4_000, 8_000], needs: 'faketime' },
  /** Requests of strangers and of a customer that are none: bytes, chunks, parts, depths. */
  hostileRequests: { ...neighbour, lasts: [1_000, 2_000] },
  /** Bodies that are announced and never come, from six addresses. */
  silentBodies: { ...neighbour, lasts: [3_000, 8_000] },
  /** Long answers that nobody reads. */
  unreadAnswers: { ...neighbour, lasts: [3_000, 6_000] },
  /** An SMS gateway answers nonsense. */
  gatewayNonsense: { ...neighbour, lasts: [2_000, 5_000] },
  /** An SMSC answers nonsense, floods, and reads nothing. */
  smscNonsense: { ...neighbour, lasts: [2_000, 5_000] },
  /** A receiver of callbacks answers nonsense. */
  receiverNonsense: { ...neighbour, lasts: [2_000, 5_000] },
  /** The name server of a customer's hosts is silent. */
  silentNames: { ...neighbour, lasts: [4_000, 8_000], needs: 'root' },
} as const satisfies Record<string, FaultKind>;

export type FaultName = keyof typeof catalogue;
export const faultNames = Object.keys(catalogue) as FaultName[];

export const kindOf = (name: FaultName): FaultKind => catalogue[name];

/** How often each must have been done, for the run to say anything: once in two minutes, five times in twenty. */
export const leastOf = (minutes: number): number => Math.max(1, Math.floor(minutes / 4));

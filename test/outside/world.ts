/** Everything that a fault may lay hands on. */
import type { Gateway } from './actors/gateway.ts';
import type { OddReceiver } from './actors/oddReceiver.ts';
import type { OddSmsc } from './actors/oddSmsc.ts';
import type { Ledger, Work } from './evidence.ts';
import type { Account } from './world/admin.ts';
import type { StandingClock, SteppedClock } from './world/clock.ts';
import type { Disk } from './world/disk.ts';
import type { Names } from './world/names.ts';
import type { Node } from './world/node.ts';
import type { Postgres } from './world/postgres.ts';
import type { Redis } from './world/redis.ts';

export interface World {
  nodes: readonly Node[];
  /** Nodes that a fault has taken away; it brings them back itself. */
  held: Set<Node>;
  postgres: Postgres;
  redis: Redis | undefined;
  /** Under the database and DATA_DIR. */
  disk: Disk;
  names: Names | undefined;
  /** `of`: by the name of the node. */
  clocks: {
    of: ReadonlyMap<string, SteppedClock>;
    /** Those that stand still when their machine is suspended; none without a compiler. */
    standing: ReadonlyMap<string, StandingClock>;
    database: SteppedClock;
  };
  gateway: Gateway;
  oddSmsc: OddSmsc;
  oddReceiver: OddReceiver;
  ledger: Ledger;
  /** Whose trouble the neighbours' faults are. */
  neighbour: Account;
  /** A wish that is insisted on until it is granted or refused. */
  wish(account: Account, work: Work, tag: string, body: object): Promise<void>;
}

/** What a fault did: how many single things, and what is worth a note. */
export interface Done {
  count: number;
  note?: string;
}

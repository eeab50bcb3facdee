/** Everything that a fault may lay hands on. */
import type { Gateway } from './actors/gateway.ts';
import type { OddReceiver } from './actors/oddReceiver.ts';
import type { OddSmsc } from './actors/oddSmsc.ts';
import type { Ledger, Work } from './evidence.ts';
import type { Account, Admin } from './world/admin.ts';
import type { Asterisk } from './world/asterisks.ts';
import type { StandingClock, SteppedClock } from './world/clock.ts';
import type { Disk } from './world/disk.ts';
import type { Names } from './world/names.ts';
import type { Node } from './world/node.ts';
import type { Postgres } from './world/postgres.ts';
import type { Redis } from './world/redis.ts';

/** What every run has. */
export interface Stage {
  nodes: readonly Node[];
  /** Nodes that a fault has taken away; it brings them back itself. */
  held: Set<Node>;
  ledger: Ledger;
}

/** A run whose carriers are those of Asterisks. */
export interface AsteriskWorld extends Stage {
  asterisks: readonly Asterisk[];
  admin: Admin;
}

export interface World extends Stage {
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

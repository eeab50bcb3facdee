/** Everything that a fault may lay hands on. */
import type { Ledger } from './evidence.ts';
import type { Account } from './world/admin.ts';
import type { Node } from './world/node.ts';
import type { Postgres } from './world/postgres.ts';
import type { Redis } from './world/redis.ts';

export interface World {
  nodes: readonly Node[];
  /** Nodes that a fault has taken away; it brings them back itself. */
  held: Set<Node>;
  postgres: Postgres;
  redis: Redis | undefined;
  ledger: Ledger;
  /** Whose trouble the neighbours' faults are. */
  neighbour: Account;
  /** Where the service keeps its files, and the judge its own. */
  folder: string;
}

/** What a fault did: how many single things, and what is worth a note. */
export interface Done {
  count: number;
  note?: string;
}

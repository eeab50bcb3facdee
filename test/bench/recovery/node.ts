/**
 * A fresh process that joins a shard and takes up what a dead one left. Started by `recovery.ts` with the database's
 * address; says when it has joined, when all machines are its own, and when the channels of so many were adopted.
 */
import { machineKinds } from '../../../machines/index.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { openCommitPool } from '../../../src/store/pool.ts';
import { aNode } from '../node.ts';
import { instantWorld } from '../world.ts';

/** Moments in epoch milliseconds. */
export interface Said {
  what: 'born' | 'joined' | 'held' | 'adopted';
  at: number;
  machines: number;
  /** Resident memory of the process, bytes. */
  memory: number;
}

const [url = '', toAdopt = '0'] = process.argv.slice(2);
const say = (what: Said['what'], machines: number, at = Date.now()): void => {
  process.send!({ what, at, machines, memory: process.memoryUsage.rss() } satisfies Said);
};

say('born', 0, performance.timeOrigin);
const address = { name: 'a', url, schema: 'public' };
let adopted = 0;
const engine = aNode({
  database: { pool: openDatabase(address).pool, writers: openCommitPool(address, {}) },
  kinds: machineKinds,
  performers: instantWorld().performers,
  process: 'second',
  ended: ['first'],
  metrics: {
    effectEnded: (effect) => {
      if (effect !== 'adopt') return;
      adopted += 1;
      if (adopted === Number(toAdopt)) say('adopted', adopted);
    },
  },
  log: {
    info: (fields) => {
      if ('machines' in fields) say('held', Number(fields.machines));
    },
  },
});
await engine.open();
say('joined', 0);

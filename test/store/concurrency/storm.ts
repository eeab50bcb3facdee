/**
 * Several writers at once on a real PostgreSQL, what they do drawn from a seed.
 *
 * STORM_ROUNDS=500 npx vitest run test/store/concurrency    longer than in `npm test`
 * STORM_SEED=7 …                                            a seed that was printed
 *
 * The seed fixes what is asked; which of two statements is done first is the server's to choose. So a seed that failed may
 * pass, and fail again at the tenth time.
 */
import { expect } from 'vitest';
import { machineKinds } from '../../../machines/index.ts';
import type { ShardMachineStore } from '../../../src/engine/contract/store.ts';
import { postgresStore } from '../../../src/store/postgresShardStore.ts';
import { type TestDatabase, withDatabase } from '../../helpers/database.ts';
import { Dice } from '../../simulation/dice.ts';

/** Statements under way at a time, at most. */
const CONNECTIONS = 8;

export interface Storm {
  dice: Dice;
  round: number;
  store: ShardMachineStore;
  database: TestDatabase;
}

/** Does the rounds one after the other, on one database; what a round throws names the seed that it was drawn from. */
export const storm = (few: number, round: (storm: Storm) => Promise<void>): Promise<void> =>
  withDatabase(
    async (database) => {
      const { pool } = database;
      const store = postgresStore(pool, pool, machineKinds);
      const seed = Number(process.env['STORM_SEED'] ?? Date.now() % 1_000_000);
      const rounds = Number(process.env['STORM_ROUNDS'] ?? few);
      const { currentTestName } = expect.getState();
      try {
        for (let nth = 0; nth < rounds; nth += 1)
          await round({ dice: new Dice(`${seed} ${nth}`), round: nth, store, database });
      } catch (error) {
        console.error(`STORM_SEED=${seed} STORM_ROUNDS=${rounds}: ${currentTestName}`);
        throw error;
      }
    },
    { maxConnections: CONNECTIONS },
  );

/** So many of them, each told its place. */
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** In another order. */
export const shuffled = <T>(dice: Dice, items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, order: dice.next() }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ item }) => item);

/** Some of them, at least one. */
export const some = <T>(dice: Dice, items: readonly T[]): T[] =>
  shuffled(dice, items).slice(0, dice.whole(1, items.length));

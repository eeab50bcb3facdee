/** A node's way to the database: slow at times, cut off at times, and not always true about what became of a request. */
import { type ShardMachineStore, StoreUnavailable } from '../../src/engine/contract/store.ts';
import type { Book } from './book.ts';
import type { Database } from './database.ts';
import type { Dice } from './dice.ts';
import type { Life } from './life.ts';
import { trouble, type Break } from './plan.ts';
import type { Refusals } from './refusals.ts';
import type { World } from './world.ts';
import type { MachineRow, MachineWrite } from '../../src/engine/contract/rows.ts';

export interface StoreScope {
  world: World;
  book: Book;
  database: Database;
  refusals: Refusals;
  life: Life;
  dice: Dice;
  troubled: () => boolean;
  broken: Break | undefined;
}

type Verb = keyof ShardMachineStore;

/** What becomes of a request. */
type Fate = 'answered' | 'lostReply' | 'lateDeed' | 'dropped';

const VERBS: readonly Verb[] = [
  'commit',
  'read',
  'claims',
  'balances',
  'leave',
  'keep',
  'inbox',
  'now',
  'clockReference',
  'register',
  'beat',
  'leaveNode',
  'declareDead',
  'forgetNodes',
  'lookAhead',
  'takeUp',
  'findTakenOver',
  'history',
  'rest',
  'sweep',
  'lead',
  'standing',
  'doubt',
  'doubtAnew',
  'close',
  'confirm',
  'openWhenAllConfirmed',
  'reconsider',
  'openAfterLoss',
  'fates',
  'enlist',
  'bring',
  'brought',
  'redo',
];

/** What a database that only answers questions refuses. */
const WRITES: ReadonlySet<Verb> = new Set([
  'commit',
  'leave',
  'keep',
  'register',
  'beat',
  'leaveNode',
  'declareDead',
  'forgetNodes',
  'takeUp',
  'rest',
  'sweep',
  'lead',
  'enlist',
  'bring',
  'redo',
]);

/** The store as one process has it. */
export const faultyStore = (scope: StoreScope): ShardMachineStore =>
  Object.fromEntries(
    VERBS.map((verb) => [verb, (...given: unknown[]) => ask(scope, verb, given)]),
  ) as unknown as ShardMachineStore;

const ask = (scope: StoreScope, verb: Verb, given: unknown[]): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const { world, life, dice } = scope;
    const answer = (settle: () => void, afterMs: number): void =>
      void life.reach(world.now + afterMs, () => {
        if (verb === 'commit' && happens(scope, trouble.crashAtCommit / 3)) life.crash('after a commit');
        if (verb === 'commit' && happens(scope, trouble.pauseAfterCommit))
          life.pause('after a commit', trouble.pauseAfterCommitMs);
        life.next(settle);
      });
    const fail = (why: string, afterMs: number): void => answer(() => reject(new Error(why)), afterMs);
    life.next(() => {
      life.judgeTime();
      const sentAt = world.now;
      const { sleptMs } = life;
      const fate = fateOf(scope, verb);
      if (fate !== 'answered') scope.book.note(`${life.name} ${verb} is ${fate}`);
      if (fate === 'dropped') return;
      const arrival = world.now + replyMs(scope);
      const { generation } = scope.database;
      const isCut = (): boolean => scope.database.generation !== generation;
      if (fate === 'lateDeed') {
        fail('connection reset', arrival - world.now);
        scope.book.count('late deeds');
        world.at(
          arrival + dice.between(...trouble.lateDeedMs),
          () => void (isCut() || deed(scope, verb, given).catch(() => {})),
        );
        return;
      }
      world.at(arrival, () => {
        if (scope.database.awayUntil > world.now) {
          fail('database is away', dice.chance(0.3) ? dice.between(500, 2_000) : 1);
          return;
        }
        if (isCut()) {
          fail('the server has gone', 1);
          return;
        }
        const done = deed(scope, verb, given);
        if (fate === 'lostReply') {
          scope.book.count('lost replies');
          fail('connection lost', dice.between(1, 3_000));
          done.catch(() => {});
          return;
        }
        const back = replyMs(scope);
        done.then(
          (value) =>
            answer(() => {
              if (verb === 'beat' && (value as { alive: boolean }).alive) life.beaten(sentAt, sleptMs);
              if (verb === 'register') ({ incarnation: life.incarnation } = value as { incarnation: number });
              resolve(value);
            }, back),
          (error: unknown) => answer(() => reject(error), back),
        );
      });
    });
  });

/** Decided as the request leaves; the process may die at that moment, and the deed be done all the same. */
const fateOf = (scope: StoreScope, verb: Verb): Fate => {
  const { life, dice } = scope;
  const isCrash =
    (verb === 'commit' && happens(scope, trouble.crashAtCommit)) ||
    ((verb === 'bring' || verb === 'redo') && happens(scope, trouble.crashAtRedo));
  if (isCrash) {
    life.crash(`at a ${verb}`);
    return dice.chance(0.5) ? 'dropped' : 'answered';
  }
  const rarer = verb === 'commit' ? 1 : 0.3;
  if (happens(scope, trouble.lostReply * rarer)) return 'lostReply';
  if (happens(scope, trouble.lateDeed * rarer)) return 'lateDeed';
  return 'answered';
};

const happens = ({ dice, troubled }: StoreScope, chance: number): boolean =>
  troubled() && dice.chance(chance);

const replyMs = (scope: StoreScope): number =>
  happens(scope, trouble.slowReply) ? scope.dice.between(...trouble.slowReplyMs) : scope.dice.between(0.2, 3);

/** What the database does with it. */
const deed = async (scope: StoreScope, verb: Verb, given: unknown[]): Promise<unknown> => {
  const { world, database, book, broken } = scope;
  if (database.refusesUntil > world.now && WRITES.has(verb)) {
    book.count('refused writes');
    if (verb === 'commit' && broken === 'readOnly') return (given[1] as MachineWrite[]).length;
    throw new StoreUnavailable('cannot execute this in a read-only transaction');
  }
  if (verb === 'commit') {
    const batch = given[1] as MachineWrite[];
    scope.refusals.judge(batch);
    book.count('commits');
    const written = (await database.do(verb, given)) as number;
    if (written < batch.length) book.count('partial batches');
    return written;
  }
  const result = await database.do(verb, given);
  // Whose write it was that stands there is no longer told.
  if (verb === 'read' && broken === 'readBack')
    return (result as MachineRow[]).map((row) => ({ ...row, stepId: 0 }));
  return result;
};

/**
 * Databases that go back: a standby is promoted that lacks the last commits, or a copy is put in the place of what was
 * there, at times once more while lines of journals are being written again. And operators, who open what has to be opened.
 */
import type { Book } from './book.ts';
import type { Calm } from './calm.ts';
import type { Database } from './database.ts';
import type { Dice } from './dice.ts';
import type { Excuses } from './excuses.ts';
import type { Journals } from './journals.ts';
import type { Life } from './life.ts';
import { AFTER_OUTAGE_MS, EPOCH, GRACE_MS, type Setbacks, trouble } from './plan.ts';
import type { World } from './world.ts';

/** An operator has looked at a shard that is closed for so long that all who may come have come. */
const OPENED_BY_HAND_MS = 4 * GRACE_MS;
/**
 * With every journal at hand a shard is open again, once it has been calm for so long: a node that the copy knows, and that is
 * gone since, must be silent for the grace time first.
 */
const OPEN_AGAIN_MS = GRACE_MS + 8_000;
const LOOK_EVERY_MS = 1_000;

export interface SetbacksScope {
  world: World;
  book: Book;
  dice: Dice;
  calm: Calm;
  database: Database;
  journals: Journals;
  excuses: Excuses;
  kind: Setbacks;
  troubled: () => boolean;
  lives: () => readonly Life[];
}

/** The database goes back now and then. */
export const setbacks = (scope: SetbacksScope): void => {
  if (scope.kind === 'never') return;
  watchShard(scope);
  again(scope, dialsOf(scope.database));
};

/** Calls back right before a dial is written down. */
type NextDial = (told: () => void) => void;

const dialsOf = (database: Database): NextDial => {
  let waiting: (() => void)[] = [];
  database.foretold.push((batch) => {
    if (waiting.length === 0 || !batch.some(({ row }) => row.agenda.includes('"originate"'))) return;
    const told = waiting;
    waiting = [];
    for (const tell of told) tell();
  });
  return (tell) => void waiting.push(tell);
};

const again = (scope: SetbacksScope, nextDial: NextDial): void => {
  const { world, dice, troubled } = scope;
  world.after(dice.rarely(trouble.goBackEveryMs), () => {
    if (!troubled()) return;
    const isPromotion = dice.chance(trouble.promotion);
    const backBy = (restore: () => void, at: number) => (): void => {
      goBack(scope, { restore, at, isPromotion });
      again(scope, nextDial);
    };
    if (isPromotion && dice.chance(trouble.behindByOne)) {
      nextDial(() => void world.after(0, backBy(scope.database.copy(), world.now)));
      return;
    }
    const behindMs = isPromotion
      ? dice.between(0, dice.pick(trouble.behindMs))
      : dice.between(...trouble.oldMs);
    world.after(behindMs, backBy(scope.database.copy(), world.now));
  });
};

interface Setback {
  restore: () => void;
  /** When the copy was taken, virtual. */
  at: number;
  isPromotion: boolean;
}

const goBack = (scope: SetbacksScope, setback: Setback): void => {
  const { world, dice, troubled, database, calm, book } = scope;
  const { at, isPromotion } = setback;
  const awayMs = dice.between(...trouble.promotionMs);
  book.count(isPromotion ? 'promotions' : 'copies restored');
  book.note(`the database goes back by ${Math.round(world.now - at)} ms${isPromotion ? ', promoted' : ''}`);
  setback.restore();
  if (isPromotion) database.tables.lineage = `memory/${database.generation + 1}`;
  database.awayUntil = Math.max(database.awayUntil, world.now + awayMs);
  // On a server that is new each node waits for the others to look at it, as long as one that is silent may live.
  calm.disturbed(database.awayUntil + AFTER_OUTAGE_MS + GRACE_MS);
  if (!troubled()) return;
  if (dice.chance(trouble.killedWithIt)) killHost(scope);
  if (dice.chance(trouble.backOnceMore)) onceMore(scope, setback);
};

/** From the same copy, or from one that was taken in the middle of what followed. */
const onceMore = (scope: SetbacksScope, first: Setback): void => {
  const { world, dice, database } = scope;
  const afterMs = dice.between(...trouble.backOnceMoreMs);
  const isFresh = dice.chance(0.5);
  let setback = first;
  if (isFresh)
    world.after(afterMs * dice.next(), () => {
      setback = { ...first, at: world.now, restore: database.copy() };
    });
  world.after(afterMs, () => goBack(scope, setback));
};

/** All processes of one host end at the same moment; its disk may be gone with them. */
const killHost = ({ lives, dice, kind, journals }: SetbacksScope): void => {
  const { host } = dice.pick(lives());
  for (const life of lives()) if (life.alive && life.host === host) life.crash('with its host');
  if (kind === 'lost' && dice.chance(0.5)) journals.lose(host);
};

/** Whether it opens by itself, and an operator who decides where it cannot. */
const watchShard = (scope: SetbacksScope): void => {
  const { world, book, database, calm, excuses, kind } = scope;
  let closedSince = Infinity;
  let isTold = false;
  const look = (): void => {
    world.after(LOOK_EVERY_MS, look);
    const { state, reason } = database.tables.state;
    if (state === 'open') {
      closedSince = Infinity;
      return;
    }
    closedSince = Math.min(closedSince, world.now);
    const closedMs = world.now - closedSince;
    book.most('ms that the shard was not open', closedMs);
    if (kind === 'kept' && !isTold && Math.min(closedMs, calm.lastsFor) > OPEN_AGAIN_MS) {
      isTold = true;
      book.violated('kept closed', 0, `${state} for ${Math.round(closedMs)} ms: ${reason}`);
    }
    const isDecided = kind === 'lost' && state === 'closed' && closedMs > OPENED_BY_HAND_MS;
    if (!isDecided || database.awayUntil > world.now) return;
    excuses.opensAsItStands();
    book.count('shards opened by hand');
    book.note(`an operator opens the shard, which ${reason}`);
    void database.do('openAfterLoss', [EPOCH + world.now]);
  };
  look();
};

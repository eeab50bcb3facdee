/** What befalls processes and the database by themselves, until the trouble is over. */
import type { Book } from './book.ts';
import type { Database } from './database.ts';
import type { Dice } from './dice.ts';
import type { Journals } from './journals.ts';
import type { Life } from './life.ts';
import type { Calm } from './calm.ts';
import { AFTER_OUTAGE_MS, GRACE_MS, LAST_OUTAGE_MS, trouble } from './plan.ts';
import type { World } from './world.ts';

export interface TroubleScope {
  world: World;
  dice: Dice;
  troubled: () => boolean;
}

/** Crashes, orderly stops and pauses of one process, at any moment. */
export const plague = (life: Life, { world, dice, troubled }: TroubleScope): void => {
  world.after(dice.rarely(trouble.crashEveryMs), () => {
    if (!troubled() || !life.alive) return;
    if (dice.chance(trouble.orderlyStop)) life.next(() => void stopped(life));
    else life.crash('at any moment');
  });
  const pauseAgain = (): void =>
    void world.after(dice.rarely(trouble.pauseEveryMs), () => {
      if (!troubled() || !life.alive) return;
      life.pause('at any moment');
      pauseAgain();
    });
  pauseAgain();
  const setAgain = (): void =>
    void world.after(dice.rarely(trouble.wallSetEveryMs), () => {
      if (!troubled() || !life.alive) return;
      life.setWall(setting(dice));
      setAgain();
    });
  setAgain();
};

/** By how much a clock is set, either way. */
const setting = (dice: Dice): number => {
  const most = dice.pick(trouble.clockSetMs);
  return dice.between(-most, most);
};

/** The database's clock is set now and then, this far from the truth. */
export const clockSettings = (scope: TroubleScope & { database: Database; book: Book }): void => {
  const { world, database, book, dice, troubled } = scope;
  world.after(dice.rarely(trouble.clockSetEveryMs), () => {
    if (!troubled()) return;
    database.setClock(setting(dice));
    book.count('clocks set');
    book.note(`the clock of the database is set to ${Math.round(database.clockSetMs)} ms from the truth`);
    clockSettings(scope);
  });
};

/** Disks with journals are full now and then. */
export const fullDisks = (
  scope: TroubleScope & { journals: Journals; calm: Calm; hosts: readonly string[] },
): void => {
  const { world, dice, troubled, journals, hosts, calm } = scope;
  world.after(dice.rarely(trouble.fullEveryMs), () => {
    if (!troubled()) return;
    const ms = dice.between(...trouble.fullMs);
    journals.fill(dice.pick(hosts), ms);
    calm.disturbed(world.now + ms + AFTER_OUTAGE_MS);
    fullDisks(scope);
  });
};

const stopped = (life: Life): Promise<void> =>
  life.engine!.stop().then(
    () => life.end('stops'),
    () => life.crash('while it stops'),
  );

export interface OutageScope extends TroubleScope {
  database: Database;
  book: Book;
  calm: Calm;
  /** Whether a node that runs waits for others before it writes: to look at a server that is new, or to confirm. */
  isAwaited(): boolean;
}

/** The database is away now and then, or refuses to be changed. */
export const outages = (scope: OutageScope): void => {
  const { world, dice, troubled } = scope;
  world.after(dice.rarely(trouble.awayEveryMs), () => {
    if (!troubled()) return;
    const isLong = dice.chance(trouble.longAway);
    const [least, most] = isLong ? trouble.longAwayMs : trouble.awayMs;
    const ms = dice.between(least, most);
    if (isLong) scope.book.count('long outages');
    if (dice.chance(trouble.readOnly)) refuses(scope, ms);
    else isAway(scope, ms);
    outages(scope);
  });
};

/** The trouble ends with an outage. */
export const lastOutage = (scope: OutageScope, at: number): void =>
  void scope.world.at(at, () => isAway(scope, LAST_OUTAGE_MS));

const isAway = ({ world, database, book, calm, isAwaited }: OutageScope, ms: number): void => {
  database.awayUntil = Math.max(database.awayUntil, world.now + ms);
  // No node was seen to beat meanwhile: one that is awaited, and dead, has a whole grace time from then on.
  calm.disturbed(database.awayUntil + AFTER_OUTAGE_MS + (isAwaited() ? GRACE_MS : 0));
  book.count('outages');
  book.note(`the database is away for ${Math.round(ms)} ms`);
};

const refuses = ({ world, database, book, calm }: OutageScope, ms: number): void => {
  database.refusesUntil = world.now + ms;
  calm.disturbed(database.refusesUntil + AFTER_OUTAGE_MS);
  book.count('times it could be read only');
  book.note(`the database refuses writes for ${Math.round(ms)} ms`);
};

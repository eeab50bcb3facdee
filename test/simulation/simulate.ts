/** One run: three nodes of the real engine on one database and one world, from one seed to the judgement. */
import type { Kind } from '../../src/engine/contract/kind.ts';
import { RamalEngine } from '../../src/engine/engine.ts';
import { noopEngineLog, noopEngineMetrics } from '../../src/engine/contract/ports.ts';
import { serializeLegDials } from '../../src/providers/telephony/serializeDialsPerLeg.ts';
import { Beginnings } from './beginnings.ts';
import { Book, type Violation } from './book.ts';
import { Receiver } from './callbacks/receiver.ts';
import { Callers } from './callers.ts';
import { Calm } from './calm.ts';
import { Campaigns } from './campaigns/campaigns.ts';
import { Carrier } from './carrier.ts';
import { gather } from './crowd.ts';
import { Database, type Deed } from './database.ts';
import { Desks } from './desks.ts';
import { Dice } from './dice.ts';
import { faultyStore } from './faultyStore.ts';
import { Excuses } from './excuses.ts';
import { Grapevine } from './grapevine.ts';
import { Hearing } from './hearing.ts';
import { type DeedName, Journals, nameOf } from './journals.ts';
import { judge, type Trial } from './judge.ts';
import { kindsOf } from './kinds.ts';
import { Lateness } from './lateness.ts';
import { Life } from './life.ts';
import { Messages } from './messages/messages.ts';
import {
  AFTER_OUTAGE_MS,
  AFTERLIFE_MS,
  EPOCH,
  GRACE_MS,
  isBusy,
  isCrowded,
  LAST_OUTAGE_MS,
  NODES,
  PATIENCE_MS,
  SHARD,
  setbacksOf,
  stepsPerCommitOf,
  TROUBLE_AFTER_MS,
  trouble,
  VIOLATIONS_ENOUGH,
  type Plan,
} from './plan.ts';
import { Order } from './order.ts';
import { Refusals } from './refusals.ts';
import { Retries } from './retries.ts';
import { setbacks } from './setbacks.ts';
import { clockSettings, fullDisks, lastOutage, outages, plague } from './trouble.ts';
import { Wire } from './wire.ts';
import { World } from './world.ts';

export interface Outcome {
  plan: Plan;
  book: Book;
  violations: Violation[];
  digest: string;
  database: Database;
  deeds: Deed[];
  kinds: readonly Kind[];
  virtualMs: number;
}

/** Runs the plan. `logs`: keep every deed done to the database. */
export const simulate = async (plan: Plan, logs = false): Promise<Outcome> => {
  const town = new Town(plan, logs);
  await town.live();
  const { book, database, kinds } = town;
  if (!town.isBroken) judge(town.trial);
  return {
    plan,
    book,
    violations: town.violations(),
    digest: book.digest(),
    database,
    deeds: database.deeds,
    kinds,
    virtualMs: town.world.now,
  };
};

/** Whether that is what was done, or it was a part of it. */
const isPart = (done: DeedName, told: DeedName): boolean => {
  const names = new Set(told.split(' '));
  return done.split(' ').every((name) => name === '' || names.has(name));
};

class Town {
  readonly kinds: readonly Kind[];
  readonly world = new World();
  readonly book: Book;
  readonly database: Database;
  readonly #callers: Callers;
  readonly #campaigns: Campaigns;
  readonly #messages: Messages;
  readonly #receiver: Receiver;
  readonly #plan: Plan;
  readonly #dice: Dice;
  readonly #wire: Wire;
  readonly #carrier: Carrier;
  readonly #desks: Desks;
  readonly #lives: Life[] = [];
  readonly #grapevine: Grapevine;
  readonly #calm: Calm;
  readonly #beginnings: Beginnings;
  readonly #journals: Journals;
  #judged = { of: 0, violations: [] as Violation[] };
  readonly #excuses: Excuses;
  readonly #refusals: Refusals;
  #births = 0;
  #troubleUntil = Infinity;

  constructor(plan: Plan, logs: boolean) {
    this.#plan = plan;
    this.kinds = kindsOf(plan);
    this.#dice = new Dice(`seed ${plan.seed}`);
    this.book = new Book(this.world, plan.watch);
    const { world, book } = this;
    this.database = new Database(world, book, this.kinds, {
      logs,
      ...(plan.break ? { broken: plan.break } : {}),
    });
    const lives = (): Life[] => this.#lives.filter((life) => life.alive);
    const journals = new Journals({
      world,
      book,
      dice: this.#dice.of('journals'),
      troubled: this.#troubled,
      broken: plan.break,
    });
    this.#journals = journals;
    this.#excuses = new Excuses({ database: this.database, journals });
    const numbers = new Map<string, number>();
    journals.onLine = (incarnation, { lane, number }, deed) => {
      const name = `${incarnation} ${lane}`;
      const before = numbers.get(name) ?? 0;
      if (number !== before + 1)
        book.violated('journal lies', incarnation, `${lane} ${number} follows ${before}`);
      numbers.set(name, number);
      const done = this.database.deedOf(incarnation, lane, number);
      // What was taken up without an answer is known by nobody.
      const isUnknown = deed.what === 'takeUp' && deed.rows.length === 0;
      if (isUnknown) book.count('deeds that nobody knows');
      // One without an answer may have been written in part.
      else if (!isPart(done ?? '', nameOf(deed)))
        book.violated('journal lies', incarnation, `${lane} ${number}: ${nameOf(deed)}, and it was ${done}`);
    };
    const shared = { world, book, troubled: this.#troubled };
    this.#calm = new Calm(world, this.#troubled);
    this.#refusals = new Refusals({ ...shared, calm: this.#calm, dice: this.#dice.of('refusals') });
    const { kinds, database } = this;
    const wasFull = (call: number): boolean => this.#desks.wasFull(call);
    const lateness = new Lateness({ world, book, calm: this.#calm, database, kinds, wasFull });
    const lifeOf = (incarnation: number): Life | undefined =>
      lives().find((life) => life.incarnation === incarnation);
    const retries = new Retries({ book, kinds, database, lifeOf });
    this.#beginnings = new Beginnings({ world, book, database, lateness, retries, journals, lifeOf });
    const order = new Order({ book, database });
    const hearing = new Hearing({ world, book, lifeOf, isAdoptable: lateness.isAdoptable.bind(lateness) });
    database.watchers.push((kind, write, before, isAgain) => {
      if (isAgain) return;
      lateness.landed(kind, write, before);
      hearing.landed(kind, write, before);
      retries.landed(kind, write, before);
      order.landed(write);
      this.#beginnings.landed(write, before);
    });
    this.#grapevine = new Grapevine(shared);
    const anyLife = (): Life | undefined => this.#dice.pick(lives());
    database.onLeft = (rows) => lateness.left(rows);
    const arrives = (mark: unknown, machine: number, life: Life): void => {
      lateness.arrives(mark, life);
      order.arrives(mark, machine, life.incarnation);
    };
    this.#wire = new Wire({ ...shared, dice: this.#dice.of('wire'), anyLife, arrives });
    this.#carrier = new Carrier({
      world,
      book,
      calm: this.#calm,
      wire: this.#wire,
      dice: this.#dice.of('carrier'),
    });
    const isPaused = (campaign: number): boolean =>
      this.database.tables.records.get('campaigns')?.get(campaign)?.['active'] === false;
    this.#desks = new Desks({ world, book, wire: this.#wire, dice: this.#dice.of('desks'), isPaused });
    this.#callers = new Callers({
      world,
      book,
      dice: this.#dice.of('callers'),
      lives: () => [...this.#lives],
      database: this.database,
      journals,
    });
    this.#campaigns = new Campaigns({
      ...shared,
      dice: this.#dice.of('campaigns'),
      wire: this.#wire,
      callers: this.#callers,
      database: this.database,
      calls: plan.calls,
    });
    this.#messages = new Messages({
      ...shared,
      dice: this.#dice.of('messages'),
      wire: this.#wire,
      callers: this.#callers,
      database: this.database,
      lives: () => [...this.#lives],
      calls: plan.calls,
    });
    this.#receiver = new Receiver({
      ...shared,
      dice: this.#dice.of('receiver'),
      wire: this.#wire,
      callers: this.#callers,
      database: this.database,
    });
  }

  /** What is judged at the end. */
  get trial(): Trial {
    return {
      world: this.world,
      book: this.book,
      database: this.database,
      callers: this.#callers,
      kinds: this.kinds,
      campaigns: this.#campaigns.all,
      messages: this.#messages,
      receiver: this.#receiver,
      dialled: this.#carrier.dialled,
      wasFull: (call) => this.#desks.wasFull(call),
      isPoisoned: (machine) => this.#refusals.poisoned.has(machine),
    };
  }

  /** From the first start to long after the last end. */
  async live(): Promise<void> {
    const { world, book, database } = this;
    if (isCrowded(this.#plan)) await gather({ world, database, dice: this.#dice.of('crowd') });
    for (let node = 0; node < NODES; node++) this.#boot(node);
    const last = this.#callers.begin(this.#plan);
    this.#troubleUntil = last + TROUBLE_AFTER_MS;
    const isAwaited = () => this.#lives.some(({ engine }) => engine !== null && !engine.isOpen('a'));
    const scope = { world, book, database, calm: this.#calm, troubled: this.#troubled, isAwaited };
    lastOutage({ ...scope, dice: this.#dice }, this.#troubleUntil);
    this.#calm.disturbed(this.#troubleUntil + AFTER_OUTAGE_MS);
    this.#messages.begin(last);
    this.#campaigns.begin(this.#troubleUntil);
    outages({ ...scope, dice: this.#dice.of('outages') });
    this.#refusals.begin();
    this.#carrier.begin(this.#dice.of('absences'), this.#troubled);
    const hosts = [...new Set(this.#lives.map(({ host }) => host))];
    fullDisks({ ...scope, dice: this.#dice.of('disks'), journals: this.#journals, hosts });
    setbacks({
      ...scope,
      dice: this.#dice.of('setbacks'),
      journals: this.#journals,
      excuses: this.#excuses,
      kind: setbacksOf(this.#plan),
      lives: () => this.#lives,
    });
    clockSettings({ world, book, database, dice: this.#dice.of('clock'), troubled: this.#troubled });
    await world.run(this.#troubleUntil + PATIENCE_MS, () => this.isBroken || this.#isOver());
    await world.run(world.now + AFTERLIFE_MS, () => this.isBroken);
  }

  /** So much went wrong already, or just what was looked for, that the rest says nothing. */
  get isBroken(): boolean {
    const all = this.book.violations;
    const violations = all.length < VIOLATIONS_ENOUGH ? all : this.#violationsSoFar();
    return violations.length >= VIOLATIONS_ENOUGH || violations.some(({ rule }) => rule === this.#plan.until);
  }

  /** Judged anew when there is another one: most may be excused, and that takes long. */
  #violationsSoFar(): Violation[] {
    const { length } = this.book.violations;
    if (length !== this.#judged.of) this.#judged = { of: length, violations: this.violations() };
    return this.#judged.violations;
  }

  /** All that cannot be excused. */
  violations(): Violation[] {
    const { book } = this;
    if (setbacksOf(this.#plan) === 'never') return book.violations;
    this.#excuses.close();
    const violations = book.violations.filter((one) => !this.#excuses.covers(one));
    book.most('violations that are excused', book.violations.length - violations.length);
    book.most('machines that lost something', this.#excuses.many);
    return violations;
  }

  #isOver(): boolean {
    if (
      this.database.tables.state.state !== 'open' ||
      this.world.now < this.#troubleUntil + LAST_OUTAGE_MS ||
      this.#callers.open > 0 ||
      this.#carrier.live > 0
    )
      return false;
    if (this.database.tables.inbox.size > 0 || !this.#campaigns.areOver) return false;
    if (!this.#messages.areQuiet || !this.#receiver.isQuiet) return false;
    // A line may wait for what never comes; its calls may not.
    const tomorrow = EPOCH + this.world.now + AFTERLIFE_MS;
    for (const { kind, endedAt, wakeAt } of this.database.tables.machines.values())
      if (kind === 'call' && endedAt === null && (wakeAt ?? 0) < tomorrow) return false;
    return true;
  }

  readonly #troubled = (): boolean => this.world.now < this.#troubleUntil;

  // ------------------------------------------------------------ nodes

  /** Starts a process; whenever it ends, another one follows. Two of the three share a host. */
  #boot(node: number): void {
    const { world, book } = this;
    const dice = this.#dice.of(`life ${this.#births}`);
    const name = `node${node}.${this.#births++}`;
    const life = new Life(name, `host${node >> 1}`, {
      world,
      book,
      dice,
      troubled: this.#troubled,
      disturbed: (until) => this.#calm.disturbed(until),
      clocksStop: this.#plan.break === 'beginLimit',
      isFrozen: this.#plan.break === 'wallClock',
      isBusy: isBusy(this.#plan),
    });
    this.#lives[node] = life;
    life.engine = this.#engine(life, dice);
    book.note(`${name} starts`);
    life.onEnd = () => {
      this.#grapevine.forget(life);
      world.after(dice.between(...trouble.restartMs), () => this.#boot(node));
    };
    life.next(() => void life.engine!.open().catch(() => life.end('cannot join')));
    plague(life, { world, dice, troubled: this.#troubled });
  }

  #engine(life: Life, dice: Dice): RamalEngine {
    const { world, book, database } = this;
    const store = faultyStore({
      world,
      book,
      database,
      refusals: this.#refusals,
      life,
      dice: dice.of('store'),
      troubled: this.#troubled,
      broken: this.#plan.break,
    });
    const random = dice.of('random');
    return new RamalEngine({
      kinds: this.kinds,
      shards: [
        {
          name: SHARD,
          store,
          performers: this.#beginnings.watched(life, {
            ...serializeLegDials(this.#carrier.performers(life)),
            ...this.#desks.performers(life),
            ...this.#campaigns.performers(life),
            ...this.#messages.performers(life),
            ...this.#receiver.performers(life),
          }),
          clock: life.clock,
          journal: this.#journals.open(life),
          random: () => random.next(),
          hints: this.#grapevine.hints(life, dice.of('hints')),
          metrics: {
            ...noopEngineMetrics,
            effectEnded: (_effect, outcome) => book.count(`effects ${outcome}`),
          },
          log: noopEngineLog,
          cachedMachines: 2_000,
          stepsPerCommit: stepsPerCommitOf(this.#plan),
          membership: {
            name: life.name,
            process: `${life.host} ${life.name}`,
            isProcessDead: (process) => this.#isDead(life.host, process),
            graceMs: GRACE_MS,
          },
        },
      ],
    });
  }

  /** A process can be looked up on one's own host only. */
  #isDead(host: string, process: string): boolean {
    const [where, name] = process.split(' ');
    return where === host && !this.#lives.some((life) => life.name === name && life.alive);
  }
}

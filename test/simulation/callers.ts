/**
 * Those who use the service: they start machines, each under an Idempotency-Key, ask again elsewhere when no answer
 * comes, and remember what they were promised; operators interfere now and then.
 */
import type { BalanceBooking, MachineEvent } from '../../src/engine/contract/effect.ts';
import type { MachineRef, SendEventResult, StartMachineRequest } from '../../src/engine/contract/api.ts';
import type { Book } from './book.ts';
import { callInput } from './callInputs.ts';
import { withDelivery } from './callbacks/wishes.ts';
import type { Database } from './database.ts';
import type { Dice } from './dice.ts';
import { POISON } from './refusals.ts';
import type { Journals } from './journals.ts';
import type { Life } from './life.ts';
import { lineChange, lines } from './lines.ts';
import { turnMachines } from './turns.ts';
import { ACCOUNTS, callEveryMs, lineChangeEveryMs, type Plan, SHARD } from './plan.ts';
import type { World } from './world.ts';

/** How long a caller waits for an answer before it asks again. */
const PATIENCE_MS = 9_000;

export interface CallersScope {
  world: World;
  book: Book;
  dice: Dice;
  lives: () => Life[];
  database: Database;
  journals: Journals;
}

/** A cancel that was acknowledged, sent and answered at these times (virtual). */
export interface Promised {
  machine: number;
  mark: string;
  from: number;
  to: number;
}

/** A start, paid for or not. */
export interface Wanted extends StartMachineRequest {
  bookings?: readonly BalanceBooking[];
}

/** A start that was refused: its balance was said to hold less than was taken. Times are virtual. */
export interface Short {
  /** The machine that it would have been. */
  id: number;
  account: number;
  balance: string;
  taken: number;
  /** When it was asked for. */
  from: number;
}

/** What a caller makes of the answers. */
export interface Heard {
  started?: (machine: number) => void;
  short?: (short: Short) => void;
}

export class Callers {
  /** Machines promised, by request: one each, for good. */
  readonly started = new Map<string, number>();
  readonly promised: Promised[] = [];
  readonly #scope: CallersScope;
  #open = 0;
  #marks = 0;

  constructor(scope: CallersScope) {
    this.#scope = scope;
  }

  /** Requests without an answer yet. */
  get open(): number {
    return this.#open;
  }

  /** Asks for all lines, then for the calls of the plan; when the last one is asked for comes back. */
  begin(plan: Plan): number {
    const { world, dice } = this.#scope;
    for (const { account, id, input } of lines())
      this.want(`line ${id}`, { kind: 'line', shard: SHARD, account, id, input });
    for (const { account, id, input } of turnMachines())
      this.want(`turns ${account}`, { kind: 'turns', shard: SHARD, account, id, input });
    let at = 5_000;
    for (let number = 0; number < plan.calls; number++) {
      at += dice.rarely(callEveryMs(plan));
      this.#open += 1;
      world.at(at, () => this.#wantCall(`call ${number}`));
    }
    this.#changeLines(at, lineChangeEveryMs(plan));
    return at;
  }

  /** Operators change lines all the while: every such fact leaves an entry in a history. */
  #changeLines(until: number, everyMs: number): void {
    const { world, dice } = this.#scope;
    world.after(dice.rarely(everyMs), () => {
      if (world.now > until) return;
      const { account, id, input } = dice.pick(lines());
      this.send({ shard: SHARD, account, id }, lineChange(dice, input));
      this.#changeLines(until, everyMs);
    });
  }

  #wantCall(name: string): void {
    const { world, dice } = this.#scope;
    this.#open -= 1;
    const own = dice.of(name);
    const account = own.pick(ACCOUNTS);
    this.want(name, {
      kind: 'call',
      shard: SHARD,
      account,
      input: callInput(own, account, world.now, name),
      claims: [{ key: name, forMs: 86_400_000, answer: name }],
    });
  }

  /** Asks for a machine until there is an answer. */
  want(name: string, request: Wanted, heard: Heard = {}): void {
    this.#open += 1;
    this.#ask(name, request, heard);
  }

  /** Asks one node, and another one until there is an answer. */
  #ask(name: string, request: Wanted, heard: Heard): void {
    const { world, dice, book } = this.#scope;
    let settled = false;
    const again = (ms: number): void => {
      if (settled) return;
      settled = true;
      world.after(ms, () => this.#ask(name, request, heard));
    };
    const life = dice.pick(this.#scope.lives());
    if (!life?.alive) {
      again(500);
      return;
    }
    world.after(PATIENCE_MS, () => again(dice.between(0, 2_000)));
    life.reach(world.now + dice.between(1, 10), () => {
      if (!life.engine?.accepting) {
        again(500);
        return;
      }
      const { bookings = [] } = request;
      const from = world.now;
      // As operations do: what is paid for has its name before it is asked for.
      const id = bookings.length === 0 ? request.id : life.engine.mintId(SHARD);
      const { engine } = life;
      const input = withDelivery(request.input, () => engine.mintId(SHARD));
      engine.start({ ...request, input, bookings, ...(id !== undefined && { id }) }).then(
        (result) => {
          if (result.outcome === 'insufficientBalance') {
            const { account, balance } = result;
            const taken = takenFrom(bookings, account, balance);
            book.note(`${name} is short: ${balance} of ${account}`);
            heard.short?.({ id: id!, account, balance, taken, from });
            if (!settled) this.#open -= 1;
            settled = true;
            return;
          }
          const machine = result.outcome === 'started' ? result.ref.id : Number(result.owner);
          book.note(`${name} is ${machine}, ${result.outcome}`, machine);
          if (result.outcome === 'started') this.#judgeKept(machine, life, 'its birth');
          this.#promise(name, machine);
          if (settled) return;
          settled = true;
          this.#open -= 1;
          heard.started?.(machine);
          this.#interfere({ shard: request.shard, account: request.account, id: machine }, request.kind);
        },
        () => again(dice.between(100, 2_000)),
      );
    });
  }

  /** Where the first machine was lost, asking again starts another. */
  #promise(name: string, machine: number): void {
    const before = this.started.get(name);
    if (before !== undefined && before !== machine)
      this.#scope.book.violated('one start, two machines', before, `${name} is ${machine} now`);
    this.started.set(name, machine);
  }

  /** Operators cancel, hurry, decide; a broken provider sends what no database takes. */
  #interfere(ref: MachineRef, kind: string): void {
    const { world, dice } = this.#scope;
    if (kind !== 'call') return;
    const send = (event: MachineEvent): void =>
      void world.after(dice.rarely(40_000), () => this.send(ref, event));
    if (dice.chance(0.04)) send({ type: 'cancel' });
    if (dice.chance(0.04)) send({ type: 'retryNow' });
    if (dice.chance(0.03)) send({ type: 'resolveUnknown' });
    if (dice.chance(0.02)) send({ type: 'digitReceived', leg: 1, digit: POISON });
  }

  /** What is told to a caller is in the journal of who tells it. */
  #judgeKept(machine: number, life: Life, what: string, mark?: string): void {
    const { database, journals, book } = this.#scope;
    const entries = database.tables.history.get(machine) ?? [];
    const entry =
      mark === undefined ? entries[0] : entries.find(({ payload }) => payload?.includes(`"${mark}"`));
    const stepId = entry && database.steps.stepOf(machine, entry.revision);
    if (stepId === undefined || journals.keeps(stepId)) return;
    if (database.steps.writtenBy(machine, entry!.revision) === life.incarnation)
      book.violated('told unkept', machine, `${what}: no journal has it`);
    else book.count('answers that no journal has');
  }

  /** Sends an event once; `taken` is told when somebody answers for it. */
  send(ref: MachineRef, event: MachineEvent, taken: () => void = () => {}): void {
    const { world, dice, lives } = this.#scope;
    const life = dice.pick(lives());
    const mark = `event ${++this.#marks}`;
    const from = world.now;
    life?.reach(world.now + dice.between(1, 10), () => {
      life.engine?.send(ref, { ...event, mark }).then(
        (result: SendEventResult) => {
          if (result.outcome === 'stepped') this.#judgeKept(ref.id, life, mark, mark);
          if (result.outcome !== 'gone') taken();
          if (result.outcome === 'stepped' && event.type === 'cancel')
            this.promised.push({ machine: ref.id, mark, from, to: world.now });
        },
        () => {},
      );
    });
  }
}

const takenFrom = (bookings: readonly BalanceBooking[], account: number, balance: string): number =>
  bookings
    .filter((booking) => booking.account === account && booking.balance === balance)
    .reduce((sum, { amount }) => sum - amount, 0);

/**
 * The one database of the simulated nodes: the in-memory store, watched. Every deed that changes it is judged the
 * moment it is done and, when asked for, logged, so that the same deeds can be done to a real PostgreSQL.
 */
import type { Kind } from '../../src/engine/contract/kind.ts';
import type {
  JournalRedoLine,
  ShardMachineStore,
  TakenOverMachine,
  CommitFencingToken,
} from '../../src/engine/contract/store.ts';
import type { JournalEntry as KeptDeed, JournalOwner } from '../../src/engine/contract/journal.ts';
import { PENDING_MACHINE_STATE } from '../../src/engine/contract/deferredStart.ts';
import { MemoryStore, MemoryTables } from '../../src/store/memory.ts';
import type { Book } from './book.ts';
import { Census } from './census.ts';
import { copyOf } from './copies.ts';
import { Identities } from './identities.ts';
import { InboxOrder } from './inboxOrder.ts';
import { nameOf } from './journals.ts';
import { OpenTime } from './openTime.ts';
import { EPOCH, type Break } from './plan.ts';
import type { World } from './world.ts';
import { WrittenSteps } from './writtenSteps.ts';
import type {
  KeyClaimWrite,
  MachineInboxRow,
  Kept,
  NonMachineRecordsToWrite,
  MachineWrite,
} from '../../src/engine/contract/rows.ts';

/** A deed as it was asked for, and what came of it. Some are not the engine's: balances are opened and paid into, a crowd beats. */
export interface Deed {
  verb: keyof ShardMachineStore | 'openBalance' | 'payIn' | 'crowdBeats';
  given: unknown[];
  result: unknown;
}

/** A balance and what it begins with. */
export interface OpenedBalance {
  account: number;
  balance: string;
  amount: number;
}

/** A payment into an account's balance. */
export interface PaidIn {
  id: number;
  account: number;
  amount: number;
  at: number;
}

/** The ledger's first entry of an account. */
export const OPENING = 1;
/** More than anybody could take (`--break balance`). */
const LENT = 1e12;

const CHANGING: readonly (keyof ShardMachineStore)[] = [
  'commit',
  'leave',
  'register',
  'beat',
  'leaveNode',
  'declareDead',
  'forgetNodes',
  'takeUp',
  'rest',
  'sweep',
  'lead',
];

export class Database {
  readonly tables = new MemoryTables();
  /** Changing deeds in their order; empty unless asked for. */
  readonly deeds: Deed[] = [];
  /** No answers before this virtual time. */
  awayUntil = 0;
  /** No writes before this virtual time: it answers questions only. */
  refusesUntil = 0;
  /** How far its clock was set from the truth, milliseconds. */
  clockSetMs = 0;
  /** By how much its clock was set forward, and when, virtual milliseconds. */
  readonly clockSteps: { at: number; byMs: number }[] = [];
  /** For how long the shard was open. */
  readonly openTime: OpenTime;
  /** Counts how often it went back: what was sent before is not done after it. */
  generation = 0;
  /** Machines born, by id; the finished ones leave their table. */
  born = new Map<number, { account: number; kind: string }>();
  /** What was written, and by whom. */
  readonly steps: WrittenSteps;
  /** What was heard, and in which order. */
  readonly inbox: InboxOrder;
  readonly #store: MemoryStore;
  readonly #world: World;
  readonly #book: Book;
  readonly #logs: boolean;
  readonly #broken: Break | undefined;
  /** It went back, and what it lacks has not been noticed yet: only nodes that have never seen it may write. */
  #isForgetful = false;
  /** Machines that were started meanwhile. */
  readonly bornOnCopy = new Set<number>();
  /** Machines whose start was written again from a journal. */
  readonly bornAgain = new Set<number>();
  /** What moved a writer's number on, by writer and number. */
  readonly #deedOf = new Map<string, string>();

  /** Told of every write the moment it stands; `isAgain`: it was brought from a journal. */
  readonly watchers: ((kind: string, write: MachineWrite, before: Before, isAgain: boolean) => void)[] = [];
  /** Told of rows that a node left in the inbox for machines of others. */
  onLeft: (rows: readonly MachineInboxRow[]) => void = () => {};
  /** Told of every batch before it is written. */
  readonly foretold: ((batch: readonly MachineWrite[]) => void)[] = [];
  /** What else goes back with it: each tells what it knows now, and is given that back. */
  readonly memories: (() => () => void)[] = [];
  readonly #identities: Identities;
  readonly #census: Census;

  /** `broken`: a guard this database lacks. `logs`: keep the deeds. */
  constructor(world: World, book: Book, kinds: readonly Kind[], options: { broken?: Break; logs?: boolean }) {
    this.#store = new MemoryStore(kinds, () => this.#clock, this.tables);
    this.#world = world;
    this.#book = book;
    this.#logs = options.logs ?? false;
    this.#broken = options.broken;
    this.#identities = new Identities(book, this.tables);
    const now = (): number => world.now;
    this.openTime = new OpenTime(now);
    this.steps = new WrittenSteps(this.tables, now);
    this.inbox = new InboxOrder(book);
    const { tables } = this;
    const identities = this.#identities;
    const clockSetMs = (): number => this.clockSetMs;
    this.#census = new Census({ world, book, tables, identities, broken: this.#broken, clockSetMs });
    this.memories.push(
      () => this.#census.remember(),
      () => this.inbox.remember(),
    );
  }

  /** A balance is there from now on; a balance begins its ledger. */
  openBalance(opened: OpenedBalance): void {
    const { account, balance, amount } = opened;
    this.tables.balances.set(`${account} ${balance}`, amount);
    if (balance === 'balance')
      this.tables.ledger.push({
        ...{ account, id: OPENING, at: EPOCH, entry: 'opening', amount, payer: null, machine: null },
      });
    if (this.#logs) this.deeds.push({ verb: 'openBalance', given: [opened], result: null });
  }

  /** What moved this writer's number on to that; undefined: nothing has. */
  deedOf(incarnation: number, lane: number, number: number): string | undefined {
    return this.#deedOf.get(`${incarnation} ${lane} ${number}`);
  }

  /** A copy of all that it holds, and of what is known of that; it may be put in its place at any time, time and again. */
  copy(): () => void {
    const tables = copyOf(this.tables);
    const born = new Map(this.born);
    const givenBack = this.memories.map((remember) => remember());
    return () => {
      this.generation += 1;
      this.#identities.wentBack();
      this.#isForgetful = true;
      const serverSince = EPOCH + this.#world.now;
      Object.assign(this.tables, copyOf(tables), { serverSince });
      this.born = new Map(born);
      for (const giveBack of givenBack) giveBack();
      this.openTime.note(this.tables.state.state === 'open');
    };
  }

  /** Sets its clock, so far from the truth. */
  setClock(ms: number): void {
    this.clockSteps.push({ at: this.#world.now, byMs: Math.max(0, ms - this.clockSetMs) });
    this.clockSetMs = ms;
  }

  get #clock(): number {
    return EPOCH + this.#world.now + this.clockSetMs;
  }

  /** Does it now. */
  async do<Verb extends keyof ShardMachineStore>(verb: Verb, given: unknown[]): Promise<unknown> {
    const log = this.#logs && CHANGING.includes(verb);
    this.#census.asked(verb, given);
    // What is handed over is the caller's; the log keeps it as it was.
    const kept = log ? (JSON.parse(JSON.stringify(given)) as unknown[]) : given;
    const method = this.#store[verb] as (...given: unknown[]) => Promise<unknown>;
    if (verb === 'redo') return this.#redo(...(given as Parameters<ShardMachineStore['redo']>));
    if (verb !== 'commit') {
      const { state } = this.tables.state;
      const result = this.#census.done(verb, given, await method.apply(this.#store, given));
      this.#noteStanding(verb, given, state);
      if (verb === 'keep')
        this.#noteKept(...(given as Parameters<ShardMachineStore['keep']>), result as Kept);
      if (verb === 'leave')
        this.#noteLeft(given[0] as MachineInboxRow[], given[1] as CommitFencingToken | undefined);
      if (verb === 'takeUp')
        this.#noteTakenUp(result as TakenOverMachine[], (given[0] as { ticket?: CommitFencingToken }).ticket);
      // To look for nothing and find nothing changes nothing.
      if (log && !(verb === 'takeUp' && (result as TakenOverMachine[]).length === 0))
        this.deeds.push({ verb, given: kept, result });
      return result;
    }
    const batch = given[1] as MachineWrite[];
    for (const told of this.foretold) told(batch);
    if (new Set(batch.map(({ id }) => id)).size < batch.length)
      this.#book.violated('revision', 0, 'a machine occurs twice in a batch');
    const before = batch.map((write) => this.#before(write, given[2] as number));
    this.#lend(LENT);
    const [lane, , at, ticket] = given as Parameters<ShardMachineStore['commit']>;
    const doing = this.#store.commit(lane, this.#sabotaged(batch), at, ticket);
    this.#lend(-LENT);
    // The store writes before it first lets go, so this is the state right after.
    for (const [index, write] of batch.entries())
      if (this.tables.machines.get(write.id)?.stepId === write.row.stepId)
        this.#landed(write, before[index]!);
    const result = await doing;
    const landed = batch.filter(({ id }) => ticket?.landed?.includes(id) ?? true);
    this.#noteTurn(ticket, { what: 'commit', at, writes: landed });
    if (log) this.deeds.push({ verb, given: kept, result });
    return result;
  }

  /** The batch as a database would do it that lacks a guard; what is judged is the batch as it was meant. */
  #sabotaged(batch: MachineWrite[]): MachineWrite[] {
    const standing = (id: number): number => this.tables.machines.get(id)?.revision ?? 0;
    if (this.#broken === 'revision') return batch.map((write) => ({ ...write, guard: standing(write.id) }));
    if (this.#broken === 'inbox') return batch.map((write) => ({ ...write, heard: [] }));
    if (this.#broken === 'claims')
      return batch.map((write) => (write.insert ? write : { ...write, claims: [] }));
    return batch;
  }

  /** No balance is ever short of anything. */
  #lend(amount: number): void {
    if (this.#broken !== 'balance') return;
    for (const [balance, held] of this.tables.balances) this.tables.balances.set(balance, held + amount);
  }

  /** What stands before a write: the revision, and who lives on the claims it makes. */
  #before(write: MachineWrite, at: number): Before {
    const row = this.tables.machines.get(write.id);
    const owners = write.claims.map(({ key }) => {
      const claim = this.tables.claims.get(`${write.account} ${key}`);
      return claim && claim.until > at ? claim.owner : null;
    });
    const { revision = 0, agenda = '[]', state = '', version = 0, heldBy = 0 } = row ?? {};
    return { revision, owners, agenda, state, version, heldBy };
  }

  /** What a database that went back lacks is written again. */
  async #redo(line: JournalRedoLine, deed: KeptDeed): Promise<boolean> {
    const writes = deed.what === 'commit' ? deed.writes : [];
    const at = deed.what === 'commit' ? deed.at : 0;
    const before = writes.map((write) => this.#before(write, at));
    const numberOf = (): number | undefined =>
      this.tables.writers.get(`${line.incarnation} ${line.lane}`)?.number;
    const number = numberOf();
    const doing = this.#store.redo(line, deed);
    if (numberOf() !== number) {
      this.#book.count('written again');
      this.#book.note(
        `${line.incarnation} ${line.lane} ${line.number} of ${line.era} ${line.position} is written again`,
      );
      for (const [index, write] of writes.entries())
        if (this.tables.machines.get(write.id)?.stepId === write.row.stepId)
          this.#landed(write, before[index]!, true);
      if (deed.what === 'leave') this.inbox.broughtBack(deed.rows);
      if (deed.what === 'takeUp')
        for (const { id, revision, stepId } of deed.rows) {
          const isDone = this.tables.machines.get(id)?.stepId === stepId;
          this.#book.note(`${id} taken up ${revision} ${isDone ? 'again' : 'in vain'}`, id);
        }
    }
    return doing;
  }

  #noteStanding(verb: keyof ShardMachineStore, given: unknown[], before: string): void {
    const { state, reason, doubt } = this.tables.state;
    if (verb === 'confirm') this.#book.note(`${given[0] as number} confirms in doubt ${given[1] as number}`);
    if (verb === 'enlist') this.#book.note(`${(given[0] as JournalOwner).incarnation} is known again`);
    if (verb === 'bring') {
      const lines = given[0] as JournalRedoLine[];
      this.#book.note(`${lines.length} lines of ${lines[0]?.incarnation} are brought`);
    }
    this.openTime.note(this.tables.state.state === 'open');
    if (state !== 'open') this.#isForgetful = false;
    if (state !== before) this.#book.note(`the shard is ${state} in doubt ${doubt}: ${reason}`);
  }

  /** A writer's number was moved on. */
  #noteTurn(ticket: CommitFencingToken | undefined, deed: KeptDeed): void {
    if (ticket) this.#deedOf.set(`${ticket.incarnation} ${ticket.lane} ${ticket.number + 1}`, nameOf(deed));
  }

  #landed(write: MachineWrite, before: Before, isAgain = false): void {
    const { id, row, history, insert: birth } = write;
    this.#book.count(isAgain ? 'steps written again' : 'steps');
    this.#book.note(`${id} ${before.revision}>${row.revision} ${row.state} by ${row.heldBy}`, id);
    this.steps.landed(id, row);
    if (birth) this.born.set(id, { account: write.account, kind: birth.kind });
    if (birth && isAgain) this.bornAgain.add(id);
    else if (birth && this.#isForgetful) this.bornOnCopy.add(id);
    const moves =
      birth && row.state === PENDING_MACHINE_STATE ? row.revision === 0 : row.revision > before.revision;
    const over = isAgain ? this.steps.afterTakeUps(id, before.revision, write.guard) : before.revision;
    if (over !== write.guard || !moves)
      this.#book.violated(
        'revision',
        id,
        `wrote ${row.revision} from ${write.guard} over ${before.revision}`,
      );
    for (const entry of history) {
      if (entry.revision <= before.revision)
        this.#book.violated('revision', id, `wrote history ${entry.revision} over ${before.revision}`);
      this.inbox.judgeMark(id, entry);
      this.steps.wrote(id, entry.revision, row);
    }
    this.inbox.landed(write, isAgain);
    // Written again it takes a claim that was given back in a step that no journal has.
    if (!isAgain)
      for (const [index, claim] of write.claims.entries()) this.#judgeClaim(id, claim, before.owners[index]!);
    this.#identities.landed(write, isAgain, this.generation > 0);
    for (const watch of this.watchers) watch(this.born.get(id)!.kind, write, before, isAgain);
  }

  #judgeClaim(id: number, { key }: KeyClaimWrite, owner: string | null): void {
    if (owner !== null && owner !== String(id)) this.#book.violated('claim', id, `took ${key} from ${owner}`);
  }

  /** Somebody has paid in. */
  #noteKept(records: NonMachineRecordsToWrite, ticket: CommitFencingToken, kept: Kept): void {
    if (kept.outcome !== 'kept') return;
    this.#noteTurn(ticket, { what: 'records', ...records });
    // A payment that was asked for again after a lost reply moves nothing.
    for (const { id, account, amount, at } of records.booked.filter(({ account: of }) =>
      kept.balances.has(of),
    )) {
      this.#book.note(`${amount} is paid in to ${account}`);
      const paid: PaidIn = { id, account, amount, at };
      if (this.#logs) this.deeds.push({ verb: 'payIn', given: [paid], result: null });
    }
  }

  #noteLeft(rows: MachineInboxRow[], ticket: CommitFencingToken | undefined): void {
    this.#noteTurn(ticket, { what: 'leave', rows });
    for (const row of rows) {
      this.#book.note(`${row.id} left for ${row.machine}: ${row.event}`, row.machine);
      this.inbox.left(row);
    }
    this.onLeft(rows);
  }

  /** Nodes that only beat do so. */
  crowdBeats(): void {
    const given = this.#census.crowdBeats();
    if (this.#logs) this.deeds.push({ verb: 'crowdBeats', given, result: null });
  }

  #noteTakenUp(rows: TakenOverMachine[], ticket: CommitFencingToken | undefined): void {
    if (rows.length > 0) this.#noteTurn(ticket, { what: 'takeUp', at: 0, heldBy: 0, rows });
    this.#book.count('taken up', rows.length);
    for (const { id, revision, heldBy, stepId } of rows) {
      this.#book.note(`${id} taken up ${revision} by ${heldBy}`, id);
      this.steps.tookUp(id, revision, { heldBy, stepId });
    }
  }
}

/** How a machine stood before a write. */
export interface Before {
  revision: number;
  /** Who lived on the claims that it makes. */
  owners: (string | null)[];
  agenda: string;
  state: string;
  version: number;
  heldBy: number;
}

/**
 * The one database of the simulated nodes: the in-memory store, watched. Every deed that changes it is judged the
 * moment it is done and, when asked for, logged, so that the same deeds can be done to a real PostgreSQL.
 */
import type { Kind } from '../../machines/kind.ts';
import type {
  ClaimWrite,
  HistoryRow,
  InboxRow,
  MachineRow,
  ShardStore,
  Write,
} from '../../src/engine/store.ts';
import { UNBORN } from '../../src/engine/unborn.ts';
import { MemoryStore, MemoryTables } from '../../src/store/memory.ts';
import type { Book } from './book.ts';
import { Census } from './census.ts';
import { Identities } from './identities.ts';
import { EPOCH, type Break } from './plan.ts';
import type { World } from './world.ts';

/** A deed as it was asked for, and what came of it. Some are not the engine's: purses are opened and paid into, a crowd beats. */
export interface Deed {
  verb: keyof ShardStore | 'openPurse' | 'payIn' | 'crowdBeats';
  given: unknown[];
  result: unknown;
}

/** A purse and what it begins with. */
export interface OpenedPurse {
  account: number;
  purse: string;
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
/** More than anybody could take (`--break purse`). */
const LENT = 1e12;

/** The mark of a fact, in its JSON. */
const MARK = /"mark":"?([^",}]+)/;

const CHANGING: readonly (keyof ShardStore)[] = [
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
  /** Machines born, by id; the finished ones leave their table. */
  readonly born = new Map<number, { account: number; kind: string }>();
  /** When entries of the histories were written, virtual, and by which incarnation; by machine and revision. */
  readonly #written = new Map<string, { at: number; by: number }>();
  /** Marks of facts that a node left in an inbox more than once, for want of a reply. */
  readonly leftAgain = new Set<string | undefined>();
  /** Facts heard, as machine and mark. */
  readonly marks = new Set<string>();
  readonly #left = new Set<number>();
  readonly #store: MemoryStore;
  readonly #world: World;
  readonly #book: Book;
  readonly #logs: boolean;
  readonly #broken: Break | undefined;
  readonly #heard = new Set<number>();
  /** Who told whom, by inbox row, and the last of it that was heard, by pair. */
  readonly #told = new Map<number, { pair: string; order: number }>();
  readonly #heardOf = new Map<string, number>();

  /** Told of every write the moment it stands. */
  readonly watchers: ((kind: string, write: Write, before: Before) => void)[] = [];
  readonly #identities: Identities;
  readonly #census: Census;
  #paidIn = OPENING;

  /** `broken`: a guard this database lacks. `logs`: keep the deeds. */
  constructor(world: World, book: Book, kinds: readonly Kind[], options: { broken?: Break; logs?: boolean }) {
    this.#store = new MemoryStore(kinds, () => this.#clock, this.tables);
    this.#world = world;
    this.#book = book;
    this.#logs = options.logs ?? false;
    this.#broken = options.broken;
    this.#identities = new Identities(book, this.tables);
    const { tables } = this;
    const identities = this.#identities;
    const clockSetMs = (): number => this.clockSetMs;
    this.#census = new Census({ world, book, tables, identities, broken: this.#broken, clockSetMs });
  }

  /** A purse is there from now on; a balance begins its ledger. */
  openPurse(opened: OpenedPurse): void {
    const { account, purse, amount } = opened;
    this.tables.purses.set(`${account} ${purse}`, amount);
    if (purse === 'balance')
      this.tables.ledger.push({
        ...{ account, id: OPENING, at: EPOCH, entry: 'opening', amount, payer: null, machine: null },
      });
    if (this.#logs) this.deeds.push({ verb: 'openPurse', given: [opened], result: null });
  }

  /** When an entry of a history was written, virtual. */
  writtenAt(machine: number, revision: number): number {
    return this.#written.get(`${machine} ${revision}`)?.at ?? 0;
  }

  /** Which incarnation wrote it. */
  writtenBy(machine: number, revision: number): number {
    return this.#written.get(`${machine} ${revision}`)?.by ?? 0;
  }

  /** Somebody pays into an account's balance. */
  payIn(account: number, amount: number): void {
    const { purses, ledger } = this.tables;
    const paid: PaidIn = { id: ++this.#paidIn, account, amount, at: Math.round(EPOCH + this.#world.now) };
    purses.set(`${account} balance`, purses.get(`${account} balance`)! + amount);
    ledger.push({ ...paid, entry: 'credit', payer: null, machine: null });
    this.#book.note(`${amount} is paid in to ${account}`);
    if (this.#logs) this.deeds.push({ verb: 'payIn', given: [paid], result: null });
  }

  get #clock(): number {
    return EPOCH + this.#world.now + this.clockSetMs;
  }

  /** Does it now. */
  async do<Verb extends keyof ShardStore>(verb: Verb, given: unknown[]): Promise<unknown> {
    const log = this.#logs && CHANGING.includes(verb);
    this.#census.asked(verb, given);
    // What is handed over is the caller's; the log keeps it as it was.
    const kept = log ? (JSON.parse(JSON.stringify(given)) as unknown[]) : given;
    const method = this.#store[verb] as (...given: unknown[]) => Promise<unknown>;
    if (verb !== 'commit') {
      const result = this.#census.done(verb, given, await method.apply(this.#store, given));
      if (verb === 'leave') this.#noteLeft(given[0] as InboxRow[]);
      if (verb === 'takeUp') this.#noteTakenUp(result as MachineRow[]);
      // To look for nothing and find nothing changes nothing.
      if (log && !(verb === 'takeUp' && (result as MachineRow[]).length === 0))
        this.deeds.push({ verb, given: kept, result });
      return result;
    }
    const batch = given[1] as Write[];
    if (new Set(batch.map(({ id }) => id)).size < batch.length)
      this.#book.violated('revision', 0, 'a machine occurs twice in a batch');
    const before = batch.map((write) => this.#before(write, given[2] as number));
    this.#lend(LENT);
    const [lane, , at, ticket] = given as Parameters<ShardStore['commit']>;
    const doing = this.#store.commit(lane, this.#sabotaged(batch), at, ticket);
    this.#lend(-LENT);
    // The store writes before it first lets go, so this is the state right after.
    for (const [index, write] of batch.entries())
      if (this.tables.machines.get(write.id)?.stepId === write.row.stepId)
        this.#landed(write, before[index]!);
    const result = await doing;
    if (log) this.deeds.push({ verb, given: kept, result });
    return result;
  }

  /** The batch as a database would do it that lacks a guard; what is judged is the batch as it was meant. */
  #sabotaged(batch: Write[]): Write[] {
    const standing = (id: number): number => this.tables.machines.get(id)?.revision ?? 0;
    if (this.#broken === 'revision') return batch.map((write) => ({ ...write, guard: standing(write.id) }));
    if (this.#broken === 'inbox') return batch.map((write) => ({ ...write, heard: [] }));
    if (this.#broken === 'claims')
      return batch.map((write) => (write.birth ? write : { ...write, claims: [] }));
    return batch;
  }

  /** No purse is ever short of anything. */
  #lend(amount: number): void {
    if (this.#broken !== 'purse') return;
    for (const [purse, held] of this.tables.purses) this.tables.purses.set(purse, held + amount);
  }

  /** What stands before a write: the revision, and who lives on the claims it makes. */
  #before(write: Write, at: number): Before {
    const row = this.tables.machines.get(write.id);
    const owners = write.claims.map(({ key }) => {
      const claim = this.tables.claims.get(`${write.account} ${key}`);
      return claim && claim.until > at ? claim.owner : null;
    });
    const { revision = 0, agenda = '[]', state = '', version = 0, heldBy = 0 } = row ?? {};
    return { revision, owners, agenda, state, version, heldBy };
  }

  #landed(write: Write, before: Before): void {
    const { id, row, history, heard, birth } = write;
    this.#book.count('steps');
    this.#book.note(`${id} ${before.revision}>${row.revision} ${row.state} by ${row.heldBy}`, id);
    if (birth) this.born.set(id, { account: write.account, kind: birth.kind });
    const moves = birth && row.state === UNBORN ? row.revision === 0 : row.revision > before.revision;
    if (before.revision !== write.guard || !moves)
      this.#book.violated(
        'revision',
        id,
        `wrote ${row.revision} from ${write.guard} over ${before.revision}`,
      );
    for (const entry of history) {
      if (entry.revision <= before.revision)
        this.#book.violated('revision', id, `wrote history ${entry.revision} over ${before.revision}`);
      this.#judgeMark(id, entry);
      this.#written.set(`${id} ${entry.revision}`, { at: this.#world.now, by: row.heldBy });
    }
    for (const { id: row, machine } of write.tells)
      this.#told.set(row, { pair: `${id}>${machine}`, order: this.#told.size });
    for (const inbox of heard) {
      this.#judgeOrder(id, inbox);
      if (this.#heard.has(inbox)) this.#book.violated('heard twice', id, `inbox row ${inbox}`);
      this.#heard.add(inbox);
    }
    for (const [index, claim] of write.claims.entries()) this.#judgeClaim(id, claim, before.owners[index]!);
    this.#identities.landed(write);
    for (const watch of this.watchers) watch(this.born.get(id)!.kind, write, before);
  }

  /** A fact is heard once, however often it was tried to write that. */
  #judgeMark(machine: number, { event, payload }: HistoryRow): void {
    const mark = MARK.exec(payload ?? '')?.[1];
    if (mark === undefined) return;
    const name = `${machine} ${mark}`;
    if (this.marks.has(name) && !this.leftAgain.has(mark))
      this.#book.violated('heard twice', machine, `${event} of mark ${mark}`);
    this.marks.add(name);
  }

  /** What one machine tells another is heard in the order it was told. */
  #judgeOrder(machine: number, row: number): void {
    const told = this.#told.get(row);
    if (!told) return;
    if (told.order < (this.#heardOf.get(told.pair) ?? -1))
      this.#book.violated('out of order', machine, `inbox row ${row} of ${told.pair}`);
    this.#heardOf.set(told.pair, told.order);
  }

  #judgeClaim(id: number, { key }: ClaimWrite, owner: string | null): void {
    if (owner !== null && owner !== String(id)) this.#book.violated('claim', id, `took ${key} from ${owner}`);
  }

  /** A row left once more after a lost reply is heard once more; only its marks tell. */
  #noteLeft(rows: InboxRow[]): void {
    for (const { id, machine, event } of rows) {
      this.#book.note(`${id} left for ${machine}: ${event}`, machine);
      if (this.#left.has(id)) this.leftAgain.add(MARK.exec(event)?.[1]);
      this.#left.add(id);
      this.#heard.delete(id);
    }
  }

  /** Nodes that only beat do so. */
  crowdBeats(): void {
    const given = this.#census.crowdBeats();
    if (this.#logs) this.deeds.push({ verb: 'crowdBeats', given, result: null });
  }

  #noteTakenUp(rows: MachineRow[]): void {
    this.#book.count('taken up', rows.length);
    for (const { id, revision, heldBy } of rows)
      this.#book.note(`${id} taken up ${revision} by ${heldBy}`, id);
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

/**
 * The one database of the simulated nodes: the in-memory store, watched. Every deed that changes it is judged the
 * moment it is done and, when asked for, logged, so that the same deeds can be done to a real PostgreSQL.
 */
import type { Kind } from '../../machines/kind.ts';
import type {
  Beat,
  ClaimWrite,
  HistoryRow,
  InboxRow,
  MachineRow,
  NodeRow,
  ShardStore,
  Write,
} from '../../src/engine/store.ts';
import { UNBORN } from '../../src/engine/unborn.ts';
import { MemoryStore, MemoryTables } from '../../src/store/memory.ts';
import type { Book } from './book.ts';
import { EPOCH, GRACE_MS, type Break } from './plan.ts';
import type { World } from './world.ts';

/** A deed as it was asked for, and what came of it. Two of them are not the engine's: purses are opened, and paid into. */
export interface Deed {
  verb: keyof ShardStore | 'openPurse' | 'payIn';
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
/** Clocks of nodes do not run alike, and what a heartbeat was sent for is done a moment later; milliseconds. */
const LATEST_MS = 50;
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
  /** How far its clock was set from the truth, milliseconds. */
  clockSetMs = 0;
  /** Machines born, by id; the finished ones leave their table. */
  readonly born = new Map<number, { account: number; kind: string }>();
  /** When entries of the histories were written, virtual, by machine and revision. */
  readonly #written = new Map<string, number>();
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
  /** When an incarnation beat last, virtual. */
  readonly #beatenAt = new Map<number, number>();
  readonly #told = new Map<number, { pair: string; order: number }>();
  readonly #heardOf = new Map<string, number>();

  /** Told of every write the moment it stands. */
  readonly watchers: ((kind: string, write: Write) => void)[] = [];
  #paidIn = OPENING;

  /** `broken`: a guard this database lacks. `logs`: keep the deeds. */
  constructor(world: World, book: Book, kinds: readonly Kind[], options: { broken?: Break; logs?: boolean }) {
    this.#store = new MemoryStore(kinds, () => this.#clock, this.tables);
    this.#world = world;
    this.#book = book;
    this.#logs = options.logs ?? false;
    this.#broken = options.broken;
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
    return this.#written.get(`${machine} ${revision}`) ?? 0;
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
    if (verb === 'declareDead' && this.#broken === 'heartbeats')
      given[2] &&= this.#lastOf(given[0] as number);
    // What is handed over is the caller's; the log keeps it as it was.
    const kept = log ? (JSON.parse(JSON.stringify(given)) as unknown[]) : given;
    const method = this.#store[verb] as (...given: unknown[]) => Promise<unknown>;
    if (verb !== 'commit') {
      const result = this.#watchBeats(verb, given, await method.apply(this.#store, given));
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
    const doing = this.#store.commit(given[0] as number, this.#sabotaged(batch), given[2] as number);
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
    const owners = write.claims.map(({ key }) => {
      const claim = this.tables.claims.get(`${write.account} ${key}`);
      return claim && claim.until > at ? claim.owner : null;
    });
    return { revision: this.tables.machines.get(write.id)?.revision ?? 0, owners };
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
      this.#written.set(`${id} ${entry.revision}`, this.#world.now);
    }
    for (const { id: row, machine } of write.tells)
      this.#told.set(row, { pair: `${id}>${machine}`, order: this.#told.size });
    for (const inbox of heard) {
      this.#judgeOrder(id, inbox);
      if (this.#heard.has(inbox)) this.#book.violated('heard twice', id, `inbox row ${inbox}`);
      this.#heard.add(inbox);
    }
    for (const [index, claim] of write.claims.entries()) this.#judgeClaim(id, claim, before.owners[index]!);
    for (const watch of this.watchers) watch(this.born.get(id)!.kind, write);
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

  /** A node is declared dead for its silence only when it has been silent. */
  #watchBeats(verb: keyof ShardStore, given: unknown[], result: unknown): unknown {
    const now = this.#world.now;
    if (verb === 'register') this.#beatenAt.set((result as { incarnation: number }).incarnation, now);
    if (verb === 'declareDead' && given[2] !== null && result === true)
      this.#judgeDeath(given[0] as number, now);
    if (verb !== 'beat') return result;
    const { alive, nodes } = result as { alive: boolean; nodes: NodeRow[] };
    if (alive) this.#beatenAt.set((given[0] as Beat).incarnation, now);
    return { alive, nodes: nodes.map((node) => this.#listed(node)) };
  }

  #lastOf(incarnation: number): Pick<NodeRow, 'beats' | 'beatAt'> {
    return this.tables.nodes.get(incarnation)!;
  }

  #judgeDeath(incarnation: number, now: number): void {
    const beatenAt = this.#beatenAt.get(incarnation);
    this.#beatenAt.delete(incarnation);
    if (beatenAt !== undefined && now - beatenAt < GRACE_MS - LATEST_MS)
      this.#book.violated(
        'declared dead alive',
        incarnation,
        `it beat ${Math.round(now - beatenAt)} ms before`,
      );
  }

  /** Without beats that are counted (`--break heartbeats`) those whose stamps are old by the clock seem to stand still. */
  #listed(node: NodeRow): NodeRow {
    if (this.#broken !== 'heartbeats' || node.beatAt >= this.#clock - GRACE_MS) return node;
    return { ...node, beats: -1, beatAt: -1 };
  }

  #noteTakenUp(rows: MachineRow[]): void {
    this.#book.count('taken up', rows.length);
    for (const { id, revision, heldBy } of rows)
      this.#book.note(`${id} taken up ${revision} by ${heldBy}`, id);
  }
}

interface Before {
  revision: number;
  owners: (string | null)[];
}

/** The store of one shard in memory, for tests and simulations. Several nodes may share it, as they share a database. */
import type { Kind } from '../../machines/kind.ts';
import { firstIdAt } from '../engine/ids.ts';
import {
  BadBatch,
  type HistoryRow,
  type InboxRow,
  type Key,
  type MachineRow,
  type NodeRow,
  type PurseKey,
  type ShardStore,
  type TakenUp,
  type Write,
} from '../engine/store.ts';
import { isGoodText } from '../engine/text.ts';

const SLOTS = 64;

interface Claim {
  until: number;
  owner: string;
  answer: string | null;
}

interface Node extends NodeRow {
  mintedMs: number;
}

/** A line of the ledger. `payer`, `machine`: whose step moved it; null: somebody by hand. */
export interface LedgerEntry {
  account: number;
  id: number;
  at: number;
  entry: string;
  amount: number;
  payer: number | null;
  machine: number | null;
}

/** What a shard's database holds. */
export class MemoryTables {
  readonly machines = new Map<number, MachineRow>();
  readonly history = new Map<number, HistoryRow[]>();
  readonly inbox = new Map<number, InboxRow>();
  readonly claims = new Map<string, Claim>();
  readonly nodes = new Map<number, Node>();
  /** What purses hold, by account and name. */
  readonly purses = new Map<string, number>();
  readonly ledger: LedgerEntry[] = [];
  /** Records by table and machine. */
  readonly records = new Map<string, Map<number, Record<string, unknown>>>();
}

const claimKey = (account: number, key: string): string => `${account} ${key}`;
const byKey = (one: Key, other: Key): number => one.account - other.account || one.id - other.id;
const keyOf = (row: MachineRow): string => `${row.kind}:${row.version}`;

export class MemoryStore implements ShardStore {
  readonly tables: MemoryTables;
  readonly #kinds: ReadonlyMap<string, Kind>;
  readonly #now: () => number;

  /** `now`: the database's clock, epoch milliseconds. */
  constructor(kinds: readonly Kind[], now: () => number, tables = new MemoryTables()) {
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.#now = now;
    this.tables = tables;
  }

  async commit(_lane: number, batch: Write[], at: number): Promise<number> {
    for (const write of batch) refuseBadData(write);
    // As in one statement: all conditions are judged on what stood before it.
    const lost = new Set(batch.filter((write) => this.#losesClaim(write, at)).map(({ id }) => id));
    for (const id of this.#short(batch)) lost.add(id);
    const written = new Set<number>();
    for (const write of batch)
      if (!write.birth && !lost.has(write.id) && this.#stands(write)) written.add(write.id);
    // First those that steps bear, then those that are born of newborns.
    for (const _generation of [1, 2])
      for (const write of batch)
        if (
          write.birth &&
          !lost.has(write.id) &&
          !this.tables.machines.has(write.id) &&
          parentIn(write, written)
        )
          written.add(write.id);
    for (const write of batch) if (written.has(write.id)) this.#write(write);
    return written.size;
  }

  async read(keys: Key[]): Promise<MachineRow[]> {
    return keys.flatMap(({ account, id }) => {
      const row = this.tables.machines.get(id);
      return row?.account === account ? [{ ...row }] : [];
    });
  }

  async claims(
    keys: { account: number; key: string }[],
    at: number,
  ): Promise<{ account: number; key: string; owner: string; answer: string | null }[]> {
    return keys.flatMap(({ account, key }) => {
      const claim = this.tables.claims.get(claimKey(account, key));
      return claim && claim.until > at ? [{ account, key, owner: claim.owner, answer: claim.answer }] : [];
    });
  }

  async purses(keys: PurseKey[]): Promise<(PurseKey & { amount: number })[]> {
    return keys.flatMap((key) => {
      const amount = this.tables.purses.get(claimKey(key.account, key.purse));
      return amount === undefined ? [] : [{ ...key, amount }];
    });
  }

  async leave(rows: InboxRow[]): Promise<void> {
    for (const row of rows) if (!this.tables.inbox.has(row.id)) this.tables.inbox.set(row.id, { ...row });
  }

  async inbox(heldBy: number, limit: number): Promise<InboxRow[]> {
    return [...this.tables.inbox.values()]
      .filter((row) => this.tables.machines.get(row.machine)?.heldBy === heldBy)
      .toSorted((one, other) => one.id - other.id)
      .slice(0, limit);
  }

  async now(): Promise<number> {
    return Math.round(this.#now());
  }

  async register(node: {
    name: string;
    process: string;
    at: number;
    graceMs: number;
  }): Promise<{ incarnation: number; slot: number; mintedMs: number }> {
    const { nodes } = this.tables;
    const users = (slot: number): Node[] => [...nodes.values()].filter((other) => other.slot === slot);
    const inUse = (other: Node): boolean =>
      other.stoppedAt === null && other.beatAt >= node.at - node.graceMs;
    const lastUse = (slot: number): number =>
      Math.max(0, ...users(slot).map((other) => Math.max(other.beatAt, other.stoppedAt ?? 0)));
    const [slot] = Array.from({ length: SLOTS }, (_, index) => index)
      .filter((index) => !users(index).some(inUse))
      .toSorted((one, other) => lastUse(one) - lastUse(other) || one - other);
    if (slot === undefined) throw new Error(`all ${SLOTS} node slots of this shard are in use`);
    const mintedMs = Math.max(0, ...users(slot).map((other) => other.mintedMs));
    const incarnation = Math.max(node.at * SLOTS + slot, Math.max(0, ...nodes.keys()) + 1);
    nodes.set(incarnation, {
      incarnation,
      slot,
      name: node.name,
      process: node.process,
      beatAt: node.at,
      stoppedAt: null,
      mintedMs,
    });
    return { incarnation, slot, mintedMs };
  }

  async beat(
    incarnation: number,
    at: number,
    mintedMs: number,
  ): Promise<{ alive: boolean; nodes: NodeRow[] }> {
    const node = this.tables.nodes.get(incarnation);
    const alive = node?.stoppedAt === null;
    if (node && alive) Object.assign(node, { beatAt: at, mintedMs });
    return { alive, nodes: [...this.tables.nodes.values()].map((other) => ({ ...other })) };
  }

  async leaveNode(incarnation: number, at: number): Promise<void> {
    const node = this.tables.nodes.get(incarnation);
    if (node) node.stoppedAt ??= at;
  }

  async declareDead(incarnation: number, at: number, beatBefore: number | null): Promise<boolean> {
    const node = this.tables.nodes.get(incarnation);
    if (!node) return false;
    if (node.stoppedAt === null && (beatBefore === null || node.beatAt < beatBefore)) node.stoppedAt = at;
    return node.stoppedAt !== null;
  }

  async forgetNodes(before: number): Promise<void> {
    const held = new Set(
      [...this.tables.machines.values()].filter((row) => row.endedAt === null).map((row) => row.heldBy),
    );
    for (const node of this.tables.nodes.values())
      if (node.stoppedAt !== null && node.stoppedAt < before && !held.has(node.incarnation))
        this.tables.nodes.delete(node.incarnation);
  }

  async lookAhead(
    heldBy: number,
    until: number,
    limit: number,
  ): Promise<{ account: number; id: number; wakeAt: number }[]> {
    return [...this.tables.machines.values()]
      .filter((row) => row.heldBy === heldBy && row.wakeAt !== null && row.wakeAt <= until)
      .toSorted((one, other) => one.wakeAt! - other.wakeAt!)
      .slice(0, limit)
      .map(({ account, id, wakeAt }) => ({ account, id, wakeAt: wakeAt! }));
  }

  async takeUp(request: Parameters<ShardStore['takeUp']>[0]): Promise<TakenUp[]> {
    const { dead, after, overdue, heldBy, stepId, at, known, limit } = request;
    const isDue = (row: MachineRow): boolean =>
      dead === null
        ? row.heldBy !== heldBy &&
          row.wakeAt !== null &&
          row.wakeAt < (overdue ?? 0) &&
          row.stepId < firstIdAt(overdue ?? 0)
        : row.heldBy === dead && (after === null || byKey(row, after) > 0);
    return [...this.tables.machines.values()]
      .filter((row) => row.endedAt === null && known.includes(keyOf(row)) && isDue(row))
      .toSorted(byKey)
      .slice(0, limit)
      .map((row) => {
        const from = row.heldBy;
        Object.assign(row, { heldBy, stepId, revision: row.revision + 1 });
        this.#remember(row.id, {
          revision: row.revision,
          at,
          event: 'takenUp',
          payload: JSON.stringify({ from, by: heldBy }),
          state: row.state,
          asked: '',
        });
        return { ...row, from };
      });
  }

  async versions(): Promise<string[]> {
    return [...new Set([...this.tables.machines.values()].filter((row) => row.endedAt === null).map(keyOf))];
  }

  async history(key: Key, afterRevision: number, limit: number, event?: string): Promise<HistoryRow[]> {
    return (this.tables.history.get(key.id) ?? [])
      .filter((row) => row.revision > afterRevision && (event === undefined || row.event === event))
      .slice(0, limit);
  }

  async rest(endedBefore: number, at: number, limit: number): Promise<number> {
    const over = [...this.tables.machines.values()]
      .filter((row) => row.endedAt !== null && row.endedAt < endedBefore)
      .slice(0, limit);
    for (const row of over) {
      this.tables.machines.delete(row.id);
      const payload = {
        kind: row.kind,
        version: row.version,
        milestones: JSON.parse(row.milestones) as unknown,
        attention: row.attention,
        created_at: row.createdAt,
        ended_at: row.endedAt,
        snapshot: JSON.parse(row.snapshot) as unknown,
      };
      this.#remember(row.id, {
        revision: row.revision + 1,
        at,
        event: 'rested',
        payload: JSON.stringify(payload),
        state: row.state,
        asked: '',
      });
    }
    return over.length;
  }

  async sweep(at: number, graceMs: number): Promise<void> {
    for (const [key, claim] of this.tables.claims)
      if (claim.until <= at - graceMs) this.tables.claims.delete(key);
    for (const row of this.tables.inbox.values())
      if (row.at < at - 6 * graceMs && this.tables.machines.get(row.machine)?.endedAt !== null)
        this.tables.inbox.delete(row.id);
  }

  async lead(job: string, owner: string, at: number, until: number): Promise<boolean> {
    const key = claimKey(0, `lead:${job}`);
    const claim = this.tables.claims.get(key);
    if (claim && claim.until > at && claim.owner !== owner) return false;
    this.tables.claims.set(key, { until, owner, answer: null });
    return true;
  }

  #stands(write: Write): boolean {
    const row = this.tables.machines.get(write.id);
    return row?.account === write.account && row.revision === write.guard;
  }

  #losesClaim(write: Write, at: number): boolean {
    return write.claims.some(({ key }) => {
      const claim = this.tables.claims.get(claimKey(write.account, key));
      return claim !== undefined && claim.until > at && claim.owner !== String(write.id);
    });
  }

  /** Births that take more than is left by those before them. */
  #short(batch: readonly Write[]): number[] {
    const left = new Map(this.tables.purses);
    const bookings = batch.flatMap((write) => write.bookings.map((booking) => ({ write, booking })));
    return bookings
      .filter(({ booking }) => booking.amount < 0)
      .toSorted((one, other) => one.booking.id - other.booking.id)
      .filter(({ booking: { account, purse, amount } }) => {
        const key = claimKey(account, purse);
        left.set(key, (left.get(key) ?? 0) + amount);
        return left.get(key)! < 0;
      })
      .map(({ write }) => write.id);
  }

  #book(write: Write): void {
    const { purses, ledger } = this.tables;
    for (const { id, account, purse, amount, entry, at } of write.bookings) {
      const key = claimKey(account, purse);
      const before = purses.get(key);
      if (before === undefined) continue;
      purses.set(key, before + amount);
      if (entry !== null)
        ledger.push({ account, id, at, entry, amount, payer: write.account, machine: write.id });
    }
  }

  #write(write: Write): void {
    const { account, id, birth, row } = write;
    const before = this.tables.machines.get(id);
    if (birth) this.tables.machines.set(id, { account, id, ...birth, ...row });
    else Object.assign(before!, row);
    for (const entry of write.history) this.#remember(id, entry);
    this.#book(write);
    if (write.record) this.#record(write);
    for (const tell of write.tells) this.tables.inbox.set(tell.id, { ...tell });
    for (const heard of write.heard) this.tables.inbox.delete(heard);
    for (const { key, until, answer } of write.claims)
      this.tables.claims.set(claimKey(account, key), { until, owner: String(id), answer });
    for (const key of write.releases)
      if (this.tables.claims.get(claimKey(account, key))?.owner === String(id))
        this.tables.claims.delete(claimKey(account, key));
  }

  #remember(id: number, entry: HistoryRow): void {
    const entries = this.tables.history.get(id);
    if (entries) entries.push(entry);
    else this.tables.history.set(id, [entry]);
  }

  #record({ id, record }: Write): void {
    const shape = this.#kinds.get(record!.kind)!.record!;
    const table = this.tables.records.get(shape.table) ?? new Map<number, Record<string, unknown>>();
    this.tables.records.set(shape.table, table);
    const born = Object.keys(shape.born).map((column, index) => [column, record!.born?.[index]]);
    const living = Object.keys(shape.living).map((column, index) => [column, record!.living[index]]);
    const values = Object.fromEntries(record!.born ? [...born, ...living] : living) as Record<
      string,
      unknown
    >;
    table.set(id, { ...table.get(id), ...values });
  }
}

const parentIn = (write: Write, written: ReadonlySet<number>): boolean =>
  write.parent === null || written.has(write.parent);

/** What PostgreSQL would refuse. */
const refuseBadData = ({ row, history, tells }: Write): void => {
  const texts = [
    row.snapshot,
    row.agenda,
    ...history.map(({ payload }) => payload ?? ''),
    ...tells.map(({ event }) => event),
  ];
  for (const text of texts)
    if (!isGoodText(text) || text.includes('\\u0000')) throw new BadBatch('text that cannot be stored');
};

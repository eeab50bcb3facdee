/** The store of one shard in memory, for tests and simulations. Several nodes may share it, as they share a database. */
import type { Kind } from '../engine/contract/kind.ts';
import { firstIdAt, raiseMintedIdAboveStep } from '../engine/contract/idGenerator.ts';
import type { JournalEntry, JournalOwner } from '../engine/contract/journal.ts';
import {
  type Beat,
  type NodeRow,
  type JournalRedoLine,
  type DatabaseClockReading,
  type ShardMachineStore,
  type ShardStatus,
  StoreUnavailable,
  type TakenOverMachine,
  type CommitFencingToken,
} from '../engine/contract/store.ts';
import { commitBatchInMemory, refuseUnstorableWrite } from './memory/commit.ts';
import { isBalanceInsufficient, keep } from './memory/writeNonMachineRecords.ts';
import * as nodes from './memory/nodes.ts';
import * as redo from './memory/journalRedo.ts';
import * as standing from './memory/shardOpeningAndWriterTurn.ts';
import { accountScopedKey, MemoryTables, appendHistoryInMemory } from './memory/tables.ts';
import type {
  HistoryRow,
  MachineInboxRow,
  Kept,
  Key,
  MachineRow,
  BalanceKey,
  NonMachineRecordsToWrite,
  MachineWrite,
} from '../engine/contract/rows.ts';

export type { LedgerEntry } from './memory/tables.ts';
export { MemoryTables };

const byKey = (one: Key, other: Key): number => one.account - other.account || one.id - other.id;
const keyOf = (row: MachineRow): string => `${row.kind}:${row.version}`;

export class MemoryStore implements ShardMachineStore {
  readonly tables: MemoryTables;
  readonly #kinds: ReadonlyMap<string, Kind>;
  readonly #now: () => number;

  /** `now`: the database's clock, epoch milliseconds. */
  constructor(kinds: readonly Kind[], now: () => number, tables = new MemoryTables()) {
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.#now = now;
    this.tables = tables;
  }

  async commit(
    _lane: number,
    batch: MachineWrite[],
    at: number,
    ticket?: CommitFencingToken,
  ): Promise<number> {
    for (const write of batch) refuseUnstorableWrite(write);
    if (ticket) standing.advanceWriterNumberInMemory(this.tables, ticket);
    const written = commitBatchInMemory(this.tables, this.#kinds, batch, at);
    if (ticket && written.size < batch.length) ticket.landed = [...written];
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
      const claim = this.tables.claims.get(accountScopedKey(account, key));
      return claim && claim.until > at ? [{ account, key, owner: claim.owner, answer: claim.answer }] : [];
    });
  }

  async balances(keys: BalanceKey[]): Promise<(BalanceKey & { amount: number })[]> {
    return keys.flatMap((key) => {
      const amount = this.tables.balances.get(accountScopedKey(key.account, key.balance));
      return amount === undefined ? [] : [{ ...key, amount }];
    });
  }

  async leave(rows: readonly MachineInboxRow[], ticket?: CommitFencingToken): Promise<void> {
    if (!standing.isShardOpenInMemory(this.tables)) throw new StoreUnavailable('the shard is not open');
    if (ticket) standing.advanceWriterNumberInMemory(this.tables, ticket);
    this.#leave(rows);
  }

  async keep(records: NonMachineRecordsToWrite, ticket: CommitFencingToken): Promise<Kept> {
    if (standing.isWriterTurn(this.tables, ticket) && isBalanceInsufficient(this.tables, records))
      return { outcome: 'insufficientBalance' };
    standing.advanceWriterNumberInMemory(this.tables, ticket);
    return keep(this.tables, records);
  }

  #leave(rows: readonly MachineInboxRow[]): void {
    for (const row of rows) if (!this.tables.inbox.has(row.id)) this.tables.inbox.set(row.id, { ...row });
  }

  async inbox(
    heldBy: number,
    limit: number,
    { except = [], lowPriority = true }: { except?: readonly number[]; lowPriority?: boolean } = {},
  ): Promise<MachineInboxRow[]> {
    const known = new Set(except);
    const isLowPriority = ({ machine }: MachineInboxRow): boolean =>
      this.#kinds.get(this.tables.machines.get(machine)!.kind)?.lowPriority === true;
    const found = [...this.tables.inbox.values()]
      .filter(({ id, machine }) => !known.has(id) && this.tables.machines.get(machine)?.heldBy === heldBy)
      .toSorted((one, other) => one.id - other.id);
    const others = found.filter((row) => !isLowPriority(row));
    return (lowPriority ? [...others, ...found.filter(isLowPriority)] : others).slice(0, limit);
  }

  async now(): Promise<number> {
    return Math.round(this.#now());
  }

  async register(
    node: Parameters<ShardMachineStore['register']>[0],
  ): Promise<Awaited<ReturnType<ShardMachineStore['register']>>> {
    return nodes.registerNodeInMemory(this.tables, node);
  }

  async clockReference(): Promise<DatabaseClockReading> {
    const { tables } = this;
    return {
      now: Math.round(this.#now()),
      living: nodes.livingNodeHeartbeats(tables),
      last: nodes.mostRecentlyBeatingNode(tables),
    };
  }

  async beat(beat: Beat): Promise<{ alive: boolean; nodes: NodeRow[] }> {
    return nodes.beat(this.tables, beat);
  }

  async leaveNode(incarnation: number, at: number): Promise<void> {
    return nodes.stopNodeInMemory(this.tables, incarnation, at);
  }

  async declareDead(
    incarnation: number,
    at: number,
    last: Pick<NodeRow, 'beats' | 'beatAt'> | null,
  ): Promise<boolean> {
    return nodes.declareNodeDeadInMemory(this.tables, incarnation, at, last);
  }

  async forgetNodes(before: number): Promise<void> {
    return nodes.forgetStoppedNodes(this.tables, before);
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

  async takeUp(request: Parameters<ShardMachineStore['takeUp']>[0]): Promise<TakenOverMachine[]> {
    const { dead, after, overdue, heldBy, stepId, at, known, limit, ticket } = request;
    const isDue = (row: MachineRow): boolean =>
      dead === null
        ? row.heldBy !== heldBy &&
          row.wakeAt !== null &&
          row.wakeAt < (overdue ?? 0) &&
          row.stepId < firstIdAt(overdue ?? 0)
        : row.heldBy === dead && (after === null || byKey(row, after) > 0);
    const due = [...this.tables.machines.values()]
      .filter(
        (row) =>
          standing.isShardOpenInMemory(this.tables) &&
          row.endedAt === null &&
          known.includes(keyOf(row)) &&
          isDue(row),
      )
      .toSorted(byKey)
      .slice(0, limit);
    if (ticket && due.length > 0) standing.advanceWriterNumberInMemory(this.tables, ticket);
    return due.map((row) => {
      const from = row.heldBy;
      Object.assign(row, {
        heldBy,
        stepId: raiseMintedIdAboveStep(row.stepId, stepId),
        revision: row.revision + 1,
      });
      redo.appendTakenOverHistoryEntry(this.tables, { ...row, from }, at);
      const { account, id, kind, version, revision, state, agenda, wakeAt } = row;
      return {
        ...{ account, id, kind, version, revision, state, agenda, wakeAt, heldBy, from },
        stepId: row.stepId,
      };
    });
  }

  async findTakenOver({
    heldBy,
    statements,
    limit,
  }: Parameters<ShardMachineStore['findTakenOver']>[0]): Promise<(TakenOverMachine & { takenAt: number })[]> {
    const moments = new Set(statements.map(({ at }) => at));
    return [...this.tables.machines.values()]
      .filter((row) => row.heldBy === heldBy && row.endedAt === null)
      .flatMap(({ account, id, kind, version, state, agenda, wakeAt, stepId }) =>
        (this.tables.history.get(id) ?? [])
          .filter(({ event, at }) => event === 'takenOver' && moments.has(at))
          .map(({ revision, at, payload }) => ({
            ...{ account, id, kind, version, revision, state, agenda, wakeAt, heldBy, stepId },
            from: (JSON.parse(payload!) as { from: number }).from,
            takenAt: at,
          })),
      )
      .slice(0, limit);
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
      appendHistoryInMemory(this.tables, row.id, {
        revision: row.revision + 1,
        at,
        event: 'archived',
        payload: JSON.stringify(payload),
        state: row.state,
        asked: '',
        taken: '',
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

  async standing(incarnation: number): Promise<ShardStatus> {
    return standing.readShardStateInMemory(this.tables, incarnation);
  }

  async doubt(reason: string, at: number): Promise<void> {
    standing.move(this.tables, ['open', 'checking'], reason, at);
  }

  async close(reason: string, at: number): Promise<void> {
    standing.move(this.tables, ['checking', 'closed'], reason, at);
  }

  async doubtAnew(seen: Pick<ShardStatus, 'doubt' | 'since'>, at: number): Promise<void> {
    standing.restartConfirmationsInMemoryStore(this.tables, seen, at);
  }

  async confirm(incarnation: number, doubt: number): Promise<void> {
    standing.recordConfirmationInMemory(this.tables, incarnation, doubt);
  }

  async openWhenAllConfirmed(
    doubt: number,
    at: number,
  ): Promise<{ opened: boolean; missing: NodeRow[]; pending: boolean }> {
    return standing.openShardWhenAllConfirmed(this.tables, doubt, at);
  }

  async reconsider(at: number, isLastWord = false): Promise<void> {
    standing.recheckClosedShard(this.tables, at, isLastWord);
  }

  async openAfterLoss(at: number): Promise<boolean> {
    return standing.openMemoryShardAcceptingLoss(this.tables, at);
  }

  async fates(incarnations: readonly number[]): Promise<ReadonlyMap<number, 'living' | 'ended'>> {
    return redo.findNodesLivingOrEnded(this.tables, incarnations);
  }

  async enlist(
    owner: JournalOwner,
    at: number,
    stoppedAt: number | null,
  ): Promise<{ slot: number; mintedMs: number }> {
    return redo.restoreNodeRowFromJournalInMemory(this.tables, owner, at, stoppedAt);
  }

  async bring(lines: readonly JournalRedoLine[]): Promise<void> {
    redo.addJournalRedoLinesToMemory(this.tables, lines);
  }

  async brought(limit: number): Promise<JournalRedoLine[]> {
    return redo.readRedoLines(this.tables, limit);
  }

  async redo(line: JournalRedoLine, entry: JournalEntry): Promise<boolean> {
    return redo.redo(this.tables, line, (ticket) => {
      standing.advanceWriterNumberInMemory(this.tables, ticket, true);
      if (entry.what === 'commit')
        commitBatchInMemory(this.tables, this.#kinds, entry.writes, entry.at, {
          isUnsure: entry.isUnsure ?? false,
        });
      else if (entry.what === 'leave') this.#leave(entry.rows);
      else if (entry.what === 'records') keep(this.tables, entry);
      else redo.redoMachineTakeover(this.tables, entry);
    });
  }

  async lead(job: string, owner: string, at: number, until: number): Promise<boolean> {
    const key = accountScopedKey(0, `lead:${job}`);
    const claim = this.tables.claims.get(key);
    if (!standing.isShardOpenInMemory(this.tables) || (claim && claim.until > at && claim.owner !== owner))
      return false;
    this.tables.claims.set(key, { until, owner, answer: null });
    return true;
  }
}

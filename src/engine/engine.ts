/** The engine over all shards: the verbs, routed. Every shard stands alone; one that is down leaves the others running. */
import type { MachineEvent } from './contract/effect.ts';
import type { Kind } from './contract/kind.ts';
import type { Fact } from './contract/performer.ts';
import { MachineArchiver, type UpkeepTask } from './cluster/leaderUpkeep.ts';
import {
  type InterruptibleUpkeepWork,
  type StartRecurringTimer,
  UpkeepScheduler,
} from './cluster/scheduledUpkeep.ts';
import type { CommitBatchItem } from './writer/batchItem.ts';
import type { ShardClock } from './cluster/monotonicShardTime.ts';
import { ShardEngine, type ShardOptions } from './shard.ts';
import { refuseUnstorable, madeStorable } from './contract/storableText.ts';
import {
  UnknownShard,
  Unavailable,
  type MachineEngine,
  type HistoryEntryView,
  type MachineRef,
  type MachineView,
  type StartWithChargesResult,
  type StartWithChargesRequest,
  type EffectOrderResult,
  type SendEventResult,
  type StartMachineRequest,
  type StartMachineResult,
  type WaitForMilestoneResult,
} from './contract/api.ts';
import { readHistoryView, readMachineView } from './runtime/readMachineView.ts';
import type { Kept, NonMachineRecordsToWrite } from './contract/rows.ts';

export interface EngineOptions {
  kinds: readonly Kind[];
  shards: (Omit<ShardOptions, 'kinds'> & {
    /** How long a finished machine keeps its row, milliseconds. Default one hour. */
    restMs?: number;
    /** Work that is due each minute. Default: none. */
    upkeep?: readonly UpkeepTask[];
    /** Work that takes long, and when it is done. Default: none. */
    heavy?: { schedule: StartRecurringTimer; works: readonly InterruptibleUpkeepWork[] };
  })[];
}

type OfShard = EngineOptions['shards'][number];

const HOUR_MS = 3_600_000;
/** Between tries to join a shard whose database does not answer. */
const JOIN_AGAIN_MS = 1_000;

/** How a shard stands for this node. */
export interface ShardReadiness {
  shard: string;
  /** Why this node takes no new work for it, as the end of "the shard …"; absent: it does. */
  problem?: string;
}

export class RamalEngine implements MachineEngine {
  readonly #shards = new Map<string, ShardEngine>();
  readonly #options: EngineOptions;
  readonly #keepers = new Map<string, (MachineArchiver | UpkeepScheduler)[]>();
  readonly #suspicions = new Map<string, string>();
  #stopping = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    for (const shard of options.shards) this.#put(this.#make(shard));
  }

  get shards(): ReadonlyMap<string, ShardEngine> {
    return this.#shards;
  }

  /** Joins every shard. One that does not answer is tried again in the background; all failing throws. */
  async open(): Promise<void> {
    const joined = await Promise.all([...this.shards.values()].map((shard) => this.#join(shard)));
    if (!joined.includes(true)) throw new Unavailable('no shard of the database answers');
    for (const keeper of this.#allKeepers()) keeper.start();
  }

  get accepting(): boolean {
    return !this.#stopping && [...this.shards.values()].some(({ admission }) => admission.accepting);
  }

  /**
   * What speaks from outside against the database of a shard (a split brain), as the end of "the shard …"; undefined:
   * nothing does any more. As long as it stands the shard is not open.
   */
  suspect(shard: string, reason: string | undefined): void {
    if (reason === undefined) this.#suspicions.delete(shard);
    else this.#suspicions.set(shard, reason);
    this.#tellSuspicion(this.#shard(shard));
  }

  /** A database that does not answer now is told with the next heartbeat. */
  #tellSuspicion({ name, membership }: ShardEngine): void {
    void membership.guard.suspect(this.#suspicions.get(name)).catch(() => {});
  }

  /** Every shard of this node, in the order of the settings. Asks nothing of a database. */
  shardStates(): ShardReadiness[] {
    return [...this.shards].map(([shard, { problem }]) =>
      problem === undefined ? { shard } : { shard, problem },
    );
  }

  start(request: StartWithChargesRequest): Promise<StartWithChargesResult>;
  start(request: StartMachineRequest): Promise<StartMachineResult>;
  async start(request: StartMachineRequest): Promise<StartWithChargesResult> {
    refuseUnstorable(request.input);
    refuseUnstorable(request.claims ?? []);
    return this.#shard(request.shard).admission.start(request);
  }

  send(ref: MachineRef, event: MachineEvent): Promise<SendEventResult> {
    // By hand, and not `async`: at thousands of facts a second the promises in between are felt.
    try {
      refuseUnstorable(event);
      return this.#shard(ref.shard).admission.send(ref, event);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async keep(
    shard: string,
    { blocked = [], unblocked = [], booked = [] }: Partial<NonMachineRecordsToWrite>,
  ): Promise<Kept> {
    refuseUnstorable([blocked, unblocked, booked]);
    return this.#shard(shard).admission.keep({ blocked, unblocked, booked });
  }

  /** Where providers report facts. Text that no database takes loses its bad characters, never the fact. */
  report(machine: MachineRef, fact: Fact): void {
    this.#shard(machine.shard).admission.report(machine.account, machine.id, madeStorable(fact));
  }

  waitFor(ref: MachineRef, milestone: string, timeoutMs: number): Promise<WaitForMilestoneResult> {
    return this.#shard(ref.shard).waiters.wait(ref, milestone, timeoutMs);
  }

  mintId(shard: string): number {
    return this.#shard(shard).admission.mintId();
  }

  now(shard: string): number {
    return this.#shard(shard).membership.now();
  }

  isOpen(shard: string): boolean {
    return this.#shard(shard).membership.guard.isOpen;
  }

  reopenedAt(shard: string): number {
    return this.#shard(shard).membership.guard.reopenedAt;
  }

  standsOpen(shard: string): Promise<boolean> {
    return this.#shard(shard).membership.guard.standsOpen();
  }

  isClosed(shard: string): boolean {
    return this.#shard(shard).membership.guard.isClosed;
  }

  view(ref: MachineRef): Promise<MachineView | undefined> {
    return readMachineView(this.#shard(ref.shard).store, ref);
  }

  history(ref: MachineRef, afterRevision: number, limit: number): Promise<HistoryEntryView[]> {
    return readHistoryView(this.#shard(ref.shard).store, ref, afterRevision, limit);
  }

  async orderEffect(ref: MachineRef, effect: string, order: 'begin' | 'cancel'): Promise<EffectOrderResult> {
    return this.#shard(ref.shard).admission.orderEffect(ref, effect, order);
  }

  operatorEvents(kind: string): readonly string[] {
    return this.#options.kinds.find(({ name }) => name === kind)?.operatorEvents ?? [];
  }

  /** Chart versions of this build, as `kind:version`. Machines of others are left alone. */
  get versions(): ReadonlySet<string> {
    return new Set(
      this.#options.kinds.flatMap(({ name, versions }) =>
        Object.keys(versions).map((version) => `${name}:${version}`),
      ),
    );
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    const kept = Promise.all(this.#allKeepers().map(async (keeper) => keeper.stop()));
    await Promise.all([...this.shards.values()].map((shard) => shard.stop()));
    await kept;
  }

  /** Ends without a word, as a crash would; for simulations. */
  abandon(): void {
    this.#stopping = true;
    for (const keeper of this.#allKeepers()) void keeper.stop();
    for (const shard of this.shards.values()) shard.abandon();
  }

  #allKeepers(): (MachineArchiver | UpkeepScheduler)[] {
    return [...this.#keepers.values()].flat();
  }

  #make(options: OfShard, time?: ShardClock): ShardEngine {
    const shard = new ShardEngine({ ...options, kinds: this.#options.kinds, ...(time && { time }) });
    let isReplaced = false;
    shard.onOverruled = () => {
      if (isReplaced) return;
      isReplaced = true;
      void this.#replace(shard, options);
    };
    return shard;
  }

  /** This one serves from now on. */
  #put(shard: ShardEngine): void {
    const { name, membership } = shard;
    const { store, clock, log, restMs = HOUR_MS, upkeep = [], heavy } = this.#of(name);
    this.#shards.set(name, shard);
    if (this.#suspicions.has(name)) this.#tellSuspicion(shard);
    for (const keeper of this.#keepers.get(name) ?? []) void keeper.stop();
    this.#keepers.set(name, [
      new MachineArchiver({ store, clock, membership, log, restMs, upkeep }),
      ...(heavy ? [new UpkeepScheduler({ shard: name, store, clock, membership, log, ...heavy })] : []),
    ]);
  }

  /**
   * A new one takes the place of one that knows what is not true any more, as a new process would; facts that were not
   * committed yet are told to it.
   */
  async #replace(old: ShardEngine, options: OfShard): Promise<void> {
    const { name, clock, log, store } = options;
    log.warn({ shard: name }, 'the shard was opened though commits are lost: joining anew');
    const fresh = this.#make(options, old.membership.time);
    let unwritten: CommitBatchItem[];
    try {
      await store.leaveNode(old.membership.incarnation, old.membership.now());
      await fresh.start();
      unwritten = await old.unwritten();
    } catch (error) {
      fresh.abandon();
      log.error({ err: error, shard: name }, 'shard does not answer; trying again');
      if (!this.#stopping) clock.after(JOIN_AGAIN_MS, () => void this.#replace(old, options));
      return;
    }
    if (this.#stopping) fresh.abandon();
    if (this.#stopping) return;
    this.#put(fresh);
    for (const keeper of this.#keepers.get(name)!) keeper.start();
    old.handOver(fresh, unwritten);
    old.abandon();
  }

  #of(name: string): OfShard {
    return this.#options.shards.find((shard) => shard.name === name)!;
  }

  async #join(shard: ShardEngine): Promise<boolean> {
    try {
      await shard.start();
      return true;
    } catch (error) {
      const { clock, log } = this.#of(shard.name);
      log.error({ err: error, shard: shard.name }, 'shard does not answer; trying again');
      if (!this.#stopping) clock.after(JOIN_AGAIN_MS, () => void this.#join(shard));
      return false;
    }
  }

  #shard(name: string): ShardEngine {
    const shard = this.shards.get(name);
    if (!shard) throw new UnknownShard(name);
    return shard;
  }
}

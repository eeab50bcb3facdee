/**
 * Whether this node may write to a shard, whose database may have gone back.
 *
 * A standby that was promoted, and a backup that was restored, may lack what was acknowledged. Every commit moves its
 * writer's number on by one, and is written only while the shard is open on this server's history (`store.ts`). Where a
 * number is lower than one that a node, or a journal that is at hand, knows of, or the history is another, the shard is
 * doubted:
 *
 *   open      machines step
 *   checking  every node compares its numbers, and brings from the journals what is missing (`reconcileDatabaseWithJournals.ts`); where
 *             all that hold machines confirm, the shard opens by itself
 *   closed    commits are lost, or may be, and no journal at hand has them: an operator decides
 */
import type { JournalOwner } from '../contract/journal.ts';
import { PeerServerCheckTracker } from './allPeersCheckedNewServer.ts';
import {
  databaseHistoryMismatch,
  JournalReconciliationWorker,
  type JournalReconciliationDeps,
} from './reconcileDatabaseWithJournals.ts';
import {
  isRestoredWithJournals,
  type NodeRow,
  type ShardOpenState,
  type ShardStatus,
  StoreUnavailable,
} from '../contract/store.ts';
import { describeMissingCommits, WriterSequenceNumbers } from './numberAndJournalWrites.ts';

/** As the end of "the shard …". */
const OVERRULED = 'an operator opened it though commits are lost, and this node joins it anew';
const AWAITED = 'its server was started anew, and other nodes have not looked at it yet';
const FORGOTTEN = 'the database has forgotten that the shard was doubted since, or opened';

export class DatabaseRollbackGuard {
  readonly numbers: WriterSequenceNumbers;
  readonly #scope: JournalReconciliationDeps;
  readonly #reconciliation: JournalReconciliationWorker;
  readonly #peers: PeerServerCheckTracker;
  #owner: JournalOwner | undefined;
  #state: ShardOpenState = 'open';
  #reason = '';
  /** The journals at hand went back with the database. */
  #isRestoredWithJournals = false;
  #losses = 0;
  /** What the journals of others know was compared since it could have become news. */
  #hasRead = false;
  #serverSince: number | undefined;
  /** Since when the shard stood as it did when that was latest. */
  #newest = 0;
  /** When it was open again after it had not been, monotonic. */
  reopenedAt = -Infinity;
  /** Told at that moment: what was read before may be older than what stands now. */
  onReopened: () => void = () => {};
  /** Those who wait for the shard to open. */
  #waiting: (() => void)[] = [];
  #looking: Promise<void> | undefined;
  #overruled = false;
  #suspicion: string | undefined;
  #stopped = false;

  constructor(scope: JournalReconciliationDeps) {
    this.#scope = scope;
    this.numbers = new WriterSequenceNumbers(scope);
    this.#peers = new PeerServerCheckTracker(scope);
    this.#reconciliation = new JournalReconciliationWorker(scope, () => void this.look().catch(() => {}));
  }

  /** This node has a new incarnation, whose numbers begin at 0. */
  async begin(owner: Omit<JournalOwner, 'shard' | 'identity'>): Promise<void> {
    const { shard, store, journal, now } = this.#scope;
    const { losses, identity, state, since } = await store.standing(owner.incarnation);
    // Nothing is sent meanwhile: lines of an incarnation are in its own journal.
    this.#owner = undefined;
    this.numbers.end();
    const named = { ...owner, shard, identity };
    await journal.begin(named, now());
    this.numbers.begin(owner.incarnation, owner.tokens);
    if (state === 'open') this.numbers.opened(since);
    this.#losses = losses;
    this.#hasRead = false;
    this.#owner = named;
  }

  get isOpen(): boolean {
    return this.#state === 'open' && !this.#peers.isAwaited;
  }

  get isClosed(): boolean {
    return this.#state === 'closed';
  }

  /** Its server was started anew, and others who live have not looked at it yet. */
  get awaitsPeers(): boolean {
    return this.#peers.isAwaited;
  }

  /** Other nodes, as a heartbeat listed them. */
  observe(others: readonly NodeRow[]): void {
    if (this.#peers.observe(others, this.#scope.clock.monotonic()) && this.#state === 'open') this.#opens();
  }

  /** Why nothing is written, as the end of "the shard …"; undefined: the shard is open. */
  get problem(): string | undefined {
    if (this.isOpen) return this.#scope.journal.problem;
    if (this.#state === 'open') return `is checking: ${AWAITED}`;
    return `is ${this.#state}: ${this.#reason}; ${this.#rest}`;
  }

  /** The same for a caller, who knows no nodes; undefined: the shard is open. */
  get refusal(): string | undefined {
    if (this.isOpen) return this.#scope.journal.problem && 'cannot keep what it does';
    return this.#state === 'closed'
      ? 'is closed until an operator decides'
      : 'is being checked: ask again soon';
  }

  /** What has to come before the shard opens. */
  get #rest(): string {
    const { shard } = this.#scope;
    const journals = this.#isRestoredWithJournals
      ? 'journals that were kept elsewhere (ramal reconcile <folder>)'
      : 'the journals (ramal reconcile)';
    if (this.#state === 'closed')
      return `an operator brings ${journals} or decides (ramal shard open ${shard})`;
    if (this.#suspicion !== undefined) return 'it opens when that is over';
    return this.#reconciliation.progress ?? 'its nodes compare what they know';
  }

  /** Commits that this node was told of are lost, and the shard was opened all the same: nothing in memory is true. */
  get isOverruled(): boolean {
    return this.#overruled;
  }

  /** Settles when the shard is open and the journal can be written, or this node stops. */
  async opened(): Promise<void> {
    while (!this.isOpen && !this.#stopped)
      await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    if (!this.#stopped && this.#scope.journal.problem !== undefined) await this.#scope.journal.writable();
  }

  /** Whether `opened` would settle at once. */
  get mayWrite(): boolean {
    return this.isOpen && this.#scope.journal.problem === undefined;
  }

  /** Another node has ended, or the database was away: journals at hand may know what it does not. */
  rereadJournals(): void {
    this.#hasRead = false;
  }

  /** Compares what this node knows with what stands, and moves the shard on from there. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  /** The same, with a question that is asked from now on; whether the shard is open by that, and has lost nothing. */
  async standsOpen(): Promise<boolean> {
    await this.#looking?.catch(() => {});
    await this.look();
    return this.isOpen && !this.isOverruled;
  }

  /** The same; what stands by now is in the journal after it. Throws where the shard is not open. */
  async lookAfresh(): Promise<void> {
    if (!(await this.standsOpen())) throw new StoreUnavailable('the shard is not open');
  }

  /**
   * What speaks from outside against the server that is in use, a split brain say, as the end of "the shard …"; undefined:
   * nothing does any more. As long as it stands this node does not confirm, so the shard does not open.
   */
  async suspect(reason: string | undefined): Promise<void> {
    this.#suspicion = reason;
    await this.look();
  }

  /**
   * Doubts the shard for a node that is to be declared dead, where a server was started anew that never heard it: its files may
   * be a copy that lacks what only that node knew. With its journal at hand, what it knew was compared.
   */
  async examineEnd({ incarnation, name, beats, serverSince }: NodeRow): Promise<void> {
    const { store, now } = this.#scope;
    const owner = this.#owner;
    const isHeard = serverSince === null || serverSince === this.#serverSince;
    if (isHeard || beats === 0 || !owner || this.#state !== 'open') return;
    const kept = await this.#reconciliation.read(owner);
    if (kept.some((one) => one.owner.incarnation === incarnation && one.problem === undefined)) return;
    await store.doubt(
      `its server was started anew, and node ${name} ${incarnation} has ended without having looked at it`,
      Math.max(now(), this.#newest),
    );
    await this.look();
  }

  /** Ends without a word. */
  stop(): void {
    this.#stopped = true;
    this.#reconciliation.stop();
    this.#wake();
  }

  async #look(): Promise<void> {
    const { store, now } = this.#scope;
    const owner = this.#owner;
    // What is acknowledged while the question is under way may not stand in its answer.
    const known = this.numbers.known();
    // Journals of others are read before the database is asked: what they have by then, it has.
    const kept = this.#hasRead || !owner ? [] : await this.#reconciliation.read(owner);
    let standing = await store.standing(this.numbers.incarnation);
    const before = this.#serverSince;
    this.#serverSince = standing.serverSince;
    this.#hasRead = before === undefined || before === standing.serverSince;
    if (!this.#hasRead || (before === undefined && this.#isNew(standing)))
      this.#peers.changed(this.#scope.clock.monotonic());
    // Its files may be those of a copy.
    if (!this.#hasRead) return this.#look();
    // This node has another incarnation since, or none yet.
    if (owner !== this.#owner || !owner) return;
    const missing = await this.numbers.compare(standing, known);
    const isOfPast = standing.since < this.#newest;
    if (standing.state !== 'open' && isOfPast) {
      await store.doubtAnew(standing, Math.max(now(), this.#newest));
      standing = await store.standing(owner.incarnation);
    }
    if (standing.state === 'open' && standing.losses === this.#losses) {
      const reason =
        (missing && describeMissingCommits(missing, owner.incarnation)) ??
        (isOfPast ? FORGOTTEN : undefined) ??
        this.#suspicion ??
        databaseHistoryMismatch(standing) ??
        (await this.#reconciliation.lost(kept, standing));
      if (reason !== undefined) {
        await store.doubt(reason, Math.max(now(), this.#newest));
        standing = await store.standing(owner.incarnation);
      }
    }
    if (standing.state !== 'open' && this.#suspicion === undefined && standing.losses === this.#losses)
      this.#reconciliation.begin(owner, standing, missing);
    if (standing.losses !== this.#losses) this.#overrule();
    else this.#stands(standing);
  }

  /** What this node would still write follows from what is lost; and its journal may be another's by now. */
  #overrule(): void {
    this.#overruled = true;
    [this.#state, this.#reason] = ['checking', OVERRULED];
    this.#owner = undefined;
    this.numbers.end();
  }

  #stands(standing: ShardStatus): void {
    const { state, reason, since } = standing;
    this.#isRestoredWithJournals = isRestoredWithJournals(standing);
    this.#newest = Math.max(this.#newest, since);
    const before = this.#state;
    this.#state = state;
    this.#reason = reason;
    if (state === 'open') {
      this.numbers.opened(since);
      this.numbers.compared(this.#serverSince!);
    }
    if (state === before) return;
    const fields = { shard: this.#scope.shard, state, reason };
    if (state === 'open') this.#scope.log.info(fields, 'the shard is open again');
    else if (state === 'checking')
      this.#scope.log.warn(fields, 'the shard is being checked: nothing is dialled');
    else this.#scope.log.error(fields, 'the shard is closed: nothing is dialled until an operator decides');
    if (this.isOpen) this.#opens();
  }

  #opens(): void {
    this.reopenedAt = this.#scope.clock.monotonic();
    this.onReopened();
    this.#wake();
  }

  /** One that was started long ago has been looked at by all who live. */
  #isNew({ serverSince }: ShardStatus): boolean {
    return this.#scope.now() - serverSince < this.#scope.graceMs;
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

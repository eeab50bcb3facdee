/**
 * What brings a shard back whose database went back: the journals at hand are held against the database, and what it lacks is
 * written to it again in the order of before. A node that has nothing more to bring confirms that the database has every write
 * that it was told of; for a node that has ended, the one that brought its journal confirms this. Each node brings its own
 * journal, and those of ended nodes that lie beside it; an operator brings those of other hosts (`engine/restoreShardByOperatorCommand.ts`).
 */
import { stageMissingJournalLines } from './stageMissingJournalLines.ts';
import {
  unreadableJournalSentence,
  isStoredJournalOfCurrentEra,
  describeDatabaseGap,
} from './describeDatabaseGap.ts';
import { JournalReplayer } from './replayStagedJournalLines.ts';
import type { Journal, JournalEntry, StoredJournal } from '../contract/journal.ts';
import { incarnationJoinedAt } from '../contract/idGenerator.ts';
import type { Clock, EngineLog } from '../contract/ports.ts';
import {
  isRestoredWithJournals,
  type NodeRow,
  type JournalRedoLine,
  type ShardMachineStore,
  type ShardStatus,
  WRITER_NUMBERS_RETENTION_MS,
} from '../contract/store.ts';
import { type MissingCommits, describeMissingCommits } from './numberAndJournalWrites.ts';

/** Of a journal of which only the head is damaged, where the database does not know its node either. */
const NAMELESS = 'its head is damaged, which says whose it is';

/** For so many grace times a node that others have seen may come and bring its journal itself. */
const GRACE_TIMES = 2;

/** Who brings journals: a node, or a command that is none and has no writer's numbers. */
export interface JournalReconcilerIdentity {
  /** Of the shard. */
  identity: string;
  /** Null: no node. */
  incarnation: number | null;
}

export interface JournalReconciliationDeps {
  shard: string;
  store: ShardMachineStore;
  journal: Journal;
  clock: Clock;
  log: EngineLog;
  /** Whether the process of a node has surely ended. */
  isProcessDead(process: string): boolean;
  graceMs: number;
  /** This incarnation is known to the database again: its ids are of this slot, above this millisecond. */
  placed(slot: number, mintedMs: number): void;
  /** The shard's time, epoch milliseconds. */
  now(): number;
  /** An operator's word that these are all journals there are: a backup that was restored waits for it. Default false. */
  isLastWord?: boolean;
  /** Hears of lines that the database lacks, and of those that are written again. */
  heard?: { brought(line: JournalRedoLine): void; written(line: JournalRedoLine, entry: JournalEntry): void };
}

/** How a shard stands after a step. */
export type Step =
  | { what: 'open' }
  /** Others have to confirm, or to come. */
  | { what: 'wait'; missing: readonly NodeRow[] }
  /**
   * What is missing is not at hand. `why`: as the end of "the shard …"; `missing`: nodes that have ended, and whose
   * writes no journal confirms; `absent`: incarnations that the database does not know.
   */
  | { what: 'lost'; why: string; missing: readonly NodeRow[]; absent: readonly number[] };

/** Why no step further can be made. */
type Lack = Exclude<Step, { what: 'open' }>;

/** The doubt that is worked on. */
interface Doubt {
  name: string;
  /** Monotonic. */
  since: number;
  /** Incarnations whose journals were brought. */
  brought: Set<number>;
}

export class JournalReconciliationWorker {
  readonly #scope: JournalReconciliationDeps;
  readonly #done: () => void;
  #working = false;
  #stopped = false;
  #doubt: Doubt = { name: '', since: 0, brought: new Set() };
  readonly #lines: JournalReplayer;

  /** `done`: told when a piece of work has ended, and the shard is to be looked at again. */
  constructor(scope: JournalReconciliationDeps, done: () => void) {
    this.#scope = scope;
    this.#done = done;
    this.#lines = new JournalReplayer(scope);
  }

  /** How far it is, as the end of "the shard is being checked: …"; undefined: nothing is written again. */
  get progress(): string | undefined {
    const { written } = this.#lines;
    return written === 0 ? undefined : `${written} commits of the journals are written again so far`;
  }

  stop(): void {
    this.#stopped = true;
    this.#lines.stop();
  }

  /** Journals of other incarnations that may know what the database does not; none when they cannot be read. */
  async read({ identity, incarnation }: JournalReconcilerIdentity): Promise<StoredJournal[]> {
    const all = await this.#scope.journal.kept(identity);
    return all.filter(({ owner }) => owner.incarnation !== incarnation);
  }

  /** What the database lacks of these journals, as the end of "the shard …"; undefined: nothing. */
  async lost(kept: readonly StoredJournal[], { settledAt }: ShardStatus): Promise<string | undefined> {
    const { store, now } = this.#scope;
    return describeDatabaseGap(
      store,
      kept.filter((one) => isStoredJournalOfCurrentEra(one, settledAt, now())),
    );
  }

  /**
   * Begins to move a shard on that is not open: brings, confirms, writes again, opens; closes it where something is missing
   * that is not at hand. One at a time; `done` is told when the shard stands otherwise for it.
   */
  begin(owner: JournalReconcilerIdentity, standing: ShardStatus, missing: MissingCommits | undefined): void {
    if (this.#working || this.#stopped) return;
    this.#working = true;
    void this.#move(owner, standing, missing).then((hasMoved) => {
      this.#working = false;
      if (hasMoved && !this.#stopped) this.#done();
    });
  }

  /** Whether the shard stands otherwise now. */
  async #move(
    owner: JournalReconcilerIdentity,
    standing: ShardStatus,
    missing: MissingCommits | undefined,
  ): Promise<boolean> {
    const { store, log, shard } = this.#scope;
    try {
      await this.step(owner, standing, missing);
      const { state, doubt } = await store.standing(owner.incarnation ?? 0);
      return state !== standing.state || doubt !== standing.doubt;
    } catch (error) {
      if (!this.#stopped)
        log.warn({ err: error, shard }, 'what the journals hold could not be brought; trying again');
      return false;
    }
  }

  /** Moves a shard that is not open on as far as it goes now. `missing`: what the bringer itself misses. */
  async step(
    owner: JournalReconcilerIdentity,
    standing: ShardStatus,
    missing?: MissingCommits,
  ): Promise<Step> {
    const { store, clock, now } = this.#scope;
    // A database that goes back once more may have forgotten what was brought, and counts its doubts anew.
    const name = `${standing.doubt} ${standing.since} ${standing.now} ${standing.serverSince}`;
    if (name !== this.#doubt.name) {
      this.#doubt = { name, since: clock.monotonic(), brought: new Set() };
      this.#lines.written = 0;
    }
    const all = await this.#scope.journal.kept(owner.identity);
    const kept = all.filter((one) => isStoredJournalOfCurrentEra(one, standing.settledAt, now()));
    const latest = kept.reduce((most, { era }) => Math.max(most, era), 0);
    if (latest > standing.since) return this.#doubtAnew(standing, latest);
    const lack =
      (await this.#withoutNewer(standing, kept)) ??
      (missing && this.#hopeless(owner, missing, kept)) ??
      (await this.#bringAll(owner, standing, kept)) ??
      (await this.#absent(kept));
    if (lack) {
      if (lack.what === 'lost' && standing.state === 'checking') await store.close(lack.why, now());
      return lack;
    }
    if (owner.incarnation !== null) await store.confirm(owner.incarnation, standing.doubt);
    return this.#open(standing, kept);
  }

  /** The shard was open after this doubt: the database went back to the middle of it, and a node that confirmed then knows more now. */
  async #doubtAnew(standing: ShardStatus, latest: number): Promise<Step> {
    const { store, now } = this.#scope;
    await store.doubtAnew(standing, Math.max(now(), latest));
    return { what: 'wait', missing: [] };
  }

  /** An operator's word about journals says nothing where there are none, or none that knows more than what was restored. */
  async #withoutNewer(standing: ShardStatus, kept: readonly StoredJournal[]): Promise<Lack | undefined> {
    const { restored, reason } = standing;
    if (!restored || this.#scope.isLastWord !== true) return undefined;
    if (kept.length === 0) return lost(`${reason}, and no journal is at hand`);
    if (!isRestoredWithJournals(standing)) return undefined;
    const brought = kept.filter(({ isBrought }) => isBrought);
    // Once they are brought the database lacks nothing of them any more.
    if (brought.some(({ owner }) => this.#doubt.brought.has(owner.incarnation))) return undefined;
    if ((await describeDatabaseGap(this.#scope.store, brought)) !== undefined) return undefined;
    return lost(`${reason}, and only the journals that were restored with it are at hand`);
  }

  /** Why what this node misses itself cannot be brought; undefined: it can. */
  #hopeless(
    { incarnation }: JournalReconcilerIdentity,
    missing: MissingCommits,
    kept: readonly StoredJournal[],
  ): Lack | undefined {
    const own = kept.find(({ owner }) => owner.incarnation === incarnation);
    const hasWritten = missing.what !== 'incarnation' || missing.hasWritten;
    const isAtHand = missing.what !== 'surplus' && own !== undefined && (own.last.size > 0 || !hasWritten);
    return isAtHand || incarnation === null ? undefined : lost(describeMissingCommits(missing, incarnation));
  }

  /** Brings what the database lacks of its own journal and of those of the ended; why it could not, undefined: it could. */
  async #bringAll(
    owner: JournalReconcilerIdentity,
    standing: ShardStatus,
    kept: readonly StoredJournal[],
  ): Promise<Lack | undefined> {
    const { store, now } = this.#scope;
    const fates = await store.fates(kept.map((one) => one.owner.incarnation));
    for (const one of kept) {
      const { incarnation } = one.owner;
      const isOwn = incarnation === owner.incarnation;
      const fate = fates.get(incarnation);
      if (this.#doubt.brought.has(incarnation)) continue;
      if (!isOwn && !this.#hasEnded(one.owner, fate)) {
        // One that lives brings its own; one that the database has forgotten makes itself known first.
        if (fate === undefined) return { what: 'wait', missing: [] };
        continue;
      }
      if (fate === undefined) {
        if (one.isHeadless) return lost(unreadableJournalSentence(one, one.problem ?? NAMELESS));
        const place = await store.enlist(one.owner, now(), isOwn ? null : now());
        if (isOwn) this.#scope.placed(place.slot, place.mintedMs);
      }
      const why = await stageMissingJournalLines(this.#scope, one);
      if (why !== undefined) return lost(why);
      this.#doubt.brought.add(incarnation);
      if (!isOwn) await store.confirm(incarnation, standing.doubt);
    }
    return undefined;
  }

  /** One that the database has forgotten, and that lives, makes itself known before this. */
  #hasEnded({ process }: StoredJournal['owner'], fate: 'living' | 'ended' | undefined): boolean {
    return this.#scope.isProcessDead(process) || fate === 'ended' || (fate === undefined && this.#hasWaited);
  }

  get #hasWaited(): boolean {
    const { clock, graceMs } = this.#scope;
    return clock.monotonic() - this.#doubt.since > GRACE_TIMES * graceMs;
  }

  /** Nodes that others have seen, that the database does not know, and whose journals are not at hand. */
  async #absent(kept: readonly StoredJournal[]): Promise<Lack | undefined> {
    const { store, now } = this.#scope;
    const atHand = new Set(kept.map((one) => one.owner.incarnation));
    const recent = [...seenIn(kept)].filter(
      (one) => !atHand.has(one) && incarnationJoinedAt(one) > now() - WRITER_NUMBERS_RETENTION_MS,
    );
    const fates = recent.length === 0 ? undefined : await store.fates(recent);
    const absent = recent.filter((one) => !fates?.has(one));
    if (absent.length === 0) return undefined;
    if (!this.#hasWaited) return { what: 'wait', missing: [] };
    const why = `the database does not know node ${absent.join(', ')}, which others have seen, and no journal of it is here`;
    return lost(why, { absent });
  }

  /** Opens the shard where all have confirmed, once all that was brought is written. */
  async #open(standing: ShardStatus, kept: readonly StoredJournal[]): Promise<Step> {
    const { store, now, isLastWord = false } = this.#scope;
    const { opened, missing, pending } = await store.openWhenAllConfirmed(standing.doubt, now());
    if (opened) return { what: 'open' };
    if (await this.#confirmForIdle(standing, missing, kept)) return { what: 'wait', missing: [] };
    if (missing.length > 0) return this.#unconfirmed(standing, missing, kept);
    if (standing.state === 'closed') {
      if (standing.reason === this.#lines.refusal) return lost(standing.reason);
      await store.reconsider(now(), isLastWord);
    } else if (pending && (await this.#lines.writeAll())) {
      if ((await store.openWhenAllConfirmed(standing.doubt, now())).opened) return { what: 'open' };
    }
    return { what: 'wait', missing: [] };
  }

  /**
   * Ended nodes that never beat, and that no other has seen beating, have written nothing: they ended while they joined, and
   * may have no journal. True: there were some.
   */
  async #confirmForIdle(
    { doubt }: ShardStatus,
    missing: readonly NodeRow[],
    kept: readonly StoredJournal[],
  ): Promise<boolean> {
    const seen = seenIn(kept);
    const idle = missing.filter(
      ({ incarnation, beats, stoppedAt }) => beats === 0 && stoppedAt !== null && !seen.has(incarnation),
    );
    for (const { incarnation } of idle) await this.#scope.store.confirm(incarnation, doubt);
    return idle.length > 0;
  }

  /**
   * Some have not confirmed: those that live will; those that have ended never. One that lived when it was looked at and has ended
   * since is brought next, where its journal is at hand: nothing of it is lost.
   */
  async #unconfirmed(
    standing: ShardStatus,
    missing: readonly NodeRow[],
    kept: readonly StoredJournal[],
  ): Promise<Step> {
    const { store, now } = this.#scope;
    const toBring = kept.map(({ owner }) => owner.incarnation).filter((one) => !this.#doubt.brought.has(one));
    const isComing = ({ incarnation, stoppedAt }: NodeRow) =>
      stoppedAt === null || toBring.includes(incarnation);
    if (missing.some(isComing)) return { what: 'wait', missing };
    const { state, reason } = standing;
    const why = state === 'closed' ? reason : `${reason}, and ${endedUnconfirmed(missing)}`;
    if (state === 'checking') await store.close(why, now());
    return lost(why, { missing });
  }
}

/** Nodes that others have seen beating. */
const seenIn = (kept: readonly StoredJournal[]): Set<number> => new Set(kept.flatMap((one) => [...one.seen]));

const lost = (
  why: string,
  { missing = [], absent = [] }: { missing?: readonly NodeRow[]; absent?: readonly number[] } = {},
): Lack => ({ what: 'lost', why, missing, absent });

/** The server writes another history than the one that the shard was opened on, as the end of "the shard …". */
export const databaseHistoryMismatch = ({ opened, now }: ShardStatus): string | undefined =>
  opened === null || opened === now
    ? undefined
    : `the database server writes another history (${now}) than the one that the shard was opened on (${opened}): ` +
      'a standby was promoted, or a backup restored';

const endedUnconfirmed = (nodes: readonly NodeRow[]): string => {
  const names = nodes.map(({ name, incarnation }) => `${name} ${incarnation}`.trim()).join(', ');
  return nodes.length === 1
    ? `a node has ended that cannot confirm its writes (${names})`
    : `nodes have ended that cannot confirm their writes (${names})`;
};

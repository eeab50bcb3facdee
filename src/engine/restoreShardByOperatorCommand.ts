/**
 * Brings a shard back from outside, as its nodes do from inside (`reconcileDatabaseWithJournals.ts`): an operator's command, with journals
 * of other hosts, beside nodes that live or where none does. It is no node: it has no numbers of its own, and holds nothing.
 */
import { FailureDetector } from './cluster/failureDetector.ts';
import type { StoredJournal } from './contract/journal.ts';
import {
  databaseHistoryMismatch,
  JournalReconciliationWorker,
  type JournalReconciliationDeps,
  type Step,
} from './recovery/reconcileDatabaseWithJournals.ts';
import { ShardClock } from './cluster/monotonicShardTime.ts';
import type { NodeRow, ShardStatus } from './contract/store.ts';

export interface BringJournalsDeps extends Omit<JournalReconciliationDeps, 'now' | 'placed'> {
  /** How far it is, as the end of "the shard …". */
  progress(text: string): void;
  /** Breaks it off between two steps. */
  signal?: AbortSignal;
}

/** How it ended. `silent`: nodes that are alive, and have not confirmed in all that time. */
export type ShardReopeningOutcome =
  | { what: 'wasOpen' }
  | { what: 'opened' }
  | (Extract<Step, { what: 'lost' }> & { silent: readonly NodeRow[] });

/** Looks in a grace time, as many as heartbeats. */
const LOOKS = 5;
/** A node that lives confirms with its next heartbeat. For so many grace times nothing may move, then it is given up. */
const PATIENCE = 6;

/**
 * Brings what the journals at hand have and the shard lacks, confirms for nodes that have ended, writes it again, and opens
 * the shard where nothing is missing. Rejects when the database does not answer, and when it is broken off.
 */
export const restoreShardFromJournals = async (scope: BringJournalsDeps): Promise<ShardReopeningOutcome> => {
  const { store, clock, graceMs, isProcessDead } = scope;
  const shardClock = new ShardClock(clock);
  await shardClock.join(() => store.clockReference(), { beatMs: graceMs / LOOKS, isProcessDead });
  return new BringBack(scope, () => shardClock.now()).run();
};

class BringBack {
  readonly #scope: BringJournalsDeps;
  readonly #now: () => number;
  readonly #reconciliation: JournalReconciliationWorker;
  readonly #peers = new FailureDetector();
  #wasOpen = true;
  /** How the shard stood last, and since when (monotonic). */
  #last = { standing: '', since: 0 };

  constructor(scope: BringJournalsDeps, now: () => number) {
    this.#scope = scope;
    this.#now = now;
    this.#reconciliation = new JournalReconciliationWorker({ ...scope, now, placed: () => {} }, () => {});
  }

  async run(): Promise<ShardReopeningOutcome> {
    const { signal } = this.#scope;
    for (;;) {
      signal?.throwIfAborted();
      await this.#judgeNodes();
      const ending = await this.#look();
      if (ending) return ending;
    }
  }

  async #look(): Promise<ShardReopeningOutcome | undefined> {
    const { store } = this.#scope;
    const standing = await store.standing(0);
    const bringer = { identity: standing.identity, incarnation: null };
    if (standing.state === 'open') {
      const kept = await this.#reconciliation.read(bringer);
      const reason = await this.#reasonToDoubt(kept, standing);
      if (reason === undefined) return { what: this.#wasOpen ? 'wasOpen' : 'opened' };
      await store.doubt(reason, this.#now());
      return undefined;
    }
    this.#wasOpen = false;
    const step = await this.#reconciliation.step(bringer, standing);
    if (step.what === 'open') return { what: 'opened' };
    if (step.what === 'lost') return { ...step, silent: [] };
    return this.#wait(standing, step.missing);
  }

  async #reasonToDoubt(kept: readonly StoredJournal[], standing: ShardStatus): Promise<string | undefined> {
    return databaseHistoryMismatch(standing) ?? (await this.#reconciliation.lost(kept, standing));
  }

  /** Waits for those who live, as long as anything moves. */
  async #wait(
    standing: ShardStatus,
    missing: readonly NodeRow[],
  ): Promise<ShardReopeningOutcome | undefined> {
    const { clock, graceMs, progress } = this.#scope;
    const now = clock.monotonic();
    const name = `${standing.state} ${standing.doubt} ${missing.map(({ incarnation }) => incarnation).join()}`;
    if (name !== this.#last.standing) this.#last = { standing: name, since: now };
    if (now - this.#last.since > PATIENCE * graceMs) {
      const why = `${standing.reason}, and nodes that are alive do not confirm their writes`;
      return { what: 'lost', why, missing: [], absent: [], silent: missing };
    }
    progress(missing.length > 0 ? `waits for ${namesOf(missing)}` : 'is being written again');
    // What moved just now moves on at once.
    if (missing.length > 0 || this.#last.since !== now)
      await new Promise<void>((resolve) => void clock.after(graceMs / LOOKS, resolve));
    return undefined;
  }

  /** Fences those off who have ended, or were silent for a grace time: their journals confirm what they wrote. */
  async #judgeNodes(): Promise<void> {
    const { store, clock, graceMs, isProcessDead } = this.#scope;
    const asked = clock.monotonic();
    const { nodes } = await store.beat({ incarnation: 0, at: this.#now(), mintedMs: 0, aheadMs: 0 });
    this.#peers.observe(nodes, clock.monotonic());
    for (const { node, silentMs } of this.#peers.silences(asked)) {
      const { incarnation, process, beats, beatAt } = node;
      const hasEnded = isProcessDead(process);
      if (hasEnded || silentMs > graceMs)
        await store.declareDead(incarnation, this.#now(), hasEnded ? null : { beats, beatAt });
    }
  }
}

const namesOf = (nodes: readonly NodeRow[]): string =>
  nodes.map(({ name, incarnation }) => `node ${incarnation} (${name})`).join(', ');

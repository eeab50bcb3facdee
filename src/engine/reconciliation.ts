/**
 * What brings a shard back whose database went back: the journals at hand are held against the database, what it lacks is
 * written to it again in the order of before, and who has nothing more to bring is vouched for. Each node brings its own
 * journal, and those of ended nodes that lie beside it.
 */
import { readDeed, UnreadableDeed } from './deedText.ts';
import { type JournalOwner, JournalUnreadable, type KeptJournal } from './journal.ts';
import type { GuardScope } from './guard.ts';
import { joinedAt } from './ids.ts';
import {
  BadBatch,
  BatchTooBig,
  type NodeRow,
  type RedoLine,
  type Standing,
  WRITERS_KEPT_MS,
} from './store.ts';
import { type Missing, worded } from './writerNumbers.ts';

/** Lines, and letters of them, that are brought in one statement; lines that are read to be written again. */
const BROUGHT_LINES = 200;
const BROUGHT_LETTERS = 4_000_000;
const WRITTEN_LINES = 50;
/** Others have to come first. */
const WAIT = 'wait';
/** For so many grace times a node that others have seen may come and bring its journal itself. */
const GRACE_TIMES = 2;

/** The doubt that is worked on. */
interface Doubt {
  name: string;
  /** Monotonic. */
  since: number;
  /** Incarnations whose journals were brought. */
  brought: Set<number>;
  /** A deed was refused when it was written again: nothing more helps but an operator. */
  refused: boolean;
  /** Deeds written again. */
  written: number;
}

export class Reconciliation {
  readonly #scope: GuardScope;
  readonly #done: () => void;
  #working = false;
  #stopped = false;
  #doubt: Doubt = { name: '', since: 0, brought: new Set(), refused: false, written: 0 };

  /** `done`: told when a piece of work has ended, and the shard is to be looked at again. */
  constructor(scope: GuardScope, done: () => void) {
    this.#scope = scope;
    this.#done = done;
  }

  /** How far it is, as the end of "the shard is being checked: …"; undefined: nothing is written again. */
  get progress(): string | undefined {
    const { written } = this.#doubt;
    return written === 0 ? undefined : `${written} commits of the journals are written again so far`;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Journals of other incarnations that may know what the database does not; none when they cannot be read. */
  async read({ identity, incarnation }: JournalOwner): Promise<KeptJournal[]> {
    const all = await this.#scope.journal.kept(identity);
    return all.filter(({ owner }) => owner.incarnation !== incarnation);
  }

  /** What the database lacks of these journals, as the end of "the shard …"; undefined: nothing. */
  async lost(kept: readonly KeptJournal[], { settledAt }: Standing): Promise<string | undefined> {
    for (const journal of kept) {
      if (!this.#counts(journal, settledAt)) continue;
      const { incarnation, name } = journal.owner;
      const { writers } = await this.#scope.store.standing(incarnation);
      if (writers.length === 0 && journal.last.size > 0)
        return `the database does not know node ${incarnation} (${name}), whose journal is here`;
      const count = [...journal.last].reduce(
        (sum, [lane, last]) =>
          sum + Math.max(0, last - (writers.find((one) => one.lane === lane)?.number ?? 0)),
        0,
      );
      if (count > 0)
        return `the database lacks ${count} commits of node ${incarnation} (${name}), which its journal has`;
    }
    return undefined;
  }

  /**
   * Begins to move a shard on that is not open: brings, vouches, writes again, opens; closes it where something is missing
   * that is not at hand. One at a time; `done` is told when the shard stands otherwise for it.
   */
  begin(owner: JournalOwner, standing: Standing, missing: Missing | undefined): void {
    if (this.#working || this.#stopped) return;
    this.#working = true;
    void this.#move(owner, standing, missing).then((hasMoved) => {
      this.#working = false;
      if (hasMoved && !this.#stopped) this.#done();
    });
  }

  /** Whether the shard stands otherwise now. */
  async #move(owner: JournalOwner, standing: Standing, missing: Missing | undefined): Promise<boolean> {
    const { store, log, shard } = this.#scope;
    try {
      await this.#work(owner, standing, missing);
      const { state, doubt } = await store.standing(owner.incarnation);
      return state !== standing.state || doubt !== standing.doubt;
    } catch (error) {
      if (!this.#stopped)
        log.warn({ err: error, shard }, 'what the journals hold could not be brought; trying again');
      return false;
    }
  }

  async #work(owner: JournalOwner, standing: Standing, missing: Missing | undefined): Promise<void> {
    const { store, clock, now } = this.#scope;
    // A database that goes back once more counts its doubts anew.
    const name = `${standing.doubt} ${standing.since}`;
    if (name !== this.#doubt.name)
      this.#doubt = { name, since: clock.monotonic(), brought: new Set(), refused: false, written: 0 };
    const all = await this.#scope.journal.kept(owner.identity);
    const kept = all.filter((one) => this.#counts(one, standing.settledAt));
    const why =
      (missing && this.#hopeless(owner, missing, kept)) ??
      (await this.#bringAll(owner, standing, kept)) ??
      (await this.#absent(kept));
    if (why === WAIT) return;
    if (why !== undefined) {
      if (standing.state === 'checking') await store.close(why, now());
      return;
    }
    await store.vouch(owner.incarnation, standing.doubt);
    await this.#open(standing);
  }

  /** Why what this node misses itself cannot be brought; undefined: it can. */
  #hopeless(owner: JournalOwner, missing: Missing, kept: readonly KeptJournal[]): string | undefined {
    const own = kept.find((one) => one.owner.incarnation === owner.incarnation);
    const isAtHand = missing.what !== 'surplus' && own !== undefined && own.last.size > 0;
    return isAtHand ? undefined : worded(missing, owner.incarnation);
  }

  /** Brings what the database lacks of its own journal and of those of the ended; why it could not, undefined: it could. */
  async #bringAll(
    owner: JournalOwner,
    standing: Standing,
    kept: readonly KeptJournal[],
  ): Promise<string | undefined> {
    const { store, now } = this.#scope;
    const fates = await store.fates(kept.map((one) => one.owner.incarnation));
    for (const one of kept) {
      const { incarnation } = one.owner;
      const isOwn = incarnation === owner.incarnation;
      const fate = fates.get(incarnation);
      if (this.#doubt.brought.has(incarnation)) continue;
      if (!isOwn && !this.#hasEnded(one.owner, fate)) {
        // One that lives brings its own; one that the database has forgotten makes itself known first.
        if (fate === undefined) return WAIT;
        continue;
      }
      if (fate === undefined) {
        const place = await store.enlist(one.owner, now(), isOwn ? null : now());
        if (isOwn) this.#scope.placed(place.slot, place.mintedMs);
      }
      const why = await this.#bring(one);
      if (why !== undefined) return why;
      this.#doubt.brought.add(incarnation);
      if (!isOwn) await store.vouch(incarnation, standing.doubt);
    }
    return undefined;
  }

  /** One that the database has forgotten, and that lives, makes itself known before this. */
  #hasEnded({ process }: JournalOwner, fate: 'living' | 'ended' | undefined): boolean {
    return this.#scope.isProcessDead(process) || fate === 'ended' || (fate === undefined && this.#hasWaited);
  }

  get #hasWaited(): boolean {
    const { clock, graceMs } = this.#scope;
    return clock.monotonic() - this.#doubt.since > GRACE_TIMES * graceMs;
  }

  /** Brings what the database lacks of one journal; why that cannot be done, undefined: it is done. */
  async #bring(journal: KeptJournal): Promise<string | undefined> {
    const { incarnation, name } = journal.owner;
    const unreadable = (why: string): string =>
      `the journal of node ${incarnation} (${name}) cannot be read: ${why}`;
    if (journal.problem !== undefined) return unreadable(journal.problem);
    try {
      return await this.#bringLines(journal);
    } catch (error) {
      if (error instanceof JournalUnreadable) return unreadable(error.message);
      throw error;
    }
  }

  /** The same for one that can be read. */
  async #bringLines(journal: KeptJournal): Promise<string | undefined> {
    const { store } = this.#scope;
    const { incarnation, name } = journal.owner;
    const { writers } = await store.standing(incarnation);
    const numbers = new Map(writers.map(({ lane, number }) => [lane, number]));
    let lines: RedoLine[] = [];
    let letters = 0;
    const send = async (): Promise<void> => {
      if (lines.length > 0) await store.bring(lines);
      lines = [];
      letters = 0;
    };
    for await (const line of journal.lines(new Map(numbers))) {
      if (line.number !== (numbers.get(line.lane) ?? 0) + 1)
        return `the journal of node ${incarnation} (${name}) lacks a commit before its ${line.number}th`;
      numbers.set(line.lane, line.number);
      lines.push({ ...line, incarnation });
      letters += line.text.length;
      if (lines.length >= BROUGHT_LINES || letters >= BROUGHT_LETTERS) await send();
    }
    await send();
    const isWhole = [...journal.last].every(([lane, last]) => (numbers.get(lane) ?? 0) >= last);
    return isWhole ? undefined : `the journal of node ${incarnation} (${name}) cannot be read to its end`;
  }

  /** Nodes that others have seen, that the database does not know, and whose journals are not at hand. */
  async #absent(kept: readonly KeptJournal[]): Promise<string | undefined> {
    const { store, now } = this.#scope;
    const atHand = new Set(kept.map((one) => one.owner.incarnation));
    const seen = new Set(kept.flatMap((one) => [...one.seen]));
    const recent = [...seen].filter((one) => !atHand.has(one) && joinedAt(one) > now() - WRITERS_KEPT_MS);
    const fates = recent.length === 0 ? undefined : await store.fates(recent);
    const absent = recent.filter((one) => !fates?.has(one));
    if (absent.length === 0) return undefined;
    if (!this.#hasWaited) return WAIT;
    return `the database does not know node ${absent.join(', ')}, which others have seen, and no journal of it is here`;
  }

  /** Opens the shard where all have vouched, once all that was brought is written. */
  async #open(standing: Standing): Promise<void> {
    const { store, now } = this.#scope;
    const { opened, missing, pending } = await store.openVouched(standing.doubt, now());
    if (opened) return;
    if (missing.length > 0) {
      const isOver = missing.every(({ stoppedAt }) => stoppedAt !== null);
      if (isOver && standing.state === 'checking')
        await store.close(`${standing.reason}, and ${heldByEnded(missing)}`, now());
      return;
    }
    if (this.#doubt.refused) return;
    if (standing.state === 'closed') await store.reconsider(now());
    else if (pending && (await this.#writeAgain())) await store.openVouched(standing.doubt, now());
  }

  /** Writes what was brought, in its order. False: one was refused, and the shard is closed. */
  async #writeAgain(): Promise<boolean> {
    const { store, log, shard, now } = this.#scope;
    for (;;) {
      const lines = await store.brought(WRITTEN_LINES);
      if (lines.length === 0 || this.#stopped) return !this.#stopped;
      for (const line of lines) {
        try {
          await store.redo(line, readDeed(line.text));
        } catch (error) {
          if (!isHopeless(error)) throw error;
          this.#doubt.refused = true;
          log.error({ err: error, shard }, 'a commit of the journals was refused');
          await store.close(`commit ${line.number} of node ${line.incarnation} is refused now`, now());
          return false;
        }
        this.#doubt.written += 1;
      }
    }
  }

  /** Journals that end before an operator settled what was lost, and those so old that no database remembers them. */
  #counts({ lastAt }: KeptJournal, settledAt: number): boolean {
    return lastAt > settledAt && lastAt > this.#scope.now() - WRITERS_KEPT_MS;
  }
}

/** Nothing that is tried again helps: the data is refused, or cannot be read. */
const isHopeless = (error: unknown): boolean =>
  error instanceof BadBatch || error instanceof BatchTooBig || error instanceof UnreadableDeed;

const heldByEnded = (nodes: readonly NodeRow[]): string => {
  const names = nodes.map(({ name, incarnation }) => `${name} ${incarnation}`.trim()).join(', ');
  return nodes.length === 1
    ? `machines are held by a node that has ended and cannot vouch for them (${names})`
    : `machines are held by nodes that have ended and cannot vouch for them (${names})`;
};

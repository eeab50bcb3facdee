/**
 * Delivers mail to machines: into the mailbox of a machine that is in memory; else its row is read first, and mail for
 * a machine of another node is forwarded.
 */
import type { CompiledCharts } from '../step/charts.ts';
import { lowestIdAboveMachineStep } from '../contract/idGenerator.ts';
import type { InboxTableReader } from './inboxTableReader.ts';
import type { ShardWriter } from '../writer/writer.ts';
import type { MachineLoader } from './machineLoader.ts';
import { type Mail, inboxRowIdsOfMail, isEffectOrder } from '../contract/machineMail.ts';
import type { ClusterMembership } from '../cluster/membership.ts';
import { CachedMachine, type MachineCache } from '../writer/cachedMachine.ts';
import { deserializeMachineRow } from '../step/readState.ts';
import type { MachineTimerScheduler } from '../timers/fireDueTimers.ts';
import type { MachineRow } from '../contract/rows.ts';

export interface MachineMailDispatcherDeps {
  cache: MachineCache;
  charts: CompiledCharts;
  membership: ClusterMembership;
  inbox: InboxTableReader;
  time: MachineTimerScheduler;
  loader: MachineLoader;
  /** The lane that a machine always goes through. */
  writerOf(id: number): ShardWriter;
  /** A machine was brought here that nothing waits for. */
  rested(cached: CachedMachine): void;
}

export class MachineMailDispatcher {
  readonly #scope: MachineMailDispatcherDeps;

  constructor(scope: MachineMailDispatcherDeps) {
    this.#scope = scope;
  }

  /** Gives a machine mail, wherever it is. */
  deliver(account: number, id: number, mail: Mail): void {
    const cached = this.#scope.cache.get(id);
    if (!cached) this.#fetch(account, id, mail);
    else if (cached.account !== account) this.#refuse(mail);
    else {
      cached.mailbox.push(mail);
      this.scheduleTimers(cached);
    }
  }

  /** Puts a cached machine in its lane's queue when it is free to be stepped. */
  scheduleTimers(cached: CachedMachine): void {
    const { phase, committed } = cached;
    const mayStep = phase === 'idle' ? committed !== null : phase === 'lowPriority' && !cached.isLowPriority;
    if (mayStep) this.#scope.writerOf(cached.id).queue(cached);
  }

  /** The machine, if it is in memory and its row is read. */
  known(id: number): CachedMachine | undefined {
    const cached = this.#scope.cache.get(id);
    return cached?.committed ? cached : undefined;
  }

  /** This node is a new incarnation: another node may hold what it held. Mail finds its rows anew. */
  forgetAll(): void {
    for (const cached of [...this.#scope.cache]) if (cached.phase === 'idle') this.#forget(cached);
  }

  /**
   * The shard is open again. Rows of the inbox that wait in mailboxes may have been heard before the database went back, and
   * been read of it once more: those that still stand are read anew.
   */
  reopened(): void {
    const { inbox, cache } = this.#scope;
    for (const cached of [...cache]) {
      const { id, mailbox } = cached;
      if (!mailbox.some(isOfInbox)) continue;
      cached.mailbox = mailbox.filter((mail) => !isOfInbox(mail));
      for (const mail of mailbox.filter(isOfInbox)) inbox.release(mail, id);
    }
    inbox.reopened();
  }

  /** Rows that were asked for. */
  loaded(found: readonly { cached: CachedMachine; row: MachineRow | undefined }[]): void {
    const { incarnation } = this.#scope.membership;
    for (const { cached, row } of found) {
      cached.phase = 'idle';
      this.assign(cached, cached.mailbox.splice(0), row, row?.heldBy === incarnation);
    }
  }

  /** What stands in the row decides who takes the mail. `steady`: ours now as when the mail came. */
  assign(cached: CachedMachine, given: Mail[], row: MachineRow | undefined, steady: boolean): void {
    const mails = steady ? given : this.#withoutRows(cached.id, given.map(asAsked), row);
    const chart = row && this.#scope.charts.of(row);
    if (!row || row.account !== cached.account || isOver(row, mails)) {
      for (const mail of [...mails, ...cached.mailbox.splice(0)]) this.#refuse(mail);
      this.#forget(cached);
    } else if (chart && this.#mayTake(row)) {
      if (row.heldBy !== this.#scope.membership.incarnation)
        this.#scope.membership.advanceIds(lowestIdAboveMachineStep(row.stepId));
      cached.committed = deserializeMachineRow(chart, row);
      this.#scope.inbox.cameIntoMemory(row);
      cached.mailbox.unshift(...this.#inherited(row), ...mails);
      if (cached.mailbox.length > 0) this.#scope.writerOf(cached.id).queue(cached);
      else this.#scope.rested(cached);
    } else {
      void this.#scope.inbox.forward(row, [...mails, ...cached.mailbox.splice(0)]);
      this.#forget(cached);
    }
  }

  /** A row read because something on its agenda is due. */
  fetchedForTimers(account: number, id: number, row: MachineRow | undefined): void {
    const { charts, membership, cache, time, inbox } = this.#scope;
    const chart = row && charts.of(row);
    if (!row || !chart || row.endedAt !== null || row.heldBy !== membership.incarnation) return;
    if (!cache.get(id)) {
      const cached = new CachedMachine(account, id);
      cached.committed = deserializeMachineRow(chart, row);
      cache.add(cached);
      inbox.cameIntoMemory(row);
    }
    const cached = this.known(id);
    if (cached) time.due(cached);
  }

  #fetch(account: number, id: number, mail: Mail): void {
    const cached = new CachedMachine(account, id);
    cached.mailbox.push(mail);
    this.#scope.cache.add(cached);
    this.#scope.loader.read(cached);
  }

  #mayTake({ heldBy }: MachineRow): boolean {
    const { membership } = this.#scope;
    return heldBy === membership.incarnation || membership.isDead(heldBy);
  }

  /** What a machine that another incarnation held hears before anything else. */
  #inherited({ heldBy, revision }: MachineRow): Mail[] {
    return heldBy === this.#scope.membership.incarnation ? [] : [{ what: 'takenOver', upTo: revision }];
  }

  /**
   * The machine changed hands since its inbox was read: another may have heard the rows. Those that still stand are
   * read again, also those that could not be taken here. (A living holder is only told that there is mail.)
   */
  #withoutRows(id: number, mails: Mail[], row: MachineRow | undefined): Mail[] {
    const { inbox } = this.#scope;
    if (row && !this.#mayTake(row)) return mails;
    const kept = mails.filter((mail) => inboxRowIdsOfMail(mail).length === 0);
    for (const mail of mails) inbox.release(mail, id);
    // Only now: the read that brings them must begin after they were given back.
    if (kept.length < mails.length) inbox.requestReread();
    return kept;
  }

  /** Answers mail whose machine does not exist any more. */
  #refuse(mail: Mail): void {
    if (mail.what === 'event') {
      this.#scope.inbox.acknowledge(mail);
      mail.done?.resolve({ outcome: 'gone' });
    } else if (isEffectOrder(mail)) mail.done?.resolve('refused');
  }

  #forget(cached: CachedMachine): void {
    this.#scope.cache.remove(cached);
    this.#scope.time.armAt(cached.account, cached.id, null);
  }
}

const isOfInbox = (mail: Mail): boolean => inboxRowIdsOfMail(mail).length > 0;

/** A claim was refused to a step on what stood before: its mail is tried anew on what stands now. */
const asAsked = (mail: Mail): Mail => (mail.what === 'claimRefused' ? asAsked(mail.asked) : mail);

/** An ended machine hears nothing more; only inbox rows must still be taken away by a step. */
const isOver = (row: MachineRow, mails: readonly Mail[]): boolean =>
  row.endedAt !== null && !mails.some((mail) => inboxRowIdsOfMail(mail).length > 0);

/**
 * What follows a commit: callers are answered, effects begin, timers are armed, waiters wake, idle machines become
 * evictable.
 */
import { findPendingEffect } from '../contract/timersAndPendingEffects.ts';
import type { MachineState } from '../step/machineState.ts';
import type { UncommittedMachineStep } from '../step/stepTransaction.ts';
import { summarizeError } from '../contract/databaseFailureTracker.ts';
import type { InboxTableReader } from './inboxTableReader.ts';
import type { ShardWriter } from '../writer/writer.ts';
import type { ShardWriterListener } from '../writer/writerDeps.ts';
import { isEffectOrder, mailHistoryName, type EffectOrder, type Mail } from '../contract/machineMail.ts';
import type { EffectRunner } from './effects.ts';
import type { EngineLog, EngineMetrics, WakeUpHints } from '../contract/ports.ts';
import type { MachineMailDispatcher } from './machineMailDispatcher.ts';
import { CachedMachine, type MachineCache } from '../writer/cachedMachine.ts';
import type { DeferredEffectAckBuffer } from '../writer/effectAcceptanceBuffer.ts';
import type { MachineTimerScheduler } from '../timers/fireDueTimers.ts';
import { deferredMachineBirthMail } from '../contract/deferredStart.ts';
import type { MilestoneWaiters } from './milestoneWaiters.ts';
import { machineStateOnceCommitted } from '../step/stepToRows.ts';
import type { MachineRow } from '../contract/rows.ts';

export interface AfterCommitDeps {
  shard: string;
  cache: MachineCache;
  dispatcher: MachineMailDispatcher;
  inbox: InboxTableReader;
  time: MachineTimerScheduler;
  effectRunner: EffectRunner;
  acks: DeferredEffectAckBuffer;
  waiters: MilestoneWaiters;
  hints: WakeUpHints;
  metrics: EngineMetrics;
  log: EngineLog;
  writerOf(id: number): ShardWriter;
}

export class PostCommitActions implements ShardWriterListener {
  readonly #scope: AfterCommitDeps;

  constructor(scope: AfterCommitDeps) {
    this.#scope = scope;
  }

  landed(
    tx: UncommittedMachineStep,
    known: CachedMachine | null,
    mails: readonly Mail[],
    sentAt: number,
  ): void {
    const { cache, metrics, time, effectRunner, inbox, writerOf } = this.#scope;
    const cached = known ?? cache.get(tx.id) ?? this.#newcomer(tx);
    const committed = machineStateOnceCommitted(tx);
    cached.committed = committed;
    if (!tx.base) inbox.cameIntoMemory(committed);
    const ended = isOver(committed) && !(tx.base && isOver(tx.base));
    const events = committed.revision - (tx.base?.revision ?? 0);
    metrics.stepped(
      tx.chart.kind.name,
      events,
      committed,
      ended,
      livingState(tx.base),
      livingState(committed),
    );
    // A deferred start that waits in this process needs no timer.
    if (tx.deferred !== null && !tx.base) cached.mailbox.push(deferredMachineBirthMail);
    else time.arm(committed);
    for (const mail of mails) this.#answer(mail, committed.state, tx);
    this.#wake(tx);
    for (const entry of tx.effects) effectRunner.begin(cached, committed, entry, sentAt);
    // What was started may have been told something in the same commit.
    for (const birth of tx.children) this.landed(birth, null, [], sentAt);
    inbox.dispatch(tx.outbox, sentAt);
    if (cached.mailbox.length > 0) writerOf(cached.id).queue(cached);
    else this.idle(cached);
  }

  superseded(tx: UncommittedMachineStep, mails: readonly Mail[]): void {
    for (const mail of mails) this.#answer(mail, tx.state, tx);
    // Its outgoing inbox rows were not dispatched: the inbox is read again, so that later ones do not overtake them.
    if (tx.outbox.length > 0) this.#scope.inbox.requestReread();
  }

  idle(cached: CachedMachine): void {
    const { cache, acks } = this.#scope;
    const { agenda, endedAt, snapshot } = cached.committed!;
    cached.phase = 'idle';
    // What was struck off meanwhile, by its own step or by another node, needs no write of its own.
    if (cached.settled.length > 0)
      cached.settled = cached.settled.filter(({ id }) => findPendingEffect(agenda, id));
    if (endedAt !== null && cached.isEvictable) {
      acks.drop(cached);
      cache.remove(cached);
    } else if (cached.settled.length > 0) acks.add(cached, snapshot.status !== 'active');
  }

  staleRow(cached: CachedMachine, mails: Mail[], row: MachineRow | undefined, steady: boolean): void {
    cached.phase = 'idle';
    this.#scope.dispatcher.assign(cached, [...mails, ...cached.mailbox.splice(0)], row, steady);
  }

  poisoned(cached: CachedMachine, mails: readonly Mail[], error: Error): void {
    const event = mails.map(mailHistoryName).join(' ');
    for (const mail of mails)
      if (mail.what === 'event') mail.done?.reject(error);
      else if (isEffectOrder(mail)) mail.done?.resolve('refused');
    const message = `the database refuses its data: ${summarizeError(error)}`;
    cached.mailbox.unshift({ what: 'broken', event, message, mails });
    cached.phase = 'idle';
    this.#scope.dispatcher.scheduleTimers(cached);
  }

  restored(account: number, id: number, mails: readonly Mail[]): void {
    const { dispatcher } = this.#scope;
    for (const mail of mails) {
      if (mail.what === 'event')
        dispatcher.deliver(account, id, { what: 'event', event: mail.event, copyOf: mail.copyOf ?? mail });
      if (mail.what !== 'accepted') continue;
      for (const event of mail.facts) dispatcher.deliver(account, id, { what: 'event', event });
    }
  }

  #newcomer({ account, id }: UncommittedMachineStep): CachedMachine {
    const cached = new CachedMachine(account, id);
    this.#scope.cache.add(cached);
    return cached;
  }

  #answer(mail: Mail, state: string, tx: UncommittedMachineStep): void {
    const { inbox } = this.#scope;
    if (mail.what === 'event') {
      inbox.acknowledge(mail);
      mail.done?.resolve({ outcome: 'stepped', state });
    } else if (mail.what === 'claimRefused' || mail.what === 'broken') inbox.acknowledge(mail);
    else if (isEffectOrder(mail)) mail.done?.resolve(isCarriedOut(mail, tx) ? 'done' : 'refused');
    else if (mail.what === 'takenOver') inbox.requestReread();
  }

  /** Tells who waits for the machine, here and on other nodes. */
  #wake({ id, account, reached, endedAt }: UncommittedMachineStep): void {
    const { waiters, hints, shard } = this.#scope;
    for (const milestone of reached) {
      waiters.reached(id, account, milestone);
      hints.publish(shard, 'milestone', id);
    }
    if (endedAt !== null) waiters.ended(id);
  }
}

/** Null: it has not begun, or has nothing more to do. */
const livingState = (machine: { state: string; endedAt: number | null } | null): string | null =>
  machine === null || machine.endedAt !== null ? null : machine.state;

/** One that is pending has no snapshot. */
const isOver = ({ deferred: pending, snapshot }: MachineState): boolean =>
  pending === null && snapshot.status !== 'active';

/** Whether a step did what an operator ordered: it begins the effect, or no longer owes what waited. */
const isCarriedOut = (
  { what, effect }: EffectOrder,
  { base, agenda, effects }: UncommittedMachineStep,
): boolean =>
  what === 'begin'
    ? effects.some(({ id }) => id === effect)
    : findPendingEffect(base?.agenda ?? [], effect)?.wait === true && !findPendingEffect(agenda, effect);

/** What follows a commit: answers leave, effects begin, timers are armed, waiters wake, and the machine rests. */
import { owedEffect } from './agenda.ts';
import type { Committed } from './committed.ts';
import type { Draft } from './draft.ts';
import { reasonOf } from './health.ts';
import type { Inbox } from './inbox.ts';
import type { Lane } from './lane.ts';
import type { LaneListener } from './laneScope.ts';
import { nameOf, type Mail } from './mail.ts';
import type { Performing } from './performing.ts';
import type { EngineLog, EngineMetrics, Hints } from './ports.ts';
import type { Post } from './post.ts';
import { Resident, type Residents } from './resident.ts';
import type { Settling } from './settling.ts';
import type { MachineRow } from './store.ts';
import type { Timekeeper } from './timekeeper.ts';
import { birthMail } from './unborn.ts';
import type { Waiters } from './waiters.ts';
import { committedOf } from './write.ts';

export interface AftermathScope {
  shard: string;
  residents: Residents;
  post: Post;
  inbox: Inbox;
  time: Timekeeper;
  performing: Performing;
  settling: Settling;
  waiters: Waiters;
  hints: Hints;
  metrics: EngineMetrics;
  log: EngineLog;
  laneOf(id: number): Lane;
}

export class Aftermath implements LaneListener {
  readonly #scope: AftermathScope;

  constructor(scope: AftermathScope) {
    this.#scope = scope;
  }

  landed(draft: Draft, known: Resident | null, mails: readonly Mail[], sentAt: number): void {
    const { residents, metrics, time, performing, inbox, laneOf } = this.#scope;
    const resident = known ?? residents.get(draft.id) ?? this.#newcomer(draft);
    const committed = committedOf(draft);
    resident.committed = committed;
    const ended = isOver(committed) && !(draft.base && isOver(draft.base));
    const events = committed.revision - (draft.base?.revision ?? 0);
    metrics.stepped(draft.chart.kind.name, events, committed, ended);
    // Whoever waits to be born here needs no alarm for it.
    if (draft.unborn !== null && !draft.base) resident.mailbox.push(birthMail);
    else time.arm(committed);
    for (const mail of mails) this.#answer(mail, committed.state, draft);
    this.#wake(draft);
    for (const entry of draft.begins) performing.begin(resident, committed, entry, sentAt);
    // What was started may have been told something in the same commit.
    for (const birth of draft.births) this.landed(birth, null, [], sentAt);
    inbox.left(draft.tells, sentAt);
    if (resident.mailbox.length > 0) laneOf(resident.id).queue(resident);
    else this.rested(resident);
  }

  overtaken(draft: Draft, mails: readonly Mail[]): void {
    for (const mail of mails) this.#answer(mail, draft.state, draft);
    // Nobody hands on what it told: what its machine tells next must not come before it.
    if (draft.tells.length > 0) this.#scope.inbox.doubt();
  }

  rested(resident: Resident): void {
    const { residents, settling } = this.#scope;
    const { agenda, endedAt, snapshot } = resident.committed!;
    resident.phase = 'idle';
    // What was struck off meanwhile, by its own step or by another node, needs no write of its own.
    if (resident.settled.length > 0)
      resident.settled = resident.settled.filter((id) => owedEffect(agenda, id));
    if (endedAt !== null && resident.restful) {
      settling.drop(resident);
      residents.remove(resident);
    } else if (resident.settled.length > 0) settling.add(resident, snapshot.status !== 'active');
  }

  misplaced(resident: Resident, mails: Mail[], row: MachineRow | undefined, steady: boolean): void {
    resident.phase = 'idle';
    this.#scope.post.place(resident, [...mails, ...resident.mailbox.splice(0)], row, steady);
  }

  poisoned(resident: Resident, mails: readonly Mail[], error: Error): void {
    const event = mails.map(nameOf).join(' ');
    for (const mail of mails)
      if (mail.what === 'event') mail.done?.reject(error);
      else if (mail.what === 'begin') mail.done?.(false);
    const message = `the database refuses its data: ${reasonOf(error)}`;
    resident.mailbox.unshift({ what: 'broken', event, message, mails });
    resident.phase = 'idle';
    this.#scope.post.wakeUp(resident);
  }

  restored(account: number, id: number, mails: readonly Mail[]): void {
    const { post } = this.#scope;
    for (const mail of mails) {
      if (mail.what === 'event') post.bring(account, id, { what: 'event', event: mail.event });
      if (mail.what !== 'accepted') continue;
      for (const event of mail.facts) post.bring(account, id, { what: 'event', event });
    }
  }

  #newcomer({ account, id }: Draft): Resident {
    const resident = new Resident(account, id);
    this.#scope.residents.add(resident);
    return resident;
  }

  #answer(mail: Mail, state: string, draft: Draft): void {
    const { inbox } = this.#scope;
    if (mail.what === 'event') {
      inbox.let(mail);
      mail.done?.resolve({ outcome: 'stepped', state });
    } else if (mail.what === 'claimRefused' || mail.what === 'broken') inbox.let(mail);
    else if (mail.what === 'begin') mail.done?.(draft.begins.some(({ id }) => id === mail.effect));
    else if (mail.what === 'takenUp') inbox.doubt();
  }

  /** Tells who waits for the machine, here and on other nodes. */
  #wake({ id, reached, endedAt }: Draft): void {
    const { waiters, hints, shard } = this.#scope;
    for (const milestone of reached) {
      waiters.reached(id, milestone);
      hints.publish(shard, 'milestone', id);
    }
    if (endedAt !== null) waiters.ended(id);
  }
}

/** One that is unborn has no snapshot. */
const isOver = ({ unborn, snapshot }: Committed): boolean => unborn === null && snapshot.status !== 'active';

/** What a piece of mail does to a transaction. Never throws: a chart that does is recorded as failed. */
import { findPendingEffect, type PendingEffectEntry } from '../contract/timersAndPendingEffects.ts';
import type { MachineEvent } from '../contract/effect.ts';
import type { UncommittedMachineStep } from './stepTransaction.ts';
import { effectOrderOfEvent, inboxRowIdsOfMail, type Mail } from '../contract/machineMail.ts';
import { effectDeadline } from './applyStepRequests.ts';

type MailOf<What extends Mail['what']> = Mail & { what: What };

/** What is owed and was refused by the database comes again so much later, milliseconds; each time twice as long. */
const PUT_OFF_MS = 10 * 60_000;
const LONGEST_PUT_OFF_MS = 24 * 3_600_000;
/** Characters of a failure that are kept. */
const FAILURE_LENGTH = 500;
/** A machine that was taken up hears what it missed in this part of a grace time: no timer of its own fires before. */
const HEARING = 0.5;

export const applyMailToStep = (tx: UncommittedMachineStep, mail: Mail): void => {
  tx.mail = mail;
  if (tx.deferred) putBy(tx, mail);
  else hear(tx, mail);
};

const hear = (tx: UncommittedMachineStep, mail: Mail): void => {
  switch (mail.what) {
    case 'event':
      if (mail.inbox !== undefined) tx.consumedInbox = [...tx.consumedInbox, mail.inbox];
      hearEvent(tx, mail.event);
      return;
    case 'accepted':
      confirm(tx, mail);
      return;
    case 'timer':
      fire(tx, mail);
      return;
    case 'failed':
      refuse(tx, mail);
      return;
    case 'unknown':
      doubt(tx, mail.effect);
      return;
    case 'again':
      postpone(tx, mail);
      return;
    case 'begin':
      if (!mayBegin(tx, mail)) return;
      if (isTooOld(tx, mail.effect)) refuse(tx, tooLate(mail.effect));
      else begin(tx, mail.effect);
      return;
    case 'cancel':
      if (isWaiting(tx, mail.effect)) refuse(tx, givenUp(mail.effect));
      return;
    case 'lost':
      if (findPendingEffect(tx.agenda, mail.effect)?.tries === mail.tries) recover(tx, mail.effect);
      return;
    case 'takenOver':
      takeOver(tx, mail.upTo);
      return;
    case 'broken':
      tx.consumedInbox = [...tx.consumedInbox, ...inboxRowIdsOfMail(mail)];
      for (const one of mail.mails) setAside(tx, one);
      tx.fail({ type: mail.event }, new Error(mail.message));
      return;
    case 'claimRefused':
      putBy(tx, mail.asked);
      tx.hear({ type: 'claimRefused', key: mail.key, owner: mail.owner });
  }
};

/** An operator's order that another node left is carried out; the chart hears everything else. */
const hearEvent = (tx: UncommittedMachineStep, event: MachineEvent): void => {
  const order = effectOrderOfEvent(event);
  if (order) hear(tx, order);
  else tx.hear(event);
};

/** Mail whose step was undone: it is not heard, and does not come again. */
const putBy = (tx: UncommittedMachineStep, mail: Mail): void => {
  switch (mail.what) {
    case 'event':
      if (mail.inbox !== undefined) tx.consumedInbox = [...tx.consumedInbox, mail.inbox];
      tx.isRepeat(mail.event);
      return;
    case 'accepted':
    case 'failed':
    case 'unknown':
      tx.removeEffect(mail.effect);
      return;
    case 'timer':
      tx.setAgenda(tx.agenda.filter((entry) => entry.id !== mail.id || entry.rev !== mail.rev));
      return;
    case 'claimRefused':
      putBy(tx, mail.asked);
      return;
    default:
  }
};

/**
 * Mail whose write the database refuses for its data: whatever else is owed for it is put off or struck off, or it
 * would come again, and be refused again, for ever. The outcome of an effect that was performed, and must not be a
 * second time, is recorded as unknown.
 */
const setAside = (tx: UncommittedMachineStep, mail: Mail): void => {
  switch (mail.what) {
    case 'accepted':
    case 'failed':
    case 'unknown':
    case 'lost':
      setEffectAside(tx, mail);
      return;
    case 'begin':
    case 'again':
      putOff(tx, mail.effect);
      return;
    case 'timer':
      putTimerOff(tx, mail);
      return;
    case 'claimRefused':
      setAside(tx, mail.asked);
      return;
    default:
  }
};

const setEffectAside = (
  tx: UncommittedMachineStep,
  { what, effect }: MailOf<'accepted' | 'failed' | 'unknown' | 'lost'>,
) => {
  const entry = findPendingEffect(tx.agenda, effect);
  if (!entry) return;
  if (what === 'accepted' && isOnceOnly(tx, entry)) doubt(tx, effect);
  else if (what === 'lost' && !isOnceOnly(tx, entry)) putOff(tx, effect);
  else tx.removeEffect(effect);
};

const putOff = (tx: UncommittedMachineStep, effect: string): void =>
  void tx.amend(effect, (entry) => ({ ...entry, wait: true, due: tx.at + PUT_OFF_MS }));

/** Each time twice as long, so that a timer that can never be written costs nothing. */
const putTimerOff = (tx: UncommittedMachineStep, { id, rev }: MailOf<'timer'>): void =>
  tx.setAgenda(
    tx.agenda.map((entry) => {
      if (entry.t !== 'timer' || entry.id !== id || entry.rev !== rev) return entry;
      const putOffMs = Math.min(LONGEST_PUT_OFF_MS, 2 * (entry.putOffMs ?? PUT_OFF_MS / 2));
      return { ...entry, putOffMs, due: tx.at + putOffMs };
    }),
  );

// ------------------------------------------------------------ timers

const fire = (tx: UncommittedMachineStep, { id, rev }: MailOf<'timer'>): void => {
  const entry = tx.agenda.find((one) => one.t === 'timer' && one.id === id && one.rev === rev);
  // One that was put off since comes again.
  if (entry?.t !== 'timer' || entry.due > tx.at) return;
  // This node may have been away since that was found.
  const hearsMs = tx.snapshot.hasTag('adoptable') ? tx.scope.catchUpMs() : 0;
  if (hearsMs > 0) {
    putOffTimers(tx, tx.at + hearsMs);
    return;
  }
  tx.remove(entry);
  tx.hear({ type: entry.event ?? entry.id });
};

// ------------------------------------------------------------ effects begin

/** A repeated `begin` is ignored. An at-most-once effect is never begun twice, not even by an operator. */
const mayBegin = (tx: UncommittedMachineStep, { effect, tries }: MailOf<'begin'>): boolean => {
  const entry = findPendingEffect(tx.agenda, effect);
  if (!entry) return false;
  if (tries !== undefined) return entry.tries === tries;
  return entry.wait === true || !isOnceOnly(tx, entry);
};

/** What was decided so long ago is not begun any more. */
const isTooOld = (tx: UncommittedMachineStep, id: string): boolean => {
  const entry = findPendingEffect(tx.agenda, id);
  const keepsMs = entry && tx.chart.kind.effects[entry.name]?.keepsMs;
  return entry?.at !== undefined && keepsMs !== undefined && tx.at > entry.at + keepsMs;
};

const tooLate = (effect: string): MailOf<'failed'> => ({
  what: 'failed',
  effect,
  reason: 'late',
  message: 'it could not be begun in time',
  attention: false,
});

const isWaiting = (tx: UncommittedMachineStep, effect: string): boolean =>
  findPendingEffect(tx.agenda, effect)?.wait === true;

const givenUp = (effect: string): MailOf<'failed'> => ({
  what: 'failed',
  effect,
  reason: 'cancelled',
  message: 'an operator cancelled it',
  attention: false,
});

const begin = (tx: UncommittedMachineStep, id: string): void => {
  const owed = findPendingEffect(tx.agenda, id);
  const begun = tx.amend(id, ({ wait: _wait, ...entry }) => ({
    ...entry,
    tries: entry.tries + 1,
    begunRev: (tx.base?.revision ?? 0) + 1,
    due: effectDeadline(tx, entry.name),
  }));
  if (!owed || !begun) return;
  tx.effects = [...tx.effects, begun];
  // It was not put off by its provider: the time since it was begun last is lost.
  if (!owed.wait) tx.delayGuards(owed, begun.due - owed.due);
};

/** Begun, with no outcome: repeated if that does no harm, else reported as unknown. */
const recover = (tx: UncommittedMachineStep, id: string): void => {
  const entry = findPendingEffect(tx.agenda, id);
  if (!entry) return;
  if (isOnceOnly(tx, entry)) doubt(tx, id);
  else begin(tx, id);
};

const isOnceOnly = ({ chart }: UncommittedMachineStep, { name }: PendingEffectEntry): boolean =>
  chart.kind.effects[name]?.delivery === 'atMostOnce';

// ------------------------------------------------------------ effects end

const confirm = (tx: UncommittedMachineStep, { effect, facts, lateMs = 0 }: MailOf<'accepted'>): void => {
  const entry = tx.endEffect(effect, 'accepted', tx.at);
  if (!entry) return;
  tx.delayGuards(entry, lateMs);
  for (const fact of facts) tx.hear(fact);
};

/** It is tried again later. */
const postpone = (tx: UncommittedMachineStep, { effect, delayMs, lateMs = 0 }: MailOf<'again'>): void => {
  const entry = tx.amend(effect, (owed) => ({ ...owed, wait: true, due: tx.at + delayMs }));
  if (entry) tx.delayGuards(entry, lateMs);
};

/** The provider said no, or tries are used up. */
const refuse = (
  tx: UncommittedMachineStep,
  { effect, reason, message, attention }: MailOf<'failed'>,
): void => {
  const entry = tx.endEffect(effect, 'failed', tx.at);
  if (!entry) return;
  if (attention) tx.attention = `${entry.name}: ${message}`.slice(0, FAILURE_LENGTH);
  tx.hear({ type: `${entry.name}Failed`, params: entry.params, reason, message });
};

const doubt = (tx: UncommittedMachineStep, id: string): void => {
  const entry = tx.endEffect(id, 'unknown', tx.at);
  if (entry) tx.hear({ type: 'outcomeUnknown', effect: entry.name, params: entry.params });
};

// ------------------------------------------------------------ taken up

/** What this node has begun itself since it took the machine up, before it heard of that, is under way here. */
const takeOver = (tx: UncommittedMachineStep, upTo: number): void => {
  for (const entry of tx.agenda) {
    if (entry.t === 'timer' || entry.wait || (entry.begunRev ?? entry.rev) > upTo) continue;
    recover(tx, entry.id);
  }
  if (!tx.snapshot.hasTag('adoptable')) return;
  putOffTimers(tx, tx.at + HEARING * tx.scope.graceMs);
  tx.hear({ type: 'takenOver' });
};

/** Timers that ran out while no node held the machine wait, so that facts of that time are applied first. */
const putOffTimers = (tx: UncommittedMachineStep, until: number): void =>
  tx.setAgenda(
    tx.agenda.map((entry) => (entry.t === 'timer' && entry.due < until ? { ...entry, due: until } : entry)),
  );

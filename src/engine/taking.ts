/** What a piece of mail does to a draft. Never throws: a chart that does is recorded as failed. */
import { owedEffect, type EffectEntry } from './agenda.ts';
import type { Draft } from './draft.ts';
import { rowsOf, type Mail } from './mail.ts';
import { lostAt } from './requests.ts';

type MailOf<What extends Mail['what']> = Mail & { what: What };

/** What is owed and was refused by the database comes again so much later, milliseconds; each time twice as long. */
const PUT_OFF_MS = 10 * 60_000;
const LONGEST_PUT_OFF_MS = 24 * 3_600_000;
/** Characters of a failure that are kept. */
const FAILURE_LENGTH = 500;
/** A machine that was taken up hears what it missed in this part of a grace time: no timer of its own fires before. */
const HEARING = 0.5;

export const takeMail = (draft: Draft, mail: Mail): void => {
  draft.mail = mail;
  if (draft.unborn) putBy(draft, mail);
  else hear(draft, mail);
};

const hear = (draft: Draft, mail: Mail): void => {
  switch (mail.what) {
    case 'event':
      if (mail.inbox !== undefined) draft.heard = [...draft.heard, mail.inbox];
      draft.hear(mail.event);
      return;
    case 'accepted':
      confirm(draft, mail);
      return;
    case 'timer':
      fire(draft, mail);
      return;
    case 'failed':
      refuse(draft, mail);
      return;
    case 'unknown':
      doubt(draft, mail.effect);
      return;
    case 'again':
      postpone(draft, mail);
      return;
    case 'begin':
      if (!mayBegin(draft, mail)) return;
      if (isTooOld(draft, mail.effect)) refuse(draft, tooLate(mail.effect));
      else begin(draft, mail.effect);
      return;
    case 'lost':
      if (owedEffect(draft.agenda, mail.effect)?.tries === mail.tries) recover(draft, mail.effect);
      return;
    case 'takenUp':
      takeOver(draft, mail.upTo);
      return;
    case 'broken':
      draft.heard = [...draft.heard, ...rowsOf(mail)];
      for (const one of mail.mails) setAside(draft, one);
      draft.fail({ type: mail.event }, new Error(mail.message));
      return;
    case 'claimRefused':
      putBy(draft, mail.asked);
      draft.hear({ type: 'claimRefused', key: mail.key, owner: mail.owner });
  }
};

/** Mail whose step was undone: it is not heard, and does not come again. */
const putBy = (draft: Draft, mail: Mail): void => {
  switch (mail.what) {
    case 'event':
      if (mail.inbox !== undefined) draft.heard = [...draft.heard, mail.inbox];
      draft.isRepeat(mail.event);
      return;
    case 'accepted':
    case 'failed':
    case 'unknown':
      draft.strike(mail.effect);
      return;
    case 'timer':
      draft.plan(draft.agenda.filter((entry) => entry.id !== mail.id || entry.rev !== mail.rev));
      return;
    case 'claimRefused':
      putBy(draft, mail.asked);
      return;
    default:
  }
};

/**
 * Mail whose write the database refuses for its data: whatever else is owed for it is put off or struck off, or it would
 * come again, and be refused again, for ever. An effect that was performed, and must not be a second time, is one whose
 * outcome nobody knows.
 */
const setAside = (draft: Draft, mail: Mail): void => {
  switch (mail.what) {
    case 'accepted':
    case 'failed':
    case 'unknown':
    case 'lost':
      setEffectAside(draft, mail);
      return;
    case 'begin':
    case 'again':
      putOff(draft, mail.effect);
      return;
    case 'timer':
      putTimerOff(draft, mail);
      return;
    case 'claimRefused':
      setAside(draft, mail.asked);
      return;
    default:
  }
};

const setEffectAside = (
  draft: Draft,
  { what, effect }: MailOf<'accepted' | 'failed' | 'unknown' | 'lost'>,
) => {
  const entry = owedEffect(draft.agenda, effect);
  if (!entry) return;
  if (what === 'accepted' && isOnceOnly(draft, entry)) doubt(draft, effect);
  else if (what === 'lost' && !isOnceOnly(draft, entry)) putOff(draft, effect);
  else draft.strike(effect);
};

const putOff = (draft: Draft, effect: string): void =>
  void draft.amend(effect, (entry) => ({ ...entry, wait: true, due: draft.at + PUT_OFF_MS }));

/** Each time twice as long, so that a timer that can never be written costs nothing. */
const putTimerOff = (draft: Draft, { id, rev }: MailOf<'timer'>): void =>
  draft.plan(
    draft.agenda.map((entry) => {
      if (entry.t !== 'timer' || entry.id !== id || entry.rev !== rev) return entry;
      const putOffMs = Math.min(LONGEST_PUT_OFF_MS, 2 * (entry.putOffMs ?? PUT_OFF_MS / 2));
      return { ...entry, putOffMs, due: draft.at + putOffMs };
    }),
  );

// ------------------------------------------------------------ timers

const fire = (draft: Draft, { id, rev }: MailOf<'timer'>): void => {
  const entry = draft.agenda.find((one) => one.t === 'timer' && one.id === id && one.rev === rev);
  // One that was put off since comes again.
  if (entry?.t !== 'timer' || entry.due > draft.at) return;
  // This node may have been away since that was found.
  const hearsMs = draft.snapshot.hasTag('adoptable') ? draft.scope.hearsFor() : 0;
  if (hearsMs > 0) {
    putOffTimers(draft, draft.at + hearsMs);
    return;
  }
  draft.remove(entry);
  draft.hear({ type: entry.event ?? entry.id });
};

// ------------------------------------------------------------ effects begin

/** Told twice, it begins once. What is begun at most once is not begun beside itself, whoever asks. */
const mayBegin = (draft: Draft, { effect, tries }: MailOf<'begin'>): boolean => {
  const entry = owedEffect(draft.agenda, effect);
  if (!entry) return false;
  if (tries !== undefined) return entry.tries === tries;
  return entry.wait === true || !isOnceOnly(draft, entry);
};

/** What was decided so long ago is not begun any more. */
const isTooOld = (draft: Draft, id: string): boolean => {
  const entry = owedEffect(draft.agenda, id);
  const keepsMs = entry && draft.chart.kind.effects[entry.name]?.keepsMs;
  return entry?.at !== undefined && keepsMs !== undefined && draft.at > entry.at + keepsMs;
};

const tooLate = (effect: string): MailOf<'failed'> => ({
  what: 'failed',
  effect,
  reason: 'late',
  message: 'it could not be begun in time',
  attention: false,
});

const begin = (draft: Draft, id: string): void => {
  const owed = owedEffect(draft.agenda, id);
  const begun = draft.amend(id, ({ wait: _wait, ...entry }) => ({
    ...entry,
    tries: entry.tries + 1,
    due: lostAt(draft, entry.name),
  }));
  if (!owed || !begun) return;
  draft.begins = [...draft.begins, begun];
  // Nobody said "later" to it: the time since it was begun last is lost.
  if (!owed.wait) draft.delayGuards(owed, begun.due - owed.due);
};

/** Begun, with no outcome: repeated if that does no harm, else reported as unknown. */
const recover = (draft: Draft, id: string): void => {
  const entry = owedEffect(draft.agenda, id);
  if (!entry) return;
  if (isOnceOnly(draft, entry)) doubt(draft, id);
  else begin(draft, id);
};

const isOnceOnly = ({ chart }: Draft, { name }: EffectEntry): boolean =>
  chart.kind.effects[name]?.delivery === 'atMostOnce';

// ------------------------------------------------------------ effects end

const confirm = (draft: Draft, { effect, facts, lateMs = 0 }: MailOf<'accepted'>): void => {
  const entry = draft.strike(effect);
  if (!entry) return;
  draft.delayGuards(entry, lateMs);
  for (const fact of facts) draft.hear(fact);
};

/** It is tried again later. */
const postpone = (draft: Draft, { effect, delayMs, lateMs = 0 }: MailOf<'again'>): void => {
  const entry = draft.amend(effect, (owed) => ({ ...owed, wait: true, due: draft.at + delayMs }));
  if (entry) draft.delayGuards(entry, lateMs);
};

/** The provider said no, or tries are used up. */
const refuse = (draft: Draft, { effect, reason, message, attention }: MailOf<'failed'>): void => {
  const entry = draft.strike(effect);
  if (!entry) return;
  if (attention) draft.attention = `${entry.name}: ${message}`.slice(0, FAILURE_LENGTH);
  draft.hear({ type: `${entry.name}Failed`, params: entry.params, reason, message });
};

const doubt = (draft: Draft, id: string): void => {
  const entry = draft.strike(id);
  if (entry) draft.hear({ type: 'outcomeUnknown', effect: entry.name, params: entry.params });
};

// ------------------------------------------------------------ taken up

const takeOver = (draft: Draft, upTo: number): void => {
  for (const entry of draft.agenda) {
    if (entry.t === 'timer' || entry.wait || entry.rev > upTo) continue;
    recover(draft, entry.id);
  }
  if (!draft.snapshot.hasTag('adoptable')) return;
  putOffTimers(draft, draft.at + HEARING * draft.scope.graceMs);
  draft.hear({ type: 'takenUp' });
};

/** What ran out while nobody held the machine is not to end what is told of that time only now. */
const putOffTimers = (draft: Draft, until: number): void =>
  draft.plan(
    draft.agenda.map((entry) =>
      entry.t === 'timer' && entry.due < until ? { ...entry, due: until } : entry,
    ),
  );

/** What a step asks for, laid into the draft. All requests of a step are granted, or none. */
import { AGENDA_LIMIT, withoutTimer, type AgendaEntry, type EffectEntry } from './agenda.ts';
import type { Request } from './chart.ts';
import type { Draft } from './draft.ts';

type Asked<Do extends Request['do']> = Extract<Request, { do: Do }>;

/**
 * Grants what one step asks for; what the history says of it comes back, words parted by spaces.
 * Throws, and leaves the draft as it was, when one of them is impossible.
 */
export const grant = (draft: Draft, requests: readonly Request[]): string => {
  const { agenda, milestones, begins, births, tells, reached, claims, releases, claimants, bookings } = draft;
  try {
    let asked = '';
    let effects = 0;
    for (const request of requests) {
      const word = request.do === 'effect' ? owe(draft, request, effects++) : grantOther(draft, request);
      if (word !== '') asked = asked === '' ? word : `${asked} ${word}`;
    }
    if (draft.agenda.length > AGENDA_LIMIT)
      throw new Error(`more than ${AGENDA_LIMIT} entries on the agenda`);
    return asked;
  } catch (error) {
    Object.assign(draft, {
      ...{ agenda, milestones, begins, births, tells, reached, claims, releases, claimants, bookings },
    });
    throw error;
  }
};

/** When the outcome of an effect begun now counts as lost, epoch milliseconds. */
export const lostAt = ({ at, chart, scope }: Draft, effect: string): number =>
  at + (chart.kind.effects[effect]?.withinMs ?? 0) + scope.graceMs;

const grantOther = (draft: Draft, request: Exclude<Request, { do: 'effect' }>): string => {
  switch (request.do) {
    case 'arm':
      return arm(draft, request);
    case 'disarm':
      draft.agenda = withoutTimer(draft.agenda, request.timer);
      return '';
    case 'reach':
      reach(draft, request.milestone);
      return '';
    case 'forget':
      draft.milestones = draft.milestones.filter((passed) => passed !== request.milestone);
      return '';
    case 'tell':
      return tell(draft, request);
    case 'startMachine':
      draft.bear(request.kind, request.id, request.input);
      return `start:${request.kind}@${request.id}`;
    case 'claim':
      claim(draft, request);
      return '';
    case 'release':
      draft.releases = [...draft.releases, request.key];
      return '';
    case 'book':
      return book(draft, request);
  }
};

const owe = (draft: Draft, { name, params }: Asked<'effect'>, index: number): string => {
  const { revision: rev } = draft;
  const id = `${rev}.${index}`;
  const entry: EffectEntry = { t: 'effect', id, name, params, rev, tries: 1, due: lostAt(draft, name) };
  if (draft.chart.kind.effects[name]?.keepsMs !== undefined) entry.at = draft.at;
  draft.agenda = [...draft.agenda, entry];
  draft.begins = [...draft.begins, entry];
  return name;
};

const arm = (draft: Draft, { timer: id, event, delayMs }: Asked<'arm'>): string => {
  const entry: AgendaEntry = { t: 'timer', id, rev: draft.revision, due: draft.at + delayMs };
  if (event !== id) entry.event = event;
  draft.agenda = [...withoutTimer(draft.agenda, id), entry];
  return `${shortTimer(id)}+${delayMs}`;
};

const reach = (draft: Draft, milestone: string): void => {
  if (draft.milestones.includes(milestone)) return;
  draft.milestones = [...draft.milestones, milestone];
  draft.reached = [...draft.reached, milestone];
};

const tell = (draft: Draft, { machine, event }: Asked<'tell'>): string => {
  const { account, at, scope } = draft;
  draft.tells = [...draft.tells, { account, machine, id: scope.mint(), event: JSON.stringify(event), at }];
  return `tell:${event.type}@${machine}`;
};

const claim = (draft: Draft, { key, untilMs }: Asked<'claim'>): void => {
  draft.claims = [...draft.claims, { key, until: untilMs, answer: null }];
  draft.claimants = new Map(draft.claimants).set(key, draft.mail);
};

const book = (draft: Draft, { account, purse, amount, entry }: Asked<'book'>): string => {
  if (!(amount >= 0)) throw new Error(`a step may not take from a purse: ${purse} ${amount}`);
  draft.book([{ account, purse, amount, ...(entry !== undefined && { entry }) }]);
  return `book:${purse}@${account}+${amount}`;
};

/** `xstate.after.ringTimeout.call.dialing` reads as `ringTimeout` in the history. */
const shortTimer = (id: string): string => /^xstate\.after\.([^.]+)\./.exec(id)?.[1] ?? id;

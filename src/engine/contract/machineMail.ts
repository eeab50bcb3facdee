import type { MachineEvent } from './effect.ts';
import type { Fact } from './performer.ts';
import type { EffectOrderResult, SendEventResult } from './api.ts';

/** What waits for a machine's next step, in the order it came. */
export type Mail =
  /** `copyOf`: the piece that it stands for, where it waits once more without its caller. */
  | { what: 'event'; event: MachineEvent; inbox?: number; done?: SendEventResolvers; copyOf?: Mail }
  /** A timer is due; `rev` is the revision that armed it. */
  | { what: 'timer'; id: string; rev: number }
  /** An effect was accepted, with facts that came at once. `lateMs`: so long after its time was over. */
  | { what: 'accepted'; effect: string; facts: Fact[]; lateMs?: number }
  /** The provider said no, or tries are used up. */
  | { what: 'failed'; effect: string; reason: string; message: string; attention: boolean }
  /** Whether the effect was performed is unknown. */
  | { what: 'unknown'; effect: string }
  /**
   * The effect was begun, is not under way, and its time is over: whatever came of it never reached us. `tries`:
   * performances begun when that was found; one that has begun since is not lost.
   */
  | { what: 'lost'; effect: string; tries: number }
  /** Try again later. `lateMs`: so long after its time was over that was noticed. */
  | { what: 'again'; effect: string; delayMs: number; lateMs?: number }
  /**
   * Perform now: a retry is due, or an operator asks. `tries`: performances begun when that was decided; one that has
   * begun since was meant by it.
   */
  | { what: 'begin'; effect: string; tries?: number; done?: EffectOrderResolvers }
  /** An operator gives an effect up that waits to be tried again. One under way is left alone. */
  | { what: 'cancel'; effect: string; done?: EffectOrderResolvers }
  /** Another incarnation held the row up to this revision; what it had begun is in doubt. */
  | { what: 'takenOver'; upTo: number }
  /**
   * An event that cannot be taken (the chart spins, the database refuses its data) stands in the history as failed.
   * `mails`: what is set aside for it.
   */
  | { what: 'broken'; event: string; message: string; mails: readonly Mail[] }
  /** Another holds the key that this mail's step claimed: the mail is put by, and this heard instead. */
  | { what: 'claimRefused'; key: string; owner: string; asked: Mail };

/**
 * Whether a caller waits for the outcome, or the mail reports what was done in the world already: it stands in memory only, and
 * ends with the process where no step takes it before.
 */
export const isUrgentMail = (mail: Mail): boolean => {
  switch (mail.what) {
    case 'event':
      return mail.inbox === undefined;
    case 'begin':
    case 'cancel':
      return mail.done !== undefined;
    case 'accepted':
    case 'failed':
    case 'unknown':
    case 'again':
      return true;
    default:
      return false;
  }
};

/** The inbox rows that a piece of mail is, or stands for. */
export const inboxRowIdsOfMail = (mail: Mail): readonly number[] => {
  if (mail.what === 'claimRefused') return inboxRowIdsOfMail(mail.asked);
  if (mail.what === 'broken') return mail.mails.flatMap(inboxRowIdsOfMail);
  return mail.what === 'event' && mail.inbox !== undefined ? [mail.inbox] : [];
};

/** What a piece of mail is called in a history. */
export const mailHistoryName = (mail: Mail): string => {
  if (mail.what === 'event') return mail.event.type;
  return mail.what === 'timer' ? mail.id : mail.what;
};

/** How an operator hears what became of an order about an effect. */
export interface EffectOrderResolvers {
  resolve(result: EffectOrderResult): void;
  reject(error: unknown): void;
  /** Whether it was answered already, or has given up. */
  readonly isSettled?: boolean;
}

/** An operator's order about one effect of a machine. */
export type EffectOrder = Mail & { what: 'begin' | 'cancel' };

export const isEffectOrder = (mail: Mail): mail is EffectOrder =>
  mail.what === 'begin' || mail.what === 'cancel';

/** Under these types an order waits in the inbox of a machine that another node holds; no chart hears them. */
const ORDER_EVENTS = { begin: 'engine.beginEffect', cancel: 'engine.cancelEffect' } as const;

/** An order as an event of the inbox. */
export const eventOfEffectOrder = ({ what, effect }: EffectOrder): MachineEvent => ({
  type: ORDER_EVENTS[what],
  effect,
});

/** The order that an event stands for; undefined: it is an event of the chart. */
export const effectOrderOfEvent = ({ type, effect }: MachineEvent): EffectOrder | undefined => {
  if (typeof effect !== 'string') return undefined;
  if (type === ORDER_EVENTS.begin) return { what: 'begin', effect };
  return type === ORDER_EVENTS.cancel ? { what: 'cancel', effect } : undefined;
};

/** How the sender of an event hears of it. */
export interface SendEventResolvers {
  resolve(result: SendEventResult): void;
  reject(error: unknown): void;
  /** Whether it was answered already, or has given up. */
  readonly isSettled?: boolean;
}

/**
 * Whether mail is still to be heard. A caller that has given up was told that nothing was done (503), and may have asked for
 * something else since: what it asked for first is not done after that.
 */
export const isStillWanted = (mail: Mail): boolean =>
  !((mail.what === 'event' || isEffectOrder(mail)) && mail.done?.isSettled === true);

/**
 * The pieces that one stands for: itself, or those that it was wrapped around or copied from. Where all of them were heard, it
 * is not to be heard. The same event that was sent twice is two pieces.
 */
export const mailOrigins = (mail: Mail): readonly Mail[] => {
  if (mail.what === 'event') return [mail.copyOf ?? mail];
  if (mail.what === 'claimRefused') return mailOrigins(mail.asked);
  return mail.what === 'broken' ? mail.mails.flatMap(mailOrigins) : [mail];
};

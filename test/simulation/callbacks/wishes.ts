/** Who wants to hear of a call or a message in a run. The id of the delivery is made when it is asked for. */
import type { CallbackWish } from '../../../machines/contracts/callback.ts';
import type { Dice } from '../dice.ts';

const SHARE = 0.5;

/** The wish of a call or a message, if it has one. */
export const wishOf = (dice: Dice): { callback?: CallbackWish } => {
  const own = dice.of('callback');
  if (!own.chance(SHARE)) return {};
  const events = own.pick([[], [], ['all'], ['all'], ['ringing', 'dtmf', 'retry'], ['sent', 'read']]);
  return { callback: { url: 'https://simulated.example/', events, delivery: 0 } };
};

/** The input with an id for its delivery; one without a wish stays as it is. */
export const withDelivery = (input: object, mintId: () => number): object => {
  const { callback } = input as { callback?: CallbackWish };
  return callback ? { ...input, callback: { ...callback, delivery: mintId() } } : input;
};

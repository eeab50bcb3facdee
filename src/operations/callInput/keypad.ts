/** What digits are asked for, and what keys do. */
import type { CallInput } from '../../../machines/call/input.ts';
import { keySlots, readKeyActions } from '../../rules/keyActions.ts';
import type { Normalize } from '../../rules/legTarget.ts';
import type { CallAsked } from '../MakeTTSCall.ts';

/** Throws 299 for an action that cannot be read. */
export const readKeypad = (asked: CallAsked, normalize: Normalize): Pick<CallInput, 'keys' | 'digits'> => {
  const { params: given, refuse } = asked;
  const values: Readonly<Record<string, unknown>> = given;
  const actions = Object.fromEntries(keySlots.map(([name]) => [name, values[name] as string | undefined]));
  const read = readKeyActions(actions, normalize);
  if ('refused' in read) throw refuse('badValue', read.refused);
  return { keys: read.keys, digits: readDigits(asked) };
};

const readDigits = ({ params: given, refuse }: CallAsked): CallInput['digits'] => {
  // `dtmfini` is an agent's id for type 100, and a key for all others.
  const replay = given.type === '100' ? undefined : given.initialDigit?.trim();
  if (replay !== undefined && !/^[0-9*]$/.test(replay))
    throw refuse('badValue', 'dtmfini must be one key, 0 to 9 or *');
  return {
    count: given.digits,
    waitSeconds: given.digitSeconds,
    ...(given.type === '2' && { confirm: given.confirmDigit }),
    ...(replay !== undefined && { replay }),
  };
};

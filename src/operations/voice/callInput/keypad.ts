/** What digits are asked for, and what keys do. */
import type { CallInput } from '../../../../machines/call/input.ts';
import { dtmfParameterKeys, readKeyActions } from '../../../rules/voice/parseDtmfKeyActions.ts';
import type { NormalizePhoneNumber } from '../../../rules/voice/legTarget.ts';
import type { CallRequestContext } from './params.ts';

/** Throws 299 for an action that cannot be read. */
export const readKeypadParams = (
  ctx: CallRequestContext,
  normalize: NormalizePhoneNumber,
): Pick<CallInput, 'keys' | 'digits'> => {
  const { params, refuse } = ctx;
  const values: Readonly<Record<string, unknown>> = params;
  const actions = Object.fromEntries(
    dtmfParameterKeys.map(([name]) => [name, values[name] as string | undefined]),
  );
  const read = readKeyActions(actions, normalize);
  if ('refused' in read) throw refuse('badValue', read.refused);
  const digits = readDigits(ctx);
  refuseDeadKeys(ctx, read.keys, digits);
  return { keys: read.keys, digits };
};

/** A key does one thing: dtmfini goes before dtmfconf, and that before the action of a dtmf parameter. Throws 299. */
const refuseDeadKeys = (
  { provided, refuse, warn }: CallRequestContext,
  keys: CallInput['keys'],
  { confirm, replay }: CallInput['digits'],
): void => {
  const names = (key: string | undefined): boolean => key !== undefined && Object.hasOwn(keys, key);
  if (names(replay))
    throw refuse('badValue', `key ${replay} has a dtmf action and is dtmfini: only one of them could act`);
  if (replay !== undefined && replay === confirm)
    throw refuse('badValue', `key ${replay} is dtmfini and dtmfconf: only one of them could act`);
  if (!names(confirm)) return;
  const both = `key ${confirm} has a dtmf action and is dtmfconf`;
  if (provided.has('confirmDigit')) throw refuse('badValue', `${both}: only one of them could act`);
  warn(`${both}, as none was named: it confirms, and the action is not used`);
};

const readDigits = ({ params, refuse }: CallRequestContext): CallInput['digits'] => {
  // `dtmfini` is an agent's id for type 100, and a key for all others.
  const replay = params.type === '100' ? undefined : params.initialDigit?.trim();
  if (replay !== undefined && !/^[0-9*]$/.test(replay))
    throw refuse('badValue', 'dtmfini must be one key, 0 to 9 or *');
  return {
    count: params.digits,
    waitSeconds: params.digitSeconds,
    ...(params.type === '2' && { confirm: params.confirmDigit }),
    ...(replay !== undefined && { replay }),
  };
};

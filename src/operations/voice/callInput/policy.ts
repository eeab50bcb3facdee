/** What is checked before an attempt: now at the door (`bkddd=1`), and later by call admission. */
import type { CallInput } from '../../../../machines/call/input.ts';
import type { ParsedPhoneNumber } from '../../../rules/voice/parsePhoneNumber.ts';
import { parseCallingWindows, callingWindowAt } from '../../../rules/voice/callingWindows.ts';
import type { CallRequestContext } from './params.ts';

/** `dialAt`: when the first attempt is due, epoch milliseconds. Throws 230. */
export const readRequestedCallPolicy = (
  ctx: CallRequestContext,
  destination: ParsedPhoneNumber,
  audioKey: string,
  dialAt: number,
): CallInput['policy'] => {
  const { account, params } = ctx;
  const window = params.regionalWindow ?? account.regional_window;
  if (window === 1) refuseOutside(ctx, destination, dialAt);
  return {
    skipBlocklist: params.free ?? account.skip_blocklist,
    ...readLimits(ctx),
    audioKey,
    waitForWindow: window === 2,
  };
};

const refuseOutside = (
  { account, refuse }: CallRequestContext,
  destination: ParsedPhoneNumber,
  at: number,
): void => {
  const answer = callingWindowAt(destination.number, at, parseCallingWindows(account.calling_windows));
  if (!answer.open) throw refuse('outsideWindow', answer.detail);
};

/** They count over `cpid`. */
const readLimits = ({
  params,
}: CallRequestContext): Pick<CallInput['policy'], 'numberLimit' | 'audioLimit'> => {
  if (params.customerCampaign === '') return {};
  return {
    ...(params.numberLimit > 0 && { numberLimit: params.numberLimit }),
    ...(params.audioLimit > 0 && { audioLimit: params.audioLimit }),
  };
};

/** What is checked before an attempt: now at the door (`bkddd=1`), and later by call admission. */
import type { CallInput } from '../../../../machines/call/input.ts';
import type { DialNumber } from '../../../rules/voice/numbering.ts';
import { readWindows, windowAt } from '../../../rules/voice/windows.ts';
import type { CallAsked } from './params.ts';

/** `dialAt`: when the first attempt is due, epoch milliseconds. Throws 230. */
export const readPolicy = (
  asked: CallAsked,
  destination: DialNumber,
  audioKey: string,
  dialAt: number,
): CallInput['policy'] => {
  const { account, params: given } = asked;
  const window = given.regionalWindow ?? account.regional_window;
  if (window === 1) refuseOutside(asked, destination, dialAt);
  return {
    skipBlocklist: given.free ?? account.skip_blocklist,
    ...readLimits(asked),
    audioKey,
    waitForWindow: window === 2,
  };
};

const refuseOutside = ({ account, refuse }: CallAsked, destination: DialNumber, at: number): void => {
  const answer = windowAt(destination.number, at, readWindows(account.calling_windows));
  if (!answer.open) throw refuse('outsideWindow', answer.detail);
};

/** They count over `cpid`. */
const readLimits = ({
  params: given,
}: CallAsked): Pick<CallInput['policy'], 'numberLimit' | 'audioLimit'> => {
  if (given.customerCampaign === '') return {};
  return {
    ...(given.numberLimit > 0 && { numberLimit: given.numberLimit }),
    ...(given.audioLimit > 0 && { audioLimit: given.audioLimit }),
  };
};

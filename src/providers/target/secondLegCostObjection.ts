/**
 * What second legs may cost: the closed prefixes and day limits of account and trunk hold for them as for callees. A stolen
 * token would pass a callee of its own on to a premium number else.
 */
import type { SecondLegDestinationAnswer } from '../../../machines/contracts/targetResolutionAndQueue.ts';
import { formatTenThousandths } from '../../rules/accounts/pricing.ts';
import { isNumberPrefixClosed } from '../../rules/trunks/whyTrunkExcluded.ts';
import type { Trunk } from '../../rules/trunks/trunkTypes.ts';
import type { DialClearanceRepository, CallMachineRef } from '../contracts/dialClearance.ts';
import { withErrorsAsRetryable, prefixOrDayLimitObjection } from '../dialClearance/checkDialRules.ts';

export interface SecondLegObjection {
  reason: Extract<SecondLegDestinationAnswer, { type: 'targetRefused' }>['reason'];
  /** A sentence. */
  detail: string;
}

export interface SecondLegCostCheckOptions {
  account: DialClearanceRepository['account'];
  trunk(name: string): Trunk | undefined;
  /** Of an account or a trunk, ten-thousandths of the currency. */
  spentToday(owner: 'account' | 'trunk', id: number, zone?: string): number;
}

/** Why a number is not to be called as a second leg; undefined: it may be. Throws `Retryable` when the account cannot be read. */
export const openSecondLegCostCheck =
  ({ account, trunk, spentToday }: SecondLegCostCheckOptions) =>
  async (
    caller: CallMachineRef,
    number: string,
    trunkName: string | undefined,
  ): Promise<SecondLegObjection | undefined> => {
    const rules = await withErrorsAsRetryable(() => account(caller));
    const tolled =
      rules &&
      prefixOrDayLimitObjection({ destination: number }, caller, {
        ...{ account: rules, at: 0 },
        spentToday: (id, zone) => spentToday('account', id, zone),
      });
    if (tolled && 'detail' in tolled.objection)
      return {
        reason: tolled.objection.type === 'refused' ? 'targetClosed' : 'targetSpent',
        detail: tolled.objection.detail,
      };
    const by = trunkName === undefined ? undefined : trunk(trunkName);
    return by && secondLegObjectionOfTrunk(by, number, spentToday('trunk', by.id));
  };

const secondLegObjectionOfTrunk = (
  trunk: Trunk,
  number: string,
  spent: number,
): SecondLegObjection | undefined => {
  const { name, spendPerDay } = trunk;
  if (isNumberPrefixClosed(trunk, number))
    return { reason: 'targetClosed', detail: `${name} carries no numbers like ${number}` };
  if (typeof spendPerDay !== 'number' || spent < spendPerDay) return undefined;
  const [cost, limit] = [spent, spendPerDay].map((units) => formatTenThousandths(BigInt(units)));
  return {
    reason: 'targetSpent',
    detail: `the calls of ${name} cost ${cost} today, and its limit of a day is ${limit}`,
  };
};

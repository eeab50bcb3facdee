/** From the filters of GetCallStatus to a question for the store. */
import { endOfDay, fromLocal } from '../../lib/localTime.ts';
import { readDate, maxScheduleDays } from '../../rules/voice/parseCallSchedule.ts';
import { findNewestCampaignByCorrelation, type CallQuery } from '../../store/reads/voice/calls.ts';
import { readCallId } from '../../wire/callId.ts';
import type { CallStatusRequestContext } from './getCallStatusParams.ts';

const DAY = 86_400_000;
/** A call is dialled at latest so long after its id was minted: put off, then retried and held back for windows. */
const longestLifeMs = (maxScheduleDays + 60) * DAY;
/** Ids are minted by hosts whose clocks differ a little. */
const clockSlackMs = 60_000;

/** Undefined: the filters cannot match anything, or cannot be read. */
export const callQueryFromParams = async (ctx: CallStatusRequestContext): Promise<CallQuery | undefined> => {
  const { account, params } = ctx;
  const one = readOne(ctx);
  const days = readDays(ctx);
  const campaign = await readCampaign(ctx);
  if (!one || !days || !campaign) return undefined;
  return {
    account: account.id,
    ...one,
    ...days,
    ...campaign,
    ...below(params.after, days.belowId),
    ...(params.withDigits && { withDigits: true }),
    limit: params.limit,
  };
};

/** `ctid` wins over `cd_id`; its text `null` means the empty one. */
const readOne = ({
  account,
  params,
}: CallStatusRequestContext): Pick<CallQuery, 'correlation' | 'id'> | undefined => {
  if (params.correlation !== undefined) {
    return { correlation: params.correlation === 'null' ? '' : params.correlation };
  }
  if (params.callId === undefined) return {};
  const named = readCallId(params.callId, account.shard);
  return named && named.shard === account.shard ? { id: named.id } : undefined;
};

/**
 * `cpid` is the newest campaign with that `cp_ctid`; where there is none, calls that were placed with it (decisions
 * "cpid in GetCallStatus"). Undefined: it is another campaign than `cp_id`.
 */
const readCampaign = async ({
  account,
  params: { campaign, customerCampaign },
  services,
}: CallStatusRequestContext): Promise<Pick<CallQuery, 'campaign' | 'customerCampaign'> | undefined> => {
  const chosen = campaign === undefined ? {} : { campaign };
  if (customerCampaign === undefined) return chosen;
  const newest = await findNewestCampaignByCorrelation(
    services.database(account.shard),
    account.id,
    customerCampaign,
  );
  if (newest === undefined) return { ...chosen, customerCampaign };
  return campaign === undefined || campaign === newest ? { campaign: newest } : undefined;
};

type Days = Pick<CallQuery, 'calledFrom' | 'calledTo' | 'fromId' | 'belowId'>;

/**
 * The days of the account's wall clock. Ids ascend with the time of the request, which is never after the dial:
 * the index is bounded from both sides.
 */
const readDays = ({ account, params, services }: CallStatusRequestContext): Days | undefined => {
  const start = params.dateStart === undefined ? undefined : readDate(params.dateStart);
  const end = params.dateEnd === undefined ? undefined : readDate(params.dateEnd);
  if ((params.dateStart && !start) || (params.dateEnd && !end)) return undefined;
  const days: Days = {};
  if (start) {
    days.calledFrom = fromLocal(start, '00:00', account.time_zone);
    days.fromId = services.firstIdAt(days.calledFrom - longestLifeMs);
  }
  if (end) {
    days.calledTo = endOfDay(end, account.time_zone);
    days.belowId = services.firstIdAt(days.calledTo + clockSlackMs);
  }
  return days;
};

const below = (after: number, belowId: number | undefined): Pick<CallQuery, 'belowId'> => {
  if (after === 0) return {};
  return { belowId: Math.min(after, belowId ?? after) };
};

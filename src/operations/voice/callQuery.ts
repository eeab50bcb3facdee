/** From the filters of GetCallStatus to a question for the store. */
import { endOfDay, fromLocal } from '../../lib/localTime.ts';
import { readDate, scheduleDays } from '../../rules/voice/schedule.ts';
import { newestCampaign, type CallQuery } from '../../store/reads/voice/calls.ts';
import { readCallId } from '../../wire/callId.ts';
import type { StatusAsked } from './callStatusParams.ts';

const DAY = 86_400_000;
/** A call is dialled at latest so long after its id was minted: put off, then retried and held back for windows. */
const longestLifeMs = (scheduleDays + 60) * DAY;
/** Ids are minted by hosts whose clocks differ a little. */
const clockSlackMs = 60_000;

/** Undefined: the filters cannot match anything, or cannot be read. */
export const readQuery = async (asked: StatusAsked): Promise<CallQuery | undefined> => {
  const { account, params: given } = asked;
  const one = readOne(asked);
  const days = readDays(asked);
  const campaign = await readCampaign(asked);
  if (!one || !days || !campaign) return undefined;
  return {
    account: account.id,
    ...one,
    ...days,
    ...campaign,
    ...below(given.after, days.belowId),
    ...(given.withDigits && { withDigits: true }),
    limit: given.limit,
  };
};

/** `ctid` wins over `cd_id`; its text `null` means the empty one. */
const readOne = ({
  account,
  params: given,
}: StatusAsked): Pick<CallQuery, 'correlation' | 'id'> | undefined => {
  if (given.correlation !== undefined) {
    return { correlation: given.correlation === 'null' ? '' : given.correlation };
  }
  if (given.callId === undefined) return {};
  const named = readCallId(given.callId, account.shard);
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
}: StatusAsked): Promise<Pick<CallQuery, 'campaign' | 'customerCampaign'> | undefined> => {
  const asked = campaign === undefined ? {} : { campaign };
  if (customerCampaign === undefined) return asked;
  const newest = await newestCampaign(services.database(account.shard), account.id, customerCampaign);
  if (newest === undefined) return { ...asked, customerCampaign };
  return campaign === undefined || campaign === newest ? { campaign: newest } : undefined;
};

type Days = Pick<CallQuery, 'calledFrom' | 'calledTo' | 'fromId' | 'belowId'>;

/**
 * The days of the account's wall clock. Ids ascend with the time of the request, which is never after the dial:
 * the index is bounded from both sides.
 */
const readDays = ({ account, params: given, services }: StatusAsked): Days | undefined => {
  const start = given.dateStart === undefined ? undefined : readDate(given.dateStart);
  const end = given.dateEnd === undefined ? undefined : readDate(given.dateEnd);
  if ((given.dateStart && !start) || (given.dateEnd && !end)) return undefined;
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

/** Why a campaign does not dial, or not all it could, and until when. */
import type { Explanation } from '../../src/engine/contract/kind.ts';
import { windowIfRegionClosed } from './regionCallingWindows.ts';
import {
  isCampaignOver,
  countLiveCalls,
  countUnclaimedDestinations,
  countUnclaimedInRegion,
  type CampaignContext,
} from './context.ts';
import { callsUnderWay, dialIntervalMs, roomByAnswers, roomByTransfers } from './pace.ts';

/** Every reason, the one that decides first. */
export const explainCampaign = (context: CampaignContext): Explanation[] =>
  [
    ...standing(context),
    ...closed(context),
    ...heldBack(context),
    ...silent(context),
    ...leftOut(context),
  ].map((reason) => ({
    at: context.overAt || context.calendar.at || context.bornAt,
    ...reason,
  }));

type Reason = Omit<Explanation, 'at'> & { at?: number };

const standing = (context: CampaignContext): Reason[] => {
  const waiting = countUnclaimedDestinations(context);
  switch (context.phase) {
    case 'loading':
      return [
        { rule: 'loading', detail: `the destinations of list ${context.definition.list} are being chosen` },
      ];
    case 'paused': {
      const why = context.plan.model ? 'it is a model, which is only cloned' : 'it is paused (active 0)';
      return [{ rule: 'paused', detail: `${why}; ${waiting} destinations wait` }];
    }
    case 'completed':
      return [
        { rule: 'completed', detail: `all of its ${context.counts.destinations} destinations have ended` },
      ];
    case 'limitReached':
      return [
        {
          rule: 'max_answered',
          detail: `${context.counts.answered} calls were answered, as many as it was to reach; ${waiting} destinations are left`,
        },
      ];
    case 'expired':
      if (context.plan.closed)
        return [
          { rule: 'closed', detail: `it was closed before its last day; ${waiting} destinations are left` },
        ];
      return [
        {
          rule: 'date_end',
          detail: `its last day, ${context.plan.hours.dateEnd}, is over; ${waiting} destinations are left`,
        },
      ];
    case 'failed':
      return [{ rule: 'failed', detail: `its destinations could not be chosen: ${context.reason}` }];
    case 'draining':
      return [
        {
          rule: 'draining',
          detail: `every destination was claimed; ${countLiveCalls(context)} calls go on or wait for a retry`,
        },
      ];
    default:
      return [];
  }
};

/** A sentence a region that is closed as things are planned. */
const closed = (context: CampaignContext): Reason[] => {
  if (isCampaignOver(context) || context.phase === 'loading') return [];
  return Object.entries(context.regions).flatMap(([region, destinations]) => {
    const waiting = countUnclaimedInRegion(destinations);
    const window = windowIfRegionClosed(context, region, context.calendar.at);
    if (waiting === 0 || !window) return [];
    const where = region || 'without a region';
    return [
      { rule: 'window', detail: `${waiting} destinations ${where}: ${window.detail}`, until: window.until },
    ];
  });
};

const heldBack = (context: CampaignContext): Reason[] => {
  if (context.phase === 'dialing' && Number.isFinite(dialIntervalMs(context))) {
    const { callsPerMinute } = context.plan.pace;
    return callsPerMinute === null
      ? []
      : [{ rule: 'pace', detail: `it dials ${callsPerMinute} calls a minute` }];
  }
  if (context.phase !== 'throttled') return [];
  const { maxTransfers, callsPerMinute } = context.plan.pace;
  if (callsPerMinute === 0) return [{ rule: 'lig_min', detail: 'its calls per minute are 0' }];
  const reasons: Reason[] = [];
  if (roomByAnswers(context) === 0) {
    const wanted = context.definition.maxAnswered! - context.counts.answered;
    const detail = `${wanted} answered calls are still wanted, and as many are under way`;
    reasons.push({ rule: 'max_answered', detail });
  }
  if (roomByTransfers(context) === 0) {
    const underWay = callsUnderWay(context) + context.flow.up;
    const detail = `${underWay} calls are under way, each of which may become one of its ${maxTransfers} transfers`;
    reasons.push({ rule: 'pas', detail });
  }
  return reasons;
};

/** Calls that do not say what becomes of their attempt, though they were asked more than once. */
const silent = ({ flow }: CampaignContext): Reason[] =>
  [...flow.granted, ...flow.revoked]
    .filter(({ awaited = 0 }) => awaited > 1)
    .map(({ call, awaited, at }) => ({
      ...{ rule: 'silent', at },
      detail: `call ${call} may dial and says nothing: asked ${awaited} times, every ten minutes`,
    }));

const leftOut = ({ skipped, bornAt }: CampaignContext): Reason[] =>
  Object.entries(skipped).map(([reason, count]) => ({
    rule: `skipped:${reason}`,
    detail: `${count} records of the list were left out: ${WHY[reason] ?? reason}`,
    at: bornAt,
  }));

const WHY: Readonly<Record<string, string>> = {
  filter: 'another value in the filtered column (fdtmf)',
  mobile: 'a mobile number, and mobile is 0',
  blocklist: 'on a block list',
  duplicate: 'the same number stands before in the list',
  name: 'too many records of the same name (limit_name)',
};

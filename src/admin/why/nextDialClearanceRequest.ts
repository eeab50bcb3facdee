/** What the next dial of a number would ask of admission. */
import type { CallInput } from '../../../machines/call/input.ts';
import type { CampaignContext } from '../../../machines/campaign/context.ts';
import type { DialClearanceEffects } from '../../../machines/contracts/clearance.ts';
import type { MachineView } from '../../engine/contract/api.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import type { CallInNumberHistory } from '../../store/reads/why/callsToNumber.ts';

type Question = DialClearanceEffects['requestClearance'];

/** Whose dial it would be. */
export interface NextDial {
  teller: { account: AccountRow };
  number: string;
  /** The newest call of the account to the number. */
  newest: CallInNumberHistory | undefined;
  /** A campaign that goes on and has the number. */
  campaign: number | undefined;
}

/** What a call brings along that rules ask for. */
type Terms = Partial<Pick<CallInput, 'callerId' | 'callerIdAsked' | 'fixedRoutes'>> & {
  policy?: Partial<CallInput['policy']>;
};

/** `view`: the machine of the newest call. `running`: the context of the campaign; undefined: there is none. */
export const questionOfNextDial = (
  dial: NextDial,
  view: MachineView | undefined,
  running: CampaignContext | undefined,
): Question => {
  const { account } = dial.teller;
  const { newest, campaign, number } = dial;
  const terms = termsOf(dial, view, running);
  const { policy, callerId = account.caller_id, callerIdAsked, fixedRoutes = [] } = terms;
  const customerCampaign = newest?.customer_campaign ?? '';
  const scope = restScopeOf(campaign, customerCampaign);
  return {
    destination: number,
    ...{ attempt: 1, priority: 0, customerCampaign, audioKey: policy?.audioKey ?? '' },
    skipBlocklist: policy?.skipBlocklist ?? account.skip_blocklist,
    waitForWindow: isWindowAsked(dial, view, policy?.waitForWindow),
    ...(policy?.numberLimit !== undefined && { numberLimit: policy.numberLimit }),
    ...(policy?.audioLimit !== undefined && { audioLimit: policy.audioLimit }),
    ...(campaign !== undefined && { campaign }),
    ...(scope !== undefined && { restScope: scope }),
    ...(callerId !== '' && { callerId }),
    ...(callerIdAsked && { callerIdAsked }),
    ...(fixedRoutes.length > 0 && { forcedRoutes: fixedRoutes }),
  };
};

const restScopeOf = (campaign: number | undefined, customerCampaign: string): string | undefined => {
  if (campaign !== undefined) return `campaign ${campaign}`;
  return customerCampaign === '' ? undefined : `cpid ${customerCampaign}`;
};

/** Those of the newest call; where a campaign has the number that has not called it, those of its calls. */
const termsOf = (
  { newest, campaign }: NextDial,
  view: MachineView | undefined,
  running: CampaignContext | undefined,
): Terms =>
  campaign === undefined || newest?.campaign_id === campaign
    ? (contextOf<{ call?: Terms }>(view)?.call ?? {})
    : (running?.definition.call ?? {});

/**
 * Whether admission would be asked for the window of the number's region. A campaign keeps its hours itself. A single call
 * that goes on waits as it was asked to; the next one does as its account says.
 */
const isWindowAsked = (
  { teller: { account }, newest, campaign }: NextDial,
  view: MachineView | undefined,
  waits: boolean | undefined,
): boolean => {
  if (campaign !== undefined) return waits ?? false;
  // Nothing is known of how a single call is asked for: the newest is none, or one of a campaign.
  if (waits === undefined || newest?.campaign_id !== 0) return account.regional_window !== 0;
  // Accounts with 1 are refused at the door, so that no call of theirs waits.
  return waits || (account.regional_window === 1 && view?.endedAt !== null);
};

/** What a machine remembers; undefined: it is not there, or has not begun. */
export const contextOf = <Context>(view: MachineView | undefined): Context | undefined =>
  view && !view.pending ? (view.context as Context) : undefined;

/**
 * From the parameters of CreateCampaign to what a campaign is born with. First everything is checked and nothing is
 * made; then audio and list are made, and noted, so that a refusal after that can take them back.
 */
import type { CallTemplate, CampaignInput } from '../../../../machines/campaign/input.ts';
import { doesCampaignGroupExist } from '../../../store/reads/campaigns/campaignParts.ts';
import { findDeliveryProfile } from '../../../store/reads/deliveries/deliveryProfilesAndCampaignCalls.ts';
import { readRequestedCallbackTarget } from '../../deliveries/callbackRequest.ts';
import { readCampaignAudio } from './audio.ts';
import { pickCloneableCampaignParameters, fillFromClonedCampaign } from './clone.ts';
import { readCampaignHours } from './hours.ts';
import type { RequestUndoActions } from './compensation.ts';
import { readRequestedDestinationList, resolveDestinationListToDial } from './findOrLoadDestinationList.ts';
import { type OpeningPrompt, readOpeningPrompt } from './openingPrompt.ts';
import type { CampaignRequestFacts } from './paramEffectByCampaignType.ts';
import { campaignCallPrompts } from './buildPromptsByCampaignType.ts';
import { readCampaignListRecordSelection } from './selection.ts';
import { readCallTemplate, callTemplateWithPrompts } from './callTemplate.ts';
import type { CreateCampaignContext } from './params.ts';

/** What was asked for, read. */
export interface ParsedCampaignRequest {
  input: CampaignInput;
  /** Records of its list. */
  records: number;
}

/** Throws the declared refusals. */
export const readCampaignRequest = async (
  request: CreateCampaignContext,
  compensation: RequestUndoActions,
): Promise<ParsedCampaignRequest> => {
  const { ctx, maxTransfers, usualName } = await fillFromClonedCampaign(withoutBlanks(request));
  const { params } = ctx;
  const hours = readCampaignHours(ctx);
  const selection = readCampaignListRecordSelection(ctx);
  const bare = await readCallTemplate(ctx);
  const callback = callbackOf(ctx);
  await checkGroup(ctx);
  await checkProfile(ctx);
  const wish = await readRequestedDestinationList(ctx);
  const audio = await readCampaignAudio(ctx);
  const openingRequest = await readOpeningPrompt(ctx, audio);
  warnOfIdle(ctx);
  // All was checked; from here on things are made.
  const opening = await openingRequest(compensation);
  const list = await resolveDestinationListToDial(ctx, wish, compensation);
  const input: CampaignInput = {
    name: params.name?.trim() || usualName || list.name,
    description: params.description,
    correlation: params.correlation,
    group: params.group ?? null,
    list: list.id,
    active: params.active,
    hours,
    pace: { callsPerMinute: params.callsPerMinute === 'max' ? null : params.callsPerMinute, maxTransfers },
    maxAnswered: params.maxAnswered ?? null,
    selection,
    call: {
      ...callTemplateWithPrompts(bare, campaignCallPrompts(bare.mode, opening.prompt, audio)),
      ...callback,
    },
    resultsProfile: params.resultsProfile ?? null,
    audio: [...new Set([...audio.ids, ...(opening.made ? [opening.made] : [])])],
    parameters: {
      ...pickCloneableCampaignParameters({ ...params, list: list.id, content: contentOf(params, opening) }),
      ...(ctx.retryOf !== undefined && { retryOf: ctx.retryOf }),
    },
  };
  return { input, records: list.records };
};

const warnOfIdle = ({ account, params, inMode }: CreateCampaignContext): void => {
  const seen: CampaignRequestFacts = { account, params };
  inMode(params.type, seen, params);
};

const openings = ['text', 'contentUrl', 'content'] as const;

/** Blanks are not what is heard first while there is another way to say it. */
const withoutBlanks = (request: CreateCampaignContext): CreateCampaignContext => {
  const { params, spilled } = request;
  const blank = openings.filter((name) => params[name]?.trim() === '');
  const others = openings.some((name) => params[name]?.trim()) || spilled['audio64'] || params.source;
  if (blank.length === 0 || !others) return request;
  const provided = new Set(
    [...request.provided].filter((name) => !(blank as readonly string[]).includes(name)),
  );
  const withoutThem = { ...params, ...Object.fromEntries(blank.map((name) => [name, undefined])) };
  return { ...request, provided, params: withoutThem };
};

/** What a clone plays: a text is spoken anew for it, a file that was fetched or sent has become an asset. */
const contentOf = (params: CreateCampaignContext['params'], { made }: OpeningPrompt): string | undefined =>
  params.text === undefined ? (made ?? params.content) : undefined;

const callbackOf = (ctx: CreateCampaignContext): Pick<CallTemplate, 'callback'> => {
  const callback = readRequestedCallbackTarget(ctx);
  if (callback === undefined) return {};
  if ('refused' in callback) throw ctx.refuse('badCallback', `rurl ${callback.refused}`);
  return { callback };
};

const checkGroup = async ({ account, params, services, refuse }: CreateCampaignContext): Promise<void> => {
  if (params.group === undefined) return;
  if (await doesCampaignGroupExist(services.database(account.shard), account.id, params.group)) return;
  throw refuse('noGroup', `group ${params.group} is not a group of this account`);
};

const checkProfile = async ({ account, params, services, refuse }: CreateCampaignContext): Promise<void> => {
  if (params.resultsProfile === undefined) return;
  const profile = await findDeliveryProfile(
    services.database(account.shard),
    account.id,
    params.resultsProfile,
  );
  if (!profile?.active)
    throw refuse(
      'noProfile',
      `relftp ${params.resultsProfile} is not an active delivery profile of this account`,
    );
};

/**
 * From the parameters of CreateCampaign to what a campaign is born with. First everything is checked and nothing is
 * made; then audio and list are made, and noted, so that a refusal after that can take them back.
 */
import type { CallTemplate, CampaignInput } from '../../../../machines/campaign/input.ts';
import { hasGroup } from '../../../store/reads/campaigns/campaignParts.ts';
import { profileOf } from '../../../store/reads/deliveries/deliveries.ts';
import { readCallback } from '../../deliveries/callbackWish.ts';
import { readAudio } from './audio.ts';
import { parametersOf, withSource } from './clone.ts';
import { readHours } from './hours.ts';
import type { Compensation } from './compensation.ts';
import { readList, takeList } from './list.ts';
import { type Opening, readOpening } from './opening.ts';
import type { SeenCampaign } from './modes.ts';
import { promptsOf } from './prompts.ts';
import { readSelection } from './selection.ts';
import { readTemplate, withPrompts } from './template.ts';
import type { CampaignAsked } from './params.ts';

/** What was asked for, read. */
export interface ReadCampaign {
  input: CampaignInput;
  /** Records of its list. */
  records: number;
}

/** Throws the declared refusals. */
export const readCampaign = async (
  request: CampaignAsked,
  compensation: Compensation,
): Promise<ReadCampaign> => {
  const { asked, maxTransfers, usualName } = await withSource(withoutBlanks(request));
  const { params: given } = asked;
  const hours = readHours(asked);
  const selection = readSelection(asked);
  const bare = await readTemplate(asked);
  const callback = callbackOf(asked);
  await checkGroup(asked);
  await checkProfile(asked);
  const wish = await readList(asked);
  const audio = await readAudio(asked);
  const openingWish = await readOpening(asked, audio);
  warnOfIdle(asked);
  // All was checked; from here on things are made.
  const opening = await openingWish(compensation);
  const list = await takeList(asked, wish, compensation);
  const input: CampaignInput = {
    name: given.name?.trim() || usualName || list.name,
    description: given.description,
    correlation: given.correlation,
    group: given.group ?? null,
    list: list.id,
    active: given.active,
    hours,
    pace: { callsPerMinute: given.callsPerMinute === 'max' ? null : given.callsPerMinute, maxTransfers },
    maxAnswered: given.maxAnswered ?? null,
    selection,
    call: { ...withPrompts(bare, promptsOf(bare.mode, opening.prompt, audio)), ...callback },
    resultsProfile: given.resultsProfile ?? null,
    audio: [...new Set([...audio.ids, ...(opening.made ? [opening.made] : [])])],
    parameters: parametersOf({ ...given, list: list.id, content: contentOf(given, opening) }),
  };
  return { input, records: list.records };
};

const warnOfIdle = ({ account, params, inMode }: CampaignAsked): void => {
  const seen: SeenCampaign = { account, params };
  inMode(params.type, seen, params);
};

const openings = ['text', 'contentUrl', 'content'] as const;

/** Blanks are not what is heard first while there is another way to say it. */
const withoutBlanks = (request: CampaignAsked): CampaignAsked => {
  const { params: asked, spilled } = request;
  const blank = openings.filter((name) => asked[name]?.trim() === '');
  const others = openings.some((name) => asked[name]?.trim()) || spilled['audio64'] || asked.source;
  if (blank.length === 0 || !others) return request;
  const given = new Set([...request.given].filter((name) => !(blank as readonly string[]).includes(name)));
  const params = { ...asked, ...Object.fromEntries(blank.map((name) => [name, undefined])) };
  return { ...request, given, params };
};

/** What a clone plays: a text is spoken anew for it, a file that was fetched or sent has become an asset. */
const contentOf = (given: CampaignAsked['params'], { made }: Opening): string | undefined =>
  given.text === undefined ? (made ?? given.content) : undefined;

const callbackOf = (asked: CampaignAsked): Pick<CallTemplate, 'callback'> => {
  const callback = readCallback(asked);
  if (callback === undefined) return {};
  if ('refused' in callback) throw asked.refuse('badCallback', `rurl ${callback.refused}`);
  return { callback };
};

const checkGroup = async ({ account, params: given, services, refuse }: CampaignAsked): Promise<void> => {
  if (given.group === undefined) return;
  if (await hasGroup(services.database(account.shard), account.id, given.group)) return;
  throw refuse('noGroup', `group ${given.group} is not a group of this account`);
};

const checkProfile = async ({ account, params: given, services, refuse }: CampaignAsked): Promise<void> => {
  if (given.resultsProfile === undefined) return;
  const profile = await profileOf(services.database(account.shard), account.id, given.resultsProfile);
  if (!profile?.active)
    throw refuse(
      'noProfile',
      `relftp ${given.resultsProfile} is not an active delivery profile of this account`,
    );
};

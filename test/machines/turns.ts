/** Calls of a campaign, from where their turn stands. */
import { story } from './calls.ts';
import type { Story } from './story.ts';

export const CAMPAIGN = 12;
export type Changes = Parameters<typeof story>[0];

/** What makes a call one of the campaign; `granted`: its turn comes with its birth. */
export const ofCampaign = (granted: boolean, changes: Changes = {}): Changes => ({
  prompts: { opening: [{ media: 'm' }], slots: {} },
  campaign: { id: CAMPAIGN, row: 5, region: '11', granted },
  ...changes,
});

/** One that has yet to ask for its turn. */
export const waiting = (changes: Changes = {}): Story => story(ofCampaign(false, changes));

/** One whose turn came with its birth. */
export const granted = (changes: Changes = {}): Story => story(ofCampaign(true, changes));

/** One that dials. */
export const dialling = (changes: Changes = {}): Story => granted(changes).hears('cleared', { route: 'r' });

/** What the campaign was told in the last step. */
export const told = ({ asked }: Story): unknown[] =>
  asked
    .filter(({ name, params }) => name === 'tell' && params['machine'] === CAMPAIGN)
    .map(({ params }) => params['event']);

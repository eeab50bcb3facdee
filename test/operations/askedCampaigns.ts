/** CreateCampaign as the demo account asks for it. */
import { expect } from 'vitest';
import type { CampaignInput } from '../../machines/campaign/input.ts';
import { toLocal } from '../../src/lib/localTime.ts';
import { aList, anAsset, anId, campaignInput } from '../helpers/campaigns.ts';
import type { RestAnswer, TestService } from '../helpers/service.ts';

/** What campaigns are asked for with. */
export interface CampaignGround {
  /** Id of a list that is called `customers`. */
  list: number;
  /** Id of an audio asset. */
  content: string;
  /** Another account. */
  stranger: number;
}

export const campaignGround = async (on: TestService): Promise<CampaignGround> => ({
  stranger: (await on.admin('POST', '/accounts', { name: 'Stranger' })).body.cdcs_id,
  list: await aList(on, { name: 'customers' }),
  content: await anAsset(on),
});

export interface AskedCampaigns {
  /** A request that is unlike any other; it is complete but for what is asked. */
  ask(given: object): Promise<RestAnswer>;
  /** The id of the campaign that is made. */
  created(given: object): Promise<string>;
  /** What a campaign asked for like this is born with. */
  born(given: object): Promise<CampaignInput>;
  /** The code that such a request is refused with. */
  refused(given: object): Promise<string>;
  warned(given: object): Promise<string>;
}

/** `at`: the service and its ground, once it is started. */
export const askedCampaigns = (at: () => { on: TestService } & CampaignGround): AskedCampaigns => {
  const ask: AskedCampaigns['ask'] = (given) => {
    const { on, list, content } = at();
    return on.post('CreateCampaign', { name: `campaign ${anId()}`, cdlc_id: list, content, ...given });
  };
  const created: AskedCampaigns['created'] = async (given) => {
    const { body } = await ask(given);
    expect(body.return).toMatchObject({ status: 'OK', status_code: '0' });
    return body.return.cp_id;
  };
  return {
    ask,
    created,
    born: async (given) => campaignInput(at().on, await created(given)),
    refused: async (given) => {
      const { http, body } = await ask(given);
      expect([http, body.return.cp_id]).toEqual([400, '0']);
      return body.return.status_code;
    },
    warned: async (given) => (await ask(given)).body.return.warning,
  };
};

/** On the wall clock of the demo account. */
export const today = (): string => toLocal(Date.now(), 'America/Sao_Paulo').date;

/** What a campaign of questions cannot do without. */
export const question = { cp_type: 4 };

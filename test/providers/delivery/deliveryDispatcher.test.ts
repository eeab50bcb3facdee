import { describe, expect, it } from 'vitest';
import type { DeliveryEffects } from '../../../machines/contracts/delivery.ts';
import type { DeliveryTransport, DeliveryAttemptTask } from '../../../src/providers/contracts/delivery.ts';
import { openDeliveryDispatcher } from '../../../src/providers/delivery/deliveryDispatcher.ts';
import type { FileDeliveryProfile } from '../../../src/providers/delivery/profile.ts';
import {
  openCampaignResultsAddressResolver,
  type CampaignResultsDeliverySource,
} from '../../../src/providers/delivery/campaignResultsTransport.ts';
import { type EffectCall, Retryable, NotRetryable } from '../../../src/engine/contract/performer.ts';

const asked = <Params>(name: string, params: Params): EffectCall<Params> => ({
  id: 'a.3.77.1.0',
  name,
  params,
  machine: { shard: 'a', account: 3, id: 77, kind: 'delivery' },
  attempt: 1,
  seen: {},
  signal: new AbortController().signal,
});

const anAttempt = (purpose: DeliveryEffects['deliver']['purpose']) =>
  asked('deliver', { purpose, subject: { campaign: 17 }, attempt: 4 });

const failing = (error: Error): DeliveryTransport => ({
  carry: async () => {
    throw error;
  },
});

describe('the delivery dispatcher', () => {
  it('hands a delivery to the transport of its purpose, under the machine’s own id', async () => {
    const carried: DeliveryAttemptTask[] = [];
    const dispatcher = openDeliveryDispatcher({ callback: { carry: async (one) => void carried.push(one) } });
    const performed = await dispatcher.performers.deliver(anAttempt('callback'));
    expect(performed).toEqual({ events: [{ type: 'delivered', attempt: 4 }] });
    expect(carried).toMatchObject([{ machine: { account: 3, id: 77 }, subject: { campaign: 17 } }]);
  });

  it('leaves the schedule to the chart: what may be tried again is a fact, with the wait that was asked for', async () => {
    const dispatcher = openDeliveryDispatcher({
      results: failing(new Retryable('busy', { afterMs: 90_000 })),
      callback: failing(new Retryable('away')),
    });
    expect(await dispatcher.performers.deliver(anAttempt('results'))).toEqual({
      events: [{ type: 'notDelivered', attempt: 4, message: 'busy', afterMs: 90_000 }],
    });
    expect(await dispatcher.performers.deliver(anAttempt('callback'))).toEqual({
      events: [{ type: 'notDelivered', attempt: 4, message: 'away' }],
    });
  });

  it('passes a no for good on, and a mistake of ours as what it is', async () => {
    const no = new NotRetryable('gone', 'it is gone');
    const bug = new TypeError('a mistake');
    const dispatcher = openDeliveryDispatcher({ results: failing(no), callback: failing(bug) });
    await expect(dispatcher.performers.deliver(anAttempt('results'))).rejects.toBe(no);
    await expect(dispatcher.performers.deliver(anAttempt('callback'))).rejects.toBe(bug);
    await expect(openDeliveryDispatcher({}).performers.deliver(anAttempt('results'))).rejects.toMatchObject({
      name: 'NotRetryable',
      reason: 'noTransport',
    });
  });

  it('breaks off at its end without a word, so that the next process delivers', async () => {
    const transport: DeliveryTransport = {
      carry: ({ signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Retryable('broken off'))),
        ),
    };
    const dispatcher = openDeliveryDispatcher({ results: transport });
    let said = false;
    void Promise.resolve(dispatcher.performers.deliver(anAttempt('results'))).then(
      () => (said = true),
      () => (said = true),
    );
    dispatcher.stop();
    await new Promise((resolve) => setImmediate(resolve));
    expect(said).toBe(false);
  });
});

describe('a campaign that asks where its results go', () => {
  const settings = { host: 'files.example', port: 2222, user: 'ana', folder: '/in', delimiter: ',' as const };
  const profiles: FileDeliveryProfile[] = [
    { id: 1, active: false, target: { kind: 'folder', settings: { folder: 'in', delimiter: ',' } } },
    {
      id: 2,
      active: true,
      target: {
        kind: 'sftp',
        settings,
        openSecret: () => {
          throw new Error('nobody needs it yet');
        },
      },
    },
  ];
  const repository: CampaignResultsDeliverySource = {
    profile: async ({ account }, id) => (account === 3 ? profiles.find((one) => one.id === id) : undefined),
    campaignName: async () => 'Natal',
    content: () => {
      throw new Error('not yet');
    },
    mintId: () => 4_711,
  };
  const answer = (profile: number) =>
    openCampaignResultsAddressResolver(repository).performers.addressResults(
      asked('addressResults', { profile }),
    );

  it('hears under which id, and what the delivery is to be born with', async () => {
    expect(await answer(2)).toEqual({
      events: [
        {
          type: 'resultsAddressed',
          delivery: 4_711,
          input: {
            purpose: 'results',
            subject: { campaign: 77, profile: 2, file: 'campaign-77-natal.csv' },
            about: 'campaign 77',
            target: 'profile 2, sftp://ana@files.example:2222/in/campaign-77-natal.csv',
          },
        },
      ],
    });
  });

  it('has its results kept for a profile that is switched off, and hears of one that is gone', async () => {
    expect(await answer(1)).toMatchObject({
      events: [{ delivery: 4_711, input: { target: 'profile 1, folder /in/campaign-77-natal.csv' } }],
    });
    expect(await answer(9)).toEqual({ events: [{ type: 'resultsAddressed', delivery: 0, input: {} }] });
  });
});

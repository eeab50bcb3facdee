/** Every place that takes an address, over HTTP, with every address that must not be taken. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aList, anAsset } from '../helpers/campaigns.ts';
import { insideAddresses, noAddresses } from '../helpers/hostileAddresses.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { patienceMs } from '../helpers/patience.ts';

let on: TestService;
let campaign: object;
let content: string;
beforeAll(async () => {
  on = await startTestService();
  content = await anAsset(on);
  campaign = { cdlc_id: await aList(on, { name: 'customers' }), content };
});
afterAll(() => on.stop());

const account = `/accounts/${demoAccount}`;
const addresses = [...insideAddresses, ...noAddresses];

/** All of them, asked one after the other; what each was answered with. */
const each = async <Answer>(ask: (url: string) => Promise<Answer>): Promise<[string, Answer][]> => {
  const answers: [string, Answer][] = [];
  for (const url of addresses) answers.push([url, await ask(url)]);
  return answers;
};
const all = <Answer>(answer: Answer): [string, Answer][] => addresses.map((url) => [url, answer]);

const deliveries = async (): Promise<number> =>
  (await on.admin('GET', `${account}/deliveries`)).body.deliveries.length;

describe('an address that must not be called', () => {
  test('as rurl of MakeTTSCall is a warning, and the call goes on', async () => {
    const answers = await each(async (rurl) => {
      const { http, body } = await on.post('MakeTTSCall', { dest: '11987650000', content, httpdup: 0, rurl });
      return [http, /^rurl (is|points|holds|names)/.test(body.return.warning ?? '')];
    });
    expect(answers).toEqual(all([200, true]));
  });

  test('as rurl of CreateCampaign is code 226', async () => {
    const answers = await each(
      async (rurl) => (await on.post('CreateCampaign', { ...campaign, rurl })).body.return.status_code,
    );
    expect(answers).toEqual(all('226'));
  });

  test('as rurl of GetCallStatus is a warning, and nothing is pushed', async () => {
    const answers = await each(async (rurl) => {
      const { http, body } = await on.post('GetCallStatus', { cpid: 'nobody', rurl });
      return [
        http,
        body.return.queued,
        /^rurl .*: the records are in this answer$/.test(body.return.warning ?? ''),
      ];
    });
    expect(answers).toEqual(all([200, undefined, true]));
    expect(await deliveries()).toBe(0);
  });

  test('as urlcontent of CreateCampaign is code 281', async () => {
    const answers = await each(
      async (urlcontent) =>
        (await on.post('CreateCampaign', { ...campaign, content: undefined, urlcontent })).body.return
          .status_code,
    );
    expect(answers).toEqual(all('281'));
  });

  test('as callback_url of an account, as address of a test, and as forward_url of a line is refused by name', async () => {
    const refusals = async (path: string, method: string, field: string, beside: object = {}) =>
      each(async (url) => {
        const { http, body } = await on.admin(method, path, { ...beside, [field]: url });
        return [http, body.field];
      });
    expect(await refusals(account, 'PATCH', 'callback_url')).toEqual(all([400, 'callback_url']));
    expect(await refusals('/accounts', 'POST', 'callback_url', { name: 'x' })).toEqual(
      all([400, 'callback_url']),
    );
    expect(await refusals(`${account}/callback-test`, 'POST', 'url')).toEqual(all([400, 'url']));
    expect(await refusals(`${account}/lines`, 'POST', 'forward_url', { v8l_class: 'msgapp' })).toEqual(
      all([400, 'forward_url']),
    );
  });

  test('is not called by the transport either, however it came to stand in a delivery', async () => {
    const { engine } = on.service;
    const refs = await Promise.all(
      addresses.map(async (url) => {
        const subject = { what: 'written', url, eventId: 'evt_1', contentType: 'text/plain', body: 'x' };
        const input = { purpose: 'callback', subject, about: 'a test', target: 'nowhere' };
        const started = await engine.start({ kind: 'delivery', shard: 'a', account: demoAccount, input });
        if (started.outcome !== 'started') throw new Error(started.outcome);
        return started.ref;
      }),
    );
    expect(
      new Set(await Promise.all(refs.map((ref) => engine.waitFor(ref, 'deadLetter', patienceMs)))),
    ).toEqual(new Set(['reached']));
    const views = await Promise.all(refs.map((ref) => engine.view(ref)));
    const reasons = views.map((view) => (view!.context as { failure: { reason: string } }).failure.reason);
    expect(reasons).toEqual(addresses.map(() => 'addressRefused'));
  });
});

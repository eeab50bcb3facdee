/** Calls that would say nothing ring nobody (docs/decisions/0009). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays, toLocal } from '../../src/lib/localTime.ts';
import { demoAccount, type RestAnswer, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

const dest = '11987650000';
const ask = (given: object): Promise<RestAnswer> => on.post('MakeTTSCall', { dest, httpdup: 0, ...given });
const anAudio = async (): Promise<string> =>
  (await on.post('CreateAudioFile', { text: 'bom dia', ttswrt: '1' })).body.return.cdw_file;
const sentences = async (callId: string): Promise<string> =>
  (await on.admin('GET', `/machines/${callId}/explain`)).body.sentences.join(' ');

describe('a text that says nothing', () => {
  test('is refused when it is the first that would be heard', async () => {
    for (const text of ['<NOME>', ' <EXTRA1> - <EXTRA2>. ', '...', '?!']) {
      const { http, body } = await ask({ text, extra4: 'x' });
      expect([http, body.return]).toEqual([
        400,
        {
          ...{ cd_id: '0', status_code: '299' },
          status: 'text says nothing once its placeholders are filled in',
        },
      ]);
    }
    expect((await ask({ text: '<NOME>', nome: 'Ana' })).http).toBe(200);
    expect((await ask({ text: '10%' })).http).toBe(200);
  });

  test('of a request with values alone makes a call that ends without being dialled', async () => {
    const { body } = await ask({ nome: 'Ana', rurl: '' });
    expect(body.return).toMatchObject({
      status: 'OK',
      warning: 'there is nothing to say: without text or content no call is made',
    });
    expect(await on.ended(body.return.cd_id)).toMatchObject({ cd_status: 'CANCEL', time_start: 'null' });
    expect(await sentences(body.return.cd_id)).toMatch(
      /CANCEL without an attempt: what it should say is missing.* nothing would be heard/,
    );
  });

  test('and audio that no key leads to warn of it, too; audio that may be heard does not', async () => {
    const audio = await anAudio();
    const warned = async (given: object) => (await ask({ nome: 'Ana', ...given })).body.return.warning;
    const warning = 'there is nothing to say: without text or content no call is made';
    expect(await warned({ content10: audio })).toMatch(new RegExp(`^${warning}; content10 does nothing`));
    for (const heard of [{ contentend: audio }, { content10: audio, dtmf: 'content10' }])
      expect(await warned(heard)).toBeUndefined();
  });

  test('makes such a call at every priority: no audio could not be made', async () => {
    for (const given of [{ nome: 'Ana' }, { nome: 'Ana', content10: await anAudio() }]) {
      const { http, body } = await ask({ ...given, priority: -20 });
      expect([http, body.return.status_code]).toEqual([200, '0']);
      expect(await on.ended(body.return.cd_id)).toMatchObject({ cd_status: 'CANCEL' });
    }
  });

  test('leaves the others of its campaign to be called', async () => {
    const datajson = [{ phone: dest }, { phone: '11987650100', name: 'Ana' }];
    const { body } = await on.post('CreateCampaign', { name: 'x', text: '<NOME>!', datajson, cp_ativo: 1 });
    const { cp_id } = body.return;
    const campaign = async () => (await on.post('GetCampaignsList', { cp_id })).body.campaigns[0];
    await expect.poll(campaign).toMatchObject({ cp_state: 'completed', cp_made: 1 });
    const { calls } = (await on.post('GetCallStatus', { cp_id })).body;
    expect(new Map(calls.map((call: Record<string, string>) => [call['dest'], call['cd_status']]))).toEqual(
      new Map([
        ['5511987650000', 'CANCEL'],
        ['5511987650100', 'OK'],
      ]),
    );
  });
});

describe('a call that waits for its date, with an audio', () => {
  const tomorrow = addDays(toLocal(Date.now(), 'America/Sao_Paulo').date, 1);
  /** The audio, and the call that will play it. */
  const waiting = async (): Promise<[audio: string, call: string]> => {
    const content = await anAudio();
    const { body } = await ask({ content, block: `${tomorrow} 10:00` });
    return [content, body.return.cd_id];
  };
  const isDue = (call: string) => on.admin('POST', `/machines/${call}/events`, { type: 'retryNow' });

  test('is dialled when the audio is still there', async () => {
    const [, call] = await waiting();
    await isDue(call);
    expect(await on.ended(call)).toMatchObject({ cd_status: 'OK' });
  });

  test('ends without being dialled when the audio was deleted meanwhile, and says which', async () => {
    const [audio, call] = await waiting();
    const path = `/accounts/${demoAccount}/audios/${audio}`;
    expect(await on.admin('DELETE', path)).toMatchObject({
      http: 409,
      body: { error: expect.stringContaining(`is in use: call ${call} waits`) as string },
    });
    expect((await on.admin('DELETE', `${path}?force=1`)).http).toBe(204);
    await isDue(call);
    expect(await on.ended(call)).toMatchObject({ cd_status: 'CANCEL', time_start: 'null' });
    expect(await sentences(call)).toContain(`${audio}, which is to be played, is not there any more`);
  });
});

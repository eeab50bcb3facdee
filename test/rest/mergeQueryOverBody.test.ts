/** The query string wins over the body, whatever the spelling; what is empty in it says nothing (docs/decisions/0002). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoToken, type RestAnswer, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

const post = async (operation: string, query: object, body: object, type: 'json' | 'form' | 'multipart') => {
  const search = new URLSearchParams({ ...query });
  const fields = Object.entries(body).map(([name, value]) => [name, String(value)] as [string, string]);
  const form = new FormData();
  for (const [name, value] of fields) form.set(name, value);
  const init = {
    json: { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } },
    form: { body: new URLSearchParams(fields) },
    multipart: { body: form },
  }[type];
  const answer = await fetch(`${on.url}/api/v2/${operation}.php?${search.toString()}`, {
    method: 'POST',
    ...init,
  });
  return (await answer.json()) as RestAnswer['body'];
};

describe.each(['json', 'form', 'multipart'] as const)('with a body that is %s', (type) => {
  const texts = async (query: object, body: object): Promise<string> => {
    const wish = { tsid: demoToken, dest: '11987650000', httpdup: 0, ...body };
    const { return: sent } = await post('MakeSMS', query, wish, type);
    const { messages } = (await on.admin('GET', `/accounts/3/messages?limit=5`)).body;
    return messages.find(({ cdls_id }: { cdls_id: unknown }) => String(cdls_id) === sent.cdls_id).body;
  };

  test.each([
    [{ text: 'query' }, { message: 'body' }],
    [{ message: 'query' }, { text: 'body' }],
    [{ msg_text: 'query' }, { text: 'body', message: 'body' }],
  ])('%o wins over %o', async (query, body) => {
    expect(await texts(query, body)).toBe('query');
  });

  test.each([
    [{ message: '' }, { message: 'body' }],
    [{ message: '' }, { text: 'body' }],
    [{ text: '', msg_text: '' }, { message: 'body' }],
  ])('%o is not given beside %o', async (query, body) => {
    expect(await texts(query, body)).toBe('body');
  });

  test('tokens are read by the same rule', async () => {
    const code = async (query: object, body: object): Promise<string> =>
      (await post('GetTTSVoices', query, body, type)).return.status_code;
    const wrong = 'x'.repeat(30);
    expect(await code({ tsid: '' }, { tsid: demoToken })).toBe('0');
    expect(await code({ sid: demoToken }, { tsid: wrong })).toBe('0');
    expect(await code({ sid: wrong }, { tsid: demoToken })).toBe('102');
  });

  test('an empty encoding of the query string hides none of the body', async () => {
    const encoding = async (query: object) => {
      const wish = { tsid: demoToken, dest: '11987650000', httpdup: 0, text: 'café', encoding: 'UTF-8' };
      return (await on.inputOf((await post('MakeTTSCall', query, wish, type)).return.cd_id)).prompts.opening;
    };
    expect(await encoding({ encoding: '' })).toMatchObject([{ text: 'café' }]);
  });
});

test('of an upload the same is so', async () => {
  const body = { tsid: demoToken, text: 'bom dia', name_up: 'body.wav', name: 'x' };
  const { return: made } = await post('CreateAudioFile', { nome_up: 'query.wav', text: '' }, body, 'form');
  expect(made.status_code).toBe('0');
  const { rows } = await on.database.pool.query('SELECT file_name FROM audios ORDER BY id DESC LIMIT 1');
  expect(rows).toEqual([{ file_name: 'query.wav' }]);
});

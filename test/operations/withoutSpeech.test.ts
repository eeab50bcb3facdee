import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { aWav } from '../helpers/wav.ts';

const lines: string[] = [];
let on: TestService;
beforeAll(async () => {
  on = await startTestService({ ESPEAK: 'none' }, (line) => void lines.push(line));
});
afterAll(() => on.stop());

const codeOf = async (operation: string, body: object): Promise<string> => {
  const { return: answer } = (await on.post(operation, body)).body;
  return `${answer.status_code} ${answer.status}`;
};
const call = (body: object) => codeOf('MakeTTSCall', { dest: '11987650000', httpdup: 0, ...body });
const aList = async (): Promise<string> =>
  (await on.post('CreateDestinationBase', { name: 'Some', datajson: [{ phone: '11987650000' }] })).body.return
    .cdlc_id;
const campaign = async (body: object) => codeOf('CreateCampaign', { cdlc_id: await aList(), ...body });
/** An audio of the account, made of a file. */
const aFile = async (): Promise<string> =>
  (
    await on.post('CreateAudioFile', {
      audio64: aWav(1).toString('base64'),
      name_up: 'tone.wav',
      name: 'Tone',
    })
  ).body.return.cdw_file;
/** One that was made while something spoke: a text that each call fills in. */
const aText = async (): Promise<string> => {
  await on.database.pool.query(
    `INSERT INTO audios (account_id, id, name, type, text, voice, created_at, expires_at)
     VALUES ($1, 901, 'Old', 'ttsvar', 'Olá <NOME>', 'Espeak|pt-br', 0, 9000000000000) ON CONFLICT DO NOTHING`,
    [demoAccount],
  );
  return 'tf901';
};

const why = 'ESPEAK=none keeps espeak-ng out';

describe('where nothing speaks', () => {
  test('the start says so', () => {
    expect(lines.filter((line) => line.includes(why))).toHaveLength(1);
  });

  test('no voice is offered, and voices in the table say that theirs does not speak', async () => {
    expect((await on.post('GetTTSVoices', {})).body.voices).toEqual([]);
    expect(
      await on.admin('POST', `/accounts/${demoAccount}/voices`, {
        provider: 'Espeak',
        name: 'pt-br',
        language: 'pt-BR',
      }),
    ).toMatchObject({ http: 400, body: { error: 'provider: none speaks here' } });
    expect((await on.admin('GET', '/health')).body.checks.speech).toEqual({
      ok: true,
      detail: expect.stringContaining(why),
    });
  });

  test('a voice cannot be tried, for what speaks and not for its name', async () => {
    const tried = await on.admin('POST', `/accounts/${demoAccount}/voices/try`, {
      ...{ text: 'Oi', voice: 'Espeak|pt-br' },
    });
    expect(tried).toMatchObject({ http: 409, body: { field: 'text', error: expect.stringContaining(why) } });
  });

  test('MakeTTSCall refuses a text with 260, whatever its voice, and nobody is called', async () => {
    expect(await call({ text: 'Oi' })).toContain(`260 `);
    expect(await call({ text: 'Oi', voice: 'Espeak|pt-br' })).toContain(why);
    expect(await call({ content: await aFile(), text2: 'Oi' })).toContain('260 ');
    expect(await call({ content: await aText(), nome: 'Ana' })).toContain('260 ');
    expect(await call({ text: 'Oi', voice: 'Google|pt-BR-Wavenet-A' })).toContain('210 ');
    expect((await on.admin('GET', `/machines?account=${demoAccount}&kind=call`)).body.machines).toEqual([]);
  });

  test('CreateAudioFile refuses a text with 281, and leaves nothing', async () => {
    expect(await codeOf('CreateAudioFile', { text: 'Oi' })).toContain('281 ');
    expect(await codeOf('CreateAudioFile', { text: 'Olá <NOME>', voice: 'Espeak|pt-br' })).toContain('281 ');
    expect(
      (await on.post('GetAudiosList', {})).body.audios.map(({ cdw_name }: { cdw_name: string }) => cdw_name),
    ).not.toContain('Oi');
  });

  test('CreateCampaign refuses a text with 280, one of each record too, and a text among its audio', async () => {
    expect(await campaign({ text: 'Oi' })).toContain('280 ');
    expect(await campaign({ text: 'Olá <NOME>' })).toContain('280 ');
    expect(await campaign({ content: await aText() })).toContain('280 ');
  });

  test('audio files are played as ever', async () => {
    const content = await aFile();
    expect(await call({ content })).toBe('0 OK');
    expect(await call({ content, voice: 'Espeak|pt-br', dest: '11987650001' })).toBe('0 OK');
    expect(await campaign({ content })).toBe('0 OK');
  });
});

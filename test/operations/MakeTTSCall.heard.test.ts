/** What a call says, and what answers to it do. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toLocal } from '../../src/lib/localTime.ts';
import { startTestService, type TestService } from '../helpers/service.ts';
import { aMediaFile, askedCalls } from './askedCalls.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

const { born, refused, warned } = askedCalls(() => on);

describe('what is heard, and what keys do', () => {
  test('[4.2/text] [4.2/content] the opening is audio, then text, placeholders filled in', async () => {
    await aMediaFile(on, 'welcome');
    const { prompts } = await born({ content: 'welcome', text: 'Bom dia <NOME>', nome: 'Ana' });
    expect(prompts.opening).toEqual([{ media: 'welcome' }, { text: 'Bom dia Ana', voice: 'Espeak|pt-br' }]);
    expect((await born({ content: 'tfwelcome', text: '' })).prompts.opening).toEqual([{ media: 'welcome' }]);
  });

  test('[4.2/text1..11] [4.2/content1..15] slots that keys refer to; audio wins over text', async () => {
    await aMediaFile(on, 'menu3');
    await aMediaFile(on, 'menu15');
    const { prompts, keys } = await born({
      text1: 'one',
      text2: 'never referred to',
      text3: 'three',
      content3: 'menu3',
      content15: 'menu15',
      text11: 'eleven',
      dtmf: 'text1',
      dtmf3: 'text3',
      dtmf4: 'content15',
      dtmf5: 'text11',
    });
    expect(prompts.slots).toEqual({
      1: { text: 'one', voice: 'Espeak|pt-br' },
      3: { media: 'menu3' },
      11: { text: 'eleven', voice: 'Espeak|pt-br' },
      15: { media: 'menu15' },
    });
    expect(keys['4']).toEqual({ do: 'play', slot: 15 });
  });

  test('[4.2/contentno] [4.2/contentend] [4.2/contentfail] [4.2/contentdtmf] [4.2/amd] each audio has its moment', async () => {
    for (const id of ['no', 'end', 'fail', 'ask', 'machine']) await aMediaFile(on, id);
    const { prompts } = await born({
      contentno: 'no',
      contentend: 'end',
      contentfail: 'fail',
      contentdtmf: 'ask',
      amd: 'machine',
    });
    expect(prompts).toMatchObject({
      noDigit: { media: 'no' },
      ending: { media: 'end' },
      wrong: { media: 'fail' },
      ask: { media: 'ask' },
      machine: { media: 'machine' },
    });
  });

  test('[4.2/voice] one voice for all texts; fad is the usual one', async () => {
    const { prompts } = await born({ text: 'x', text1: 'y', dtmf: 'text1', voice: 'Espeak|en-us' });
    expect(prompts).toMatchObject({
      opening: [{ voice: 'Espeak|en-us' }],
      slots: { 1: { voice: 'Espeak|en-us' } },
    });
    expect((await born({ voice: 'fad' })).prompts.opening).toMatchObject([{ voice: 'Espeak|pt-br' }]);
    expect(await refused({ voice: 'Espeak|Nobody' })).toEqual([400, '299', expect.any(String)]);
  });

  test('[7/210] a third party’s voice is refused, whether it exists or not', async () => {
    for (const voice of ['Google|pt-BR-Wavenet-A', 'Acme|Nobody'])
      expect(await refused({ voice })).toEqual([400, '210', expect.any(String)]);
  });

  test('[4.2/placeholders] each value fills its words and is handed on', async () => {
    const values = { nome: 'Ana', extra1: 'a', extra2: 'b', extra3: 'c', extra4: 'd', cod_cli: '77' };
    const text = '<NOME> <name> <EXTRA1><EXTRA2><EXTRA3><EXTRA4> <COD_CLI> <CODCLI> <OTHER>';
    const { prompts, placeholders } = await born({ text, ...values });
    expect(prompts.opening).toMatchObject([{ text: 'Ana Ana abcd 77 77 <OTHER>' }]);
    expect(placeholders).toEqual(values);
  });

  test('[4.2/type] each type is a mode', async () => {
    expect((await born({ type: 2 })).mode).toBe('confirm');
    expect((await born({ type: '3' })).mode).toBe('menu');
    expect(await born({ type: 22 })).toMatchObject({
      mode: 'recordAnswer',
      recording: { maxSeconds: 60, from: 'ini' },
    });
    expect(await refused({ type: 5 })).toEqual([400, '299', 'type must be one of 0, 2, 3, 22, 100']);
  });

  test('[4.2/ndig] [4.2/dtime] [4.2/dtmfconf] [4.2/dtmfini] what is asked for and what replays', async () => {
    const { digits } = await born({ type: 2, ndig: 3, dtime: '12', dtmfconf: 9, dtmfini: '*' });
    expect(digits).toEqual({ count: 3, waitSeconds: 12, confirm: '9', replay: '*' });
    expect((await born({ type: 2 })).digits).toEqual({ count: 1, waitSeconds: 7, confirm: '1' });
    expect(await refused({ dtmfini: '77' })).toEqual([400, '299', expect.any(String)]);
    expect(await refused({ dtmfconf: '#' })).toEqual([400, '299', expect.any(String)]);
  });

  test('a key does one thing: dtmfini and dtmfconf stand on no key of a dtmf action', async () => {
    const sentence = async (given: object): Promise<string> => {
      const [http, code, status] = await refused(given);
      expect([http, code]).toEqual([400, '299']);
      return status;
    };
    expect(await sentence({ dtmfini: '1', dtmf: 'hangup' })).toMatch(
      /^key 1 has a dtmf action and is dtmfini/,
    );
    expect(await sentence({ type: 2, dtmfconf: '4', dtmf2: '24|hangup' })).toMatch(/^key 4 .* is dtmfconf/);
    expect(await sentence({ type: 2, dtmfconf: '4', dtmfini: '4' })).toMatch(
      /^key 4 is dtmfini and dtmfconf/,
    );
    expect(await warned({ type: 2, dest2: '11987650001', dtmf: 'hangup' })).toMatch(
      /^key 1 .* the action is not used$/,
    );
    expect(await warned({ type: 3, dtmfini: '9', dtmf: 'hangup' })).toBeUndefined();
  });

  test('[4.2/dtmf..dtmf11] the slot decides the key unless the value names its own', async () => {
    const { keys } = await born({
      dtmf: 'replay',
      dtmf2: '11987650001',
      dtmf3: 'RT12',
      dtmf4: 'WA5511987650002',
      dtmf5: 'FI7',
      dtmf6: 'optout',
      dtmf9: 'hangup',
      dtmf10: '78|hangup',
      dtmf11: 'replay',
    });
    expect(keys).toEqual({
      1: { do: 'replay' },
      2: { do: 'transfer', to: { kind: 'number', number: '5511987650001' } },
      3: { do: 'transfer', to: { kind: 'agent', agent: 12 } },
      4: { do: 'transfer', to: { kind: 'chat', number: '5511987650002' } },
      5: { do: 'transfer', to: { kind: 'queue', queue: 7 } },
      6: { do: 'optOut' },
      7: { do: 'hangUp' },
      8: { do: 'hangUp' },
      9: { do: 'hangUp' },
      '*': { do: 'replay' },
    });
    expect((await born({ dtmf10: 'hangup' })).keys).toEqual({ 0: { do: 'hangUp' } });
    expect(await refused({ dtmf2: 'nonsense' })).toMatchObject([
      400,
      '299',
      expect.stringContaining('dtmf2'),
    ]);
    expect(await refused({ dtmf: '2|hangup', dtmf2: 'replay' })).toEqual([400, '299', expect.any(String)]);
    expect(await refused({ dtmf: 'text4' })).toMatchObject([400, '299', expect.stringContaining('slot 4')]);
  });

  test('[4.2/expiry] audio that goes within a day is named with its date', async () => {
    const at = Date.now() + 3_600_000;
    await aMediaFile(on, 'short', at);
    const date = toLocal(at, 'America/Sao_Paulo').date;
    expect(await warned({ content: 'short' })).toBe(`content short expires on ${date}`);
    await aMediaFile(on, 'week', at + 6 * 86_400_000);
    const block = new Date(at + 6 * 86_400_000).toISOString();
    expect(await warned({ content: 'week' })).toBeUndefined();
    expect(await warned({ content: 'week', block })).toMatch(/^content week expires on/);
  });
});

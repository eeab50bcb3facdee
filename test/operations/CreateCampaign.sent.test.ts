/** Lists and audio that come with the request. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CampaignInput } from '../../machines/campaign/input.ts';
import { aList, anAsset, anId, campaignInput, played } from '../helpers/campaigns.ts';
import { type Receiver, startReceiver } from '../helpers/receiver.ts';
import {
  demoAccount,
  demoToken,
  type RestAnswer,
  startTestService,
  type TestService,
} from '../helpers/service.ts';
import { aWav } from '../helpers/wav.ts';
import { today } from './askedCampaigns.ts';

let on: TestService;
let folder: string;
let list: number;
let web: Receiver;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ramal-sent-'));
  on = await startTestService({
    DATA_DIR: folder,
    ALLOW_PRIVATE_TARGETS: '127.0.0.1/32',
    MAX_LIST_RECORDS: '20',
    MAX_LIST_BYTES: '100000',
  });
  list = await aList(on, { name: 'customers' });
  web = await startReceiver();
});
afterAll(async () => {
  web.close();
  await on.stop();
  rmSync(folder, { recursive: true });
});

const wav = aWav(2);
const program = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200), Buffer.from('PE\0\0')]);
const address = (): string => `${web.url}/greeting.wav`;
const serving =
  (body: Buffer): RequestListener =>
  (_, response) =>
    void response.end(body);

const ask = (given: object): Promise<RestAnswer> =>
  on.post('CreateCampaign', { name: `campaign ${anId()}`, cdlc_id: list, ...given });

const made = async (answered: Promise<RestAnswer>): Promise<CampaignInput> => {
  const { body } = await answered;
  expect(body.return).toMatchObject({ status: 'OK' });
  return campaignInput(on, body.return.cp_id);
};

/** What the account has, and what lies on disk. */
const kept = async (): Promise<object> => ({
  rows: (
    await on.database.pool.query(
      `SELECT (SELECT count(*) FROM audios) AS audios, (SELECT count(*) FROM lists) AS lists,
        (SELECT count(*) FROM list_records) AS records, (SELECT count(*) FROM list_rejects) AS rejects,
        (SELECT count(*) FROM campaigns) AS campaigns`,
    )
  ).rows,
  sounds: filesIn('media').filter((name) => name.includes('audio-')),
  temporary: filesIn('tmp'),
});

const filesIn = (name: string): string[] => {
  const path = join(folder, name);
  if (!existsSync(path)) return [];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
};

/** The code of a refusal that leaves nothing behind. */
const refused = async (asked: () => Promise<RestAnswer>): Promise<string> => {
  const before = await kept();
  const { body } = await asked();
  expect(body.return).toMatchObject({ cp_id: '0' });
  await expect.poll(kept).toEqual(before);
  return body.return.status_code;
};

describe('audio', () => {
  test('[4.3/text] a text that is the same for everybody is spoken once, and kept', async () => {
    const { call, audio } = await made(ask({ text: 'Bom dia' }));
    const [opening] = call.prompts.opening;
    expect(opening).toEqual({ media: expect.any(String), seconds: expect.any(Number) });
    expect(audio).toEqual([expect.stringMatching(/^tf\d+$/)]);
    const { rows } = await on.database.pool.query('SELECT type, text, voice, wav FROM audios WHERE id = $1', [
      Number(audio[0]!.slice(2)),
    ]);
    const { media } = opening as { media: string };
    expect(rows).toEqual([{ type: 'tts', text: 'Bom dia', voice: 'Espeak|pt-br', wav: media }]);
  });

  test('[4.3/text] a text comes before content and all else', async () => {
    web.answer = serving(wav);
    const content = await anAsset(on);
    const { call } = await made(ask({ text: 'Olá <NOME>', content, urlcontent: address() }));
    expect(call.prompts.opening).toEqual([{ text: 'Olá <NOME>', voice: 'Espeak|pt-br' }]);
  });

  test('[4.3/urlcontent] a file is fetched instead of content', async () => {
    web.answer = serving(wav);
    const { call, audio } = await made(ask({ urlcontent: address(), content: await anAsset(on) }));
    expect(call.prompts.opening).toEqual([{ media: expect.any(String), seconds: 2 }]);
    expect(audio).toHaveLength(2);
  });

  test('[4.3/audio64] a file in base64 is used when content is empty; a clone keeps it', async () => {
    const audio64 = `data:audio/wav;base64,${wav.toString('base64url')}`;
    const first = await ask({ audio64 });
    const { call } = await campaignInput(on, first.body.return.cp_id);
    expect(call.prompts.opening).toEqual([{ media: expect.any(String), seconds: 2 }]);
    const clone = await made(on.post('CreateCampaign', { cp_id: first.body.return.cp_id }));
    expect(clone.call.prompts.opening).toEqual(call.prompts.opening);
    const content = await anAsset(on);
    expect((await made(ask({ audio64, content }))).call.prompts.opening).toEqual([played(content)]);
  });

  test('[CreateCampaign/240] [CreateCampaign/205] audio64 that is no base64, no sound, or a program', async () => {
    expect(await refused(() => ask({ audio64: '&&&' }))).toBe('240');
    expect(
      await refused(() => ask({ audio64: Buffer.from('not a sound'.repeat(50)).toString('base64') })),
    ).toBe('240');
    expect(await refused(() => ask({ audio64: program.toString('base64') }))).toBe('205');
  });

  test('[CreateCampaign/280] a text that cannot be spoken', async () => {
    for (const text of [' ', '...', '!']) expect(await refused(() => ask({ text }))).toBe('280');
  });

  test('a blank text or address is none beside another way to say it, and in a clone', async () => {
    const content = await anAsset(on);
    const source = await ask({ text: ' ', urlcontent: ' ', content });
    const { call } = await campaignInput(on, source.body.return.cp_id);
    expect(call.prompts.opening).toEqual([played(content)]);
    const clone = await made(on.post('CreateCampaign', { cp_id: source.body.return.cp_id, text: ' ' }));
    expect(clone.call.prompts.opening).toEqual([played(content)]);
  });

  test('what is spoken for it is kept as long as an upload: the same day in five years', async () => {
    const { audio } = await made(ask({ text: 'Bom dia a todos' }));
    const { audios } = (await on.post('GetAudiosList', { search: audio[0] })).body;
    expect(audios).toMatchObject([{ cdw_expires: `${Number(today().slice(0, 4)) + 5}${today().slice(4)}` }]);
  });

  test('[CreateCampaign/281] [CreateCampaign/205] an address that points inside, answers otherwise, or gives no sound', async () => {
    expect(await refused(() => ask({ urlcontent: 'http://10.0.0.1/a.wav' }))).toBe('281');
    expect(await refused(() => ask({ urlcontent: 'http://[::1]/a.wav' }))).toBe('281');
    expect(await refused(() => ask({ urlcontent: 'file:///etc/passwd' }))).toBe('281');
    web.answer = (_, response) => void response.writeHead(302, { location: address() }).end();
    expect(await refused(() => ask({ urlcontent: address() }))).toBe('281');
    web.answer = serving(Buffer.from('<html>nothing to hear</html>'.repeat(20)));
    expect(await refused(() => ask({ urlcontent: address() }))).toBe('281');
    web.answer = serving(program);
    expect(await refused(() => ask({ urlcontent: address() }))).toBe('205');
  });
});

describe('lists', () => {
  const records = [
    { phone: '11987650100', nome: 'Ana', cod_cli: '17' },
    ['11987650101', 'Bia'],
    { phone: 'nobody' },
  ];
  const text = 'Olá <NOME>';

  const multipart = (
    name: string,
    content: string | Buffer,
    fields: Record<string, string> = {},
  ): Promise<RestAnswer> => {
    const form = new FormData();
    for (const [key, value] of Object.entries({
      tsid: demoToken,
      name: `campaign ${anId()}`,
      text,
      ...fields,
    }))
      form.set(key, value);
    form.set('anything', new Blob([new Uint8Array(Buffer.from(content))]), name);
    return on.post('CreateCampaign', form);
  };

  const rowsOf = async (id: number) =>
    (
      await on.database.pool.query(
        'SELECT row, numbers, name FROM list_records WHERE list_id = $1 ORDER BY row',
        [id],
      )
    ).rows;

  test('[4.3/datajson] records in the request are a list of the campaign’s name', async () => {
    const asked = { name: 'inline', text, datajson: records };
    const { body } = await on.post('CreateCampaign', asked);
    expect(body.return).toMatchObject({ status: 'OK', warning: '1 records of the list were refused' });
    const input = await campaignInput(on, body.return.cp_id);
    expect(await rowsOf(input.list)).toEqual([
      { row: 1, numbers: '5511987650100', name: 'Ana' },
      { row: 2, numbers: '5511987650101', name: 'Bia' },
    ]);
    const { lists } = (await on.post('GetDestinationsList', { cdlc_id: input.list })).body;
    expect(lists).toMatchObject([{ cdlc_name: 'inline', cdlc_num: 2 }]);
    expect((await on.post('GetCampaignsList', { cp_id: body.return.cp_id })).body.campaigns).toMatchObject([
      { cp_destinations: 2 },
    ]);
  });

  test('[4.3/datajson] as text, in JSON and in a form; without a name the list has the usual one', async () => {
    const written = JSON.stringify(records.slice(0, 1));
    const inJson = await made(on.post('CreateCampaign', { text, datajson: written }));
    expect(inJson.name).toMatch(new RegExp(`^API_json_${demoAccount}_\\d+$`));
    const form = new URLSearchParams({ tsid: demoToken, name: 'by form', text, datajson: written });
    const inForm = await made(on.post('CreateCampaign', form));
    expect(await rowsOf(inForm.list)).toEqual([{ row: 1, numbers: '5511987650100', name: 'Ana' }]);
  });

  test('[4.3/file] a CSV or JSON file under any field name', async () => {
    const csv = await made(multipart('list.csv', 'phone;nome\n11987650102;Célia\n'));
    expect(await rowsOf(csv.list)).toEqual([{ row: 1, numbers: '5511987650102', name: 'Célia' }]);
    const json = await made(multipart('list.json', JSON.stringify(records)));
    expect(await rowsOf(json.list)).toHaveLength(2);
  });

  test('a list that is sent along excludes cdlc_id, and wins over that of a cloned campaign', async () => {
    expect(await refused(() => ask({ text, datajson: records }))).toBe('299');
    const source = (await ask({ text })).body.return.cp_id;
    const clone = await made(on.post('CreateCampaign', { cp_id: source, datajson: records }));
    expect(clone.list).not.toBe(list);
    expect(clone.name).toBe('customers');
  });

  test('[CreateCampaign/205] [CreateCampaign/206] [CreateCampaign/207] [CreateCampaign/270] [CreateCampaign/271] [CreateCampaign/272] lists that are none', async () => {
    const inline = (datajson: unknown) => () => on.post('CreateCampaign', { text, datajson });
    const file = (name: string, content: string | Buffer) => () => multipart(name, content);
    expect(await refused(file('list.csv', program))).toBe('205');
    expect(await refused(inline('[{"phone":'))).toBe('206');
    expect(await refused(inline('nonsense'))).toBe('206');
    expect(await refused(file('list.json', '[{"phone":"119876'))).toBe('207');
    expect(await refused(inline([{ phone: 'nobody' }]))).toBe('270');
    expect(await refused(inline([]))).toBe('270');
    expect(await refused(file('list.csv', 'phone\n"11987650103\n11987650104\n'))).toBe('271');
    const many = Array.from({ length: 21 }, (_, n) => ({ phone: String(11987650200 + n) }));
    expect(await refused(inline(many))).toBe('272');
  });

  test('[CreateCampaign/207] two list files', async () => {
    const form = new FormData();
    for (const [field, value] of Object.entries({ tsid: demoToken, name: 'two', text }))
      form.set(field, value);
    form.append('a', new File(['phone\n11987650103'], 'a.csv'));
    form.append('b', new File(['[{"phone":"11987650104"}]'], 'b.json'));
    expect(await refused(() => on.post('CreateCampaign', form))).toBe('207');
  });

  test('[CreateCampaign/273] [CreateCampaign/275] a list that breaks off on its way, or is too large', async () => {
    const cut = `--x\r\nContent-Disposition: form-data; name="tsid"\r\n\r\n${demoToken}\r\n--x\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\n\r\nphone\n119876`;
    const type = { 'Content-Type': 'multipart/form-data; boundary=x' };
    expect(await refused(() => on.post('CreateCampaign', cut, type))).toBe('273');
    expect(await refused(() => multipart('a.csv', `phone\n${'11987650105\n'.repeat(10_000)}`))).toBe('275');
  });

  test('an empty datajson or audio64 is none, however it is sent', async () => {
    for (const nothing of ['', null]) {
      expect((await made(ask({ text, datajson: nothing, audio64: nothing }))).list).toBe(list);
    }
    const form = new URLSearchParams({
      tsid: demoToken,
      name: 'empty',
      text,
      cdlc_id: String(list),
      datajson: '',
      audio64: '',
    });
    expect((await made(on.post('CreateCampaign', form))).list).toBe(list);
    const fields = { cdlc_id: String(list), datajson: '' };
    expect((await made(multipart('', '', fields))).list).toBe(list);
    expect(await refused(() => ask({ audio64: '' }))).toBe('240');
  });

  test('what was made is gone when the name turns out to be taken', async () => {
    const name = 'taken';
    // One call a minute: it still dials when the next comes.
    await made(ask({ name, text, cp_ativo: 1, vel: 1 }));
    web.answer = serving(wav);
    const given = { name, urlcontent: address(), datajson: records.slice(0, 1) };
    expect(await refused(() => on.post('CreateCampaign', given))).toBe('230');
  });

  test('a repeated request makes nothing anew; another list under the same key is refused', async () => {
    const given = { name: 'twice', text: 'Bom dia', datajson: records, request_id: 'import-1' };
    const first = await on.post('CreateCampaign', given);
    const before = await kept();
    const again = await on.post('CreateCampaign', given);
    expect(again.body.return).toEqual({ ...first.body.return, duplicate_request: '1' });
    const other = await on.post('CreateCampaign', { ...given, datajson: records.slice(0, 1) });
    expect(other.http).toBe(409);
    expect(await kept()).toEqual(before);
  });

  test('[CreateCampaign/274] a disk that does not take the list', async () => {
    rmSync(join(folder, 'tmp'), { recursive: true });
    // A file in the folder's place: nothing can be kept, by whoever runs the test.
    writeFileSync(join(folder, 'tmp'), '');
    const { http, body } = await multipart('a.csv', 'phone\n11987650106\n');
    expect([http, body.return.status_code]).toEqual([503, '274']);
  });
});

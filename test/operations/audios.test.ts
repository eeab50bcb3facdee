/** What becomes of assets that were made: the list, the admin API, the calls that play them. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays } from '../../src/lib/localTime.ts';
import { demoAccount, type TestService } from '../helpers/service.ts';
import { aWav } from '../helpers/wav.ts';
import { askedAudios, type AudioBed, base64, startAudioBed, today } from './askedAudios.ts';

let bed: AudioBed;
let on: TestService;
beforeAll(async () => {
  bed = await startAudioBed();
  ({ on } = bed);
});
beforeEach(() => bed.clear());
afterEach(() => bed.checkFiles());
afterAll(() => bed.stop());

const { make, list } = askedAudios(() => on);

describe('the list', () => {
  const put = async (row: Record<string, unknown>): Promise<void> => {
    const full = {
      account_id: demoAccount,
      type: 'upload',
      name: '',
      wav: 'audio-x',
      seconds: 1.5,
      created_at: Date.now(),
      expires_at: Date.now() + 60_000,
      ...row,
    };
    const names = Object.keys(full);
    await on.database.pool.query(
      `INSERT INTO audios (${names.join(', ')}) VALUES (${names.map((_, n) => `$${n + 1}`).join(', ')})`,
      Object.values(full),
    );
  };

  test('[2.5/listed] [4.9/shown] shows what is visible and there, newest first, of this account only', async () => {
    const created_at = Date.UTC(2026, 0, 2, 1);
    await put({ id: 1, name: 'One', created_at, expires_at: Date.UTC(2030, 0, 2, 3) });
    await put({ id: 2, name: 'Hidden', visible: false });
    await put({ id: 3, name: 'Gone', expires_at: Date.now() - 1 });
    await put({ id: 4, name: 'Foreign', account_id: demoAccount + 1 });
    await put({ id: 5, name: 'Newest' });
    const audios = await list();
    expect(audios.map(({ cdw_file: file }) => file)).toEqual(['tf5', 'tf1']);
    expect(audios[1]).toEqual({
      cdw_file: 'tf1',
      cdw_file_test: '',
      cdw_name: 'One',
      cdw_sec: '1.5',
      cdw_date: '2026-01-01',
      cdw_expires: '2030-01-01',
      cdw_type: 'upload',
    });
  });

  test('[4.8/dis] leaves out what was made with dis=NO, which plays all the same', async () => {
    const hidden = await make({ audio64: base64(aWav(1)), dis: 'NO' });
    expect(await list()).toEqual([]);
    const call = await on.post('MakeTTSCall', { dest: '11987650200', content: hidden.body.return.cdw_file });
    expect(call.body.return.status_code).toBe('0');
    await make({ audio64: base64(aWav(1)), dis: 'yes' });
    expect(await list()).toHaveLength(1);
  });

  test('[4.9/maxreg] has no ceiling', async () => {
    await put({ id: 1 });
    for (const maxreg of [3_000_000_000, '3000000000', '99999999999999999999'])
      expect(await list({ maxreg })).toHaveLength(1);
    for (const maxreg of [0, -1, 1.5, 'x'])
      expect((await on.post('GetAudiosList', { maxreg })).body.return).toMatchObject({
        ...{ status_code: '299', status: 'maxreg must be a whole number, 1 or more' },
      });
  });

  test('[4.8/mp3] [4.8/dis] a word that is not known is told, and the audio is made', async () => {
    const { body } = await make({ audio64: base64(aWav(1)), mp3: 'x', dis: 'x' });
    expect(body.return).toMatchObject({
      status_code: '0',
      warning: 'mp3 knows only no: the MP3 is made; dis knows only NO: GetAudiosList shows the audio',
    });
    for (const known of ['No', 'yes'])
      expect((await make({ audio64: base64(aWav(1)), mp3: known })).body.return).not.toHaveProperty(
        'warning',
      );
  });

  test('[4.9/type] narrows by type', async () => {
    for (const [id, type] of ['tts', 'upload', 'rec', 'ttsvar'].entries()) await put({ id: id + 1, type });
    expect(await list()).toHaveLength(4);
    expect(await list({ type: 'todas' })).toHaveLength(4);
    for (const type of ['tts', 'upload', 'rec', 'ttsvar'])
      expect((await list({ type })).map(({ cdw_type: one }) => one)).toEqual([type]);
    const wrong = await on.post('GetAudiosList', { type: 'music' });
    expect(wrong.body).toMatchObject({ return: { status_code: '299' }, audios: [] });
  });

  test('[4.9/search] finds in name, id and text, whatever case and accents', async () => {
    await put({ id: 1, name: 'Promoção de Verão' });
    await put({ id: 22, name: 'b', text: 'Olá, senhor <NOME>' });
    const found = async (search: string) => (await list({ search })).map(({ cdw_file: file }) => file);
    expect(await found('PROMOCAO')).toEqual(['tf1']);
    expect(await found('verão')).toEqual(['tf1']);
    expect(await found('ola, senhor')).toEqual(['tf22']);
    expect(await found('TF22')).toEqual(['tf22']);
    expect(await found('%')).toEqual([]);
    expect(await found('b\nola')).toEqual([]);
  });

  test('[4.9/maxreg] shows 100 unless told, and as many as there are when told', async () => {
    await on.database.pool.query(
      `INSERT INTO audios (account_id, id, type, created_at, expires_at)
       SELECT $1, n, 'upload', $2::int8, $2::int8 + 60000 FROM generate_series(1, 2500) n`,
      [demoAccount, Date.now()],
    );
    expect(await list()).toHaveLength(100);
    expect((await list({ maxreg: 3 })).map(({ cdw_file: file }) => file)).toEqual([
      'tf2500',
      'tf2499',
      'tf2498',
    ]);
    expect(await list({ maxreg: 2300 })).toHaveLength(2300);
    const all = await list({ maxreg: 1_000_000 });
    expect(new Set(all.map(({ cdw_file: file }) => file)).size).toBe(2500);
    expect((await on.post('GetAudiosList', { maxreg: 0 })).body.return.status_code).toBe('299');
  });

  test('[7/GetAudiosList/500] says so when the database errs', async () => {
    for (const maxreg of [100, 5000]) {
      const answer = await on.without('audios', () => on.post('GetAudiosList', { maxreg }));
      expect(answer.http).toBe(500);
      expect(answer.body).toMatchObject({ return: { status_code: '500' }, audios: [] });
    }
  });

  test('[8/audio-kept] keeps an asset that expired while an active campaign plays it, until that campaign’s end', async () => {
    await put({ id: 7, expires_at: Date.now() - 1000 });
    await put({ id: 77, expires_at: Date.now() - 1000 });
    const campaign = (active: boolean, days: number) =>
      on.database.pool.query(
        `INSERT INTO campaigns (account_id, id, created_at, mode, list_id, definition, name, active, state,
           date_start, date_end, time_start, time_end, audio)
         VALUES ($1, 900, 0, 'play', 1, '{}', 'c', $2, 'active', $3, $4, '00:00:00', '23:59:59', 'tf5 tf7')
         ON CONFLICT (account_id, id) DO UPDATE SET active = excluded.active, date_end = excluded.date_end`,
        [demoAccount, active, today(), addDays(today(), days)],
      );
    expect(await list()).toEqual([]);
    await campaign(true, 2);
    expect(await list()).toMatchObject([{ cdw_file: 'tf7', cdw_expires: addDays(today(), 2) }]);
    const call = await on.post('MakeTTSCall', { dest: '11987650300', content: '7' });
    expect(call.body.return).toMatchObject({ status_code: '0' });
    expect(call.body.return.warning).toBeUndefined();
    await campaign(true, -3);
    expect(await list()).toEqual([]);
    await campaign(false, 2);
    expect(await list()).toEqual([]);
    await on.database.pool.query('DELETE FROM campaigns WHERE id = 900');
  });
});

describe('the admin API', () => {
  test('lists assets with addresses to listen to, hidden ones too, page by page', async () => {
    await make({ audio64: base64(aWav(1)), dis: 'NO', name: 'Hidden' });
    const { body } = await on.admin('GET', `/accounts/${demoAccount}/audios`);
    expect(body).toMatchObject({
      audios: [
        {
          name: 'Hidden',
          visible: false,
          type: 'upload',
          seconds: 1,
          url: expect.stringContaining('/media/'),
        },
      ],
      cursor: null,
    });
    const { pathname, search } = new URL(body.audios[0].mp3_url);
    const mp3 = await fetch(on.url + pathname + search);
    expect([mp3.status, mp3.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
    expect(
      (await on.admin('GET', `/accounts/${demoAccount}/audios?cursor=${body.audios[0].id}`)).body.audios,
    ).toEqual([]);
  });

  test('deletes an asset with its files, but not one that an active campaign plays, nor another account’s', async () => {
    const { body } = await make({ audio64: base64(aWav(1)) });
    const file = body.return.cdw_file as string;
    const link = (await on.admin('GET', `/accounts/${demoAccount}/audios`)).body.audios[0].url as string;
    await on.database.pool.query(
      `INSERT INTO campaigns (account_id, id, created_at, mode, list_id, definition, name, active, state,
         date_start, date_end, time_start, time_end, audio)
       VALUES ($1, 901, 0, 'play', 1, '{}', 'c', true, 'active', $2, $2, '00:00:00', '23:59:59', $3)`,
      [demoAccount, today(), file],
    );
    expect(await on.admin('DELETE', `/accounts/${demoAccount}/audios/${file}?force=1`)).toMatchObject({
      ...{ http: 409, body: { uses: [{ kind: 'campaign', id: 901 }] } },
    });
    await on.database.pool.query('DELETE FROM campaigns WHERE id = 901');
    expect((await on.admin('DELETE', `/accounts/2/audios/${file}`)).http).toBe(404);
    const listen = async () => (await fetch(on.url + link.slice(new URL(link).origin.length))).status;
    expect(await listen()).toBe(200);
    expect((await on.admin('DELETE', `/accounts/${demoAccount}/audios/${file}`)).http).toBe(204);
    expect(await listen()).toBe(404);
    expect(await list()).toEqual([]);
  });
});

describe('a call', () => {
  test('plays an asset, with or without tf, and names the day on which it goes', async () => {
    const { body } = await make({ text: 'Até amanhã' });
    const id = body.return.cdw_file as string;
    for (const content of [id, id.slice(2)]) {
      const call = await on.post('MakeTTSCall', { dest: '11987650400', content, httpdup: 0 });
      expect(call.body.return.warning).toBe(`content ${id} expires on ${addDays(today(), 1)}`);
      expect((await on.ended(call.body.return.cd_id)).cd_status).toBe('OK');
    }
  });

  test('is refused with 204 for an asset of another account, one that is gone, and one that never was', async () => {
    await on.database.pool.query(
      `INSERT INTO audios (account_id, id, type, wav, created_at, expires_at)
       VALUES ($1, 8, 'upload', 'audio-8', 0, $3), ($2, 9, 'upload', 'audio-9', 0, 1)`,
      [demoAccount + 1, demoAccount, Date.now() + 60_000],
    );
    for (const content of ['tf8', '9', 'tf10', '99999999999'])
      expect((await on.post('MakeTTSCall', { dest: '11987650500', content })).body.return.status_code).toBe(
        '204',
      );
  });
});

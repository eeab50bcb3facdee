import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAudioBed, type AudioBed } from '../operations/askedAudios.ts';
import { adminToken, demoAccount } from '../helpers/service.ts';
import { aWav, measureWav } from '../helpers/wav.ts';

let bed: AudioBed;
beforeAll(async () => {
  bed = await startAudioBed();
});
afterAll(() => bed.stop());

const path = `/accounts/${demoAccount}/audios`;
const dayMs = 86_400_000;
const inYears = (count: number): number => Date.now() + count * 365 * dayMs;

/** Sends a file as it is, of any kind. */
const upload = async (query: string, body: NonNullable<RequestInit['body']>, type = 'audio/wav') => {
  const response = await fetch(`${bed.on.url}/admin/api${path}/upload${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, ...(type !== '' && { 'content-type': type }) },
    body,
  });
  return { http: response.status, body: (await response.json()) as { url: string } };
};
const heard = async (url: string) =>
  measureWav(Buffer.from(await (await fetch(url.replace(/^http:\/\/[^/]+/, bed.on.url))).arrayBuffer()));

describe('an audio', () => {
  test('is made of a text, plays it, and is kept for five years', async () => {
    const made = await bed.on.admin('POST', path, { text: ' Bom dia, Ana ', rate: 2 });
    expect(made).toMatchObject({
      http: 201,
      body: { name: 'Bom dia, Ana', text: 'Bom dia, Ana', type: 'tts', rate: 2, visible: true },
    });
    expect(made.body.expires_at).toBeGreaterThan(inYears(4.9));
    expect((await heard(made.body.url)).seconds).toBeCloseTo(made.body.seconds, 1);
    const listed = (await bed.on.post('GetAudiosList', {})).body.audios;
    expect(listed.map(({ cdw_file: id }: { cdw_file: string }) => id)).toContain(made.body.cdw_file);
  });

  test('of a text with placeholders is kept as that text', async () => {
    const { body } = await bed.on.admin('POST', path, { text: 'Oi <NOME>', name: 'Oi' });
    expect(body).toMatchObject({ type: 'ttsvar', name: 'Oi', text: 'Oi <NOME>' });
    expect((await heard(body.url)).seconds).toBeGreaterThan(0);
  });

  test.each([
    ['as it is', () => aWav(0.5), 'audio/wav'],
    ['under a type that says nothing', () => aWav(0.5), 'application/octet-stream'],
  ])('is made of a sound file that is sent %s', async (_, file, type) => {
    const made = await upload('?file=hello.wav', file(), type);
    expect(made).toMatchObject({
      http: 201,
      body: { name: 'hello.wav', file_name: 'hello.wav', type: 'upload', seconds: 0.5 },
    });
    expect((await heard(made.body.url)).seconds).toBeCloseTo(0.5, 1);
    bed.checkFiles();
  });

  test('is made of the file of a form', async () => {
    const form = new FormData();
    form.set('file', new Blob([Uint8Array.from(aWav(0.4))]), 'x.wav');
    expect(await upload('?name=Form', form, '')).toMatchObject({ http: 201, body: { name: 'Form' } });
  });

  test.each([
    ['a program', '', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(300)]), 'audio/wav', 400, '205'],
    ['no sound', '', Buffer.alloc(500, 'la la '), 'audio/wav', 400, '221'],
    ['too small', '', Buffer.from('RIFF'), 'audio/wav', 400, '223'],
    ['JSON', '', Buffer.from('{}'), 'application/json', 415, undefined],
    ['too large', '', Buffer.alloc(300_001), 'audio/wav', 413, undefined],
    ['over already', '?expires_at=2020-01-01', aWav(0.2), 'audio/wav', 400, undefined],
  ])('is not made of what is %s, and nothing is left', async (_, query, file, type, http, code) => {
    const before = (await bed.on.admin('GET', path)).body.audios.length;
    const refused = await upload(query, Uint8Array.from(file), type);
    expect(refused).toMatchObject({ http, body: { error: expect.any(String), ...(code && { code }) } });
    expect((await bed.on.admin('GET', path)).body.audios).toHaveLength(before);
    bed.checkFiles();
  });

  test.each([
    [{ text: ' ' }, 400, 'text'],
    [{ text: 'Oi', voice: 'Espeak|nobody' }, 409, 'voice'],
    [{ text: 'Oi', expires_at: 1 }, 400, 'expires_at'],
    [{ text: 'Oi', rate: 7 }, 400, 'rate'],
    [{ text: 'Oi', voice: 'Google|pt-BR-Wavenet-A' }, 409, 'voice'],
  ])('is not made as %j wishes it, which field says why', async (body, http, field) => {
    expect(await bed.on.admin('POST', path, body)).toMatchObject({ http, body: { field } });
  });

  test('is found by a part of its text, shown, renamed, hidden and kept for another time', async () => {
    const { body: made } = await bed.on.admin('POST', path, { text: 'Horário de Natal', name: 'Festas' });
    const found = async (q: string): Promise<number[]> =>
      (await bed.on.admin('GET', `${path}?q=${encodeURIComponent(q)}`)).body.audios.map(
        ({ id }: { id: number }) => id,
      );
    expect(await found('horario')).toEqual([made.id]);
    expect(await found(made.cdw_file)).toContain(made.id);
    expect(await found('páscoa')).toEqual([]);
    const change = { name: 'Natal', visible: false, expires_at: Date.now() + dayMs };
    const changed = await bed.on.admin('PATCH', `${path}/${made.id}`, change);
    expect(changed).toMatchObject({ http: 200, body: { ...made, ...change } });
    expect((await bed.on.admin('GET', `${path}/${made.cdw_file}`)).body).toEqual(changed.body);
    const listed = (await bed.on.post('GetAudiosList', {})).body.audios;
    expect(listed.map(({ cdw_file: id }: { cdw_file: string }) => id)).not.toContain(made.cdw_file);
    expect(await bed.on.admin('PATCH', `${path}/${made.id}`, { expires_at: 5 })).toMatchObject({
      http: 400,
      body: { field: 'expires_at' },
    });
  });

  test('of another account is not there', async () => {
    const { body: made } = await bed.on.admin('POST', path, { text: 'Meu' });
    const other = (await bed.on.admin('POST', '/accounts', { name: 'Other' })).body.cdcs_id;
    for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const)
      expect((await bed.on.admin(method, `/accounts/${other}/audios/${made.id}`, body)).http).toBe(404);
    expect((await bed.on.admin('GET', `${path}/${made.id}`)).body.name).toBe('Meu');
  });

  test('is heard by an operator, who makes and changes none', async () => {
    const { body: ana } = await bed.on.admin('POST', '/operators', { name: 'Ana', role: 'operator' });
    const asAna = { authorization: `Bearer ${ana.key}` };
    expect((await bed.on.admin('GET', path, undefined, asAna)).http).toBe(200);
    expect((await bed.on.admin('POST', path, { text: 'Oi' }, asAna)).http).toBe(403);
  });
});

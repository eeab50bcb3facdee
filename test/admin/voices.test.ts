import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { type FakeGoogle, fakeKey, startFakeGoogle } from '../providers/speech/google/fake.ts';

let fake: FakeGoogle;
let on: TestService;
beforeAll(async () => {
  fake = await startFakeGoogle();
  on = await startTestService({ GOOGLE_TTS_KEY: fakeKey, GOOGLE_TTS_URL: fake.url });
});
afterAll(async () => {
  await on.stop();
  await fake.close();
});

const ownPath = `/accounts/${demoAccount}/voices`;
const variant = { provider: 'espeak', name: 'en-us+m3', language: 'en-US' };
const offered = async (): Promise<string[]> =>
  (await on.post('GetTTSVoices', {})).body.voices.map((voice: { cdwv_name: string }) => voice.cdwv_name);

describe('voices for all accounts', () => {
  test('are listed by id, and one that is made inactive is not offered at once', async () => {
    const { voices, cursor } = (await on.admin('GET', '/voices')).body;
    expect(cursor).toBeNull();
    expect(voices[0]).toEqual({
      cdwv_id: 1,
      cdcs_id: null,
      provider: 'Espeak',
      name: 'pt-br',
      title: 'Portuguese (Brazil)',
      language: 'pt-BR',
      gender: 'M',
      type: 'tts',
      active: true,
      created_at: expect.any(Number),
      spoken: true,
      sample: expect.stringContaining('/media/0/voice-1.mp3?'),
    });
    expect((await on.admin('GET', '/voices/1')).body).toMatchObject({ name: 'pt-br' });
    expect((await on.admin('GET', `/voices?cursor=${voices[2].cdwv_id}`)).body.voices[0]).toEqual(voices[3]);
    expect((await on.admin('PATCH', '/voices/2', { active: 0 })).body.active).toBe(false);
    expect(await offered()).not.toContain('Espeak|pt-br+f3');
    await on.admin('PATCH', '/voices/2', { active: true });
    expect(await offered()).toContain('Espeak|pt-br+f3');
  });

  test('may be more of the built-in ones; a third party lists its own', async () => {
    const made = await on.admin('POST', '/voices', variant);
    expect(made).toMatchObject({
      http: 201,
      body: { provider: 'Espeak', name: 'en-us+m3', title: 'en-us+m3', gender: 'F', cdcs_id: null },
    });
    expect(await offered()).toContain('Espeak|en-us+m3');
    expect((await on.admin('POST', '/voices', { ...variant, name: 'EN-US+m3' })).http).toBe(409);
    const google = { provider: 'Google', name: 'pt-BR-Own-X', language: 'pt-BR' };
    expect(await on.admin('POST', '/voices', google)).toMatchObject({
      http: 400,
      body: { field: 'provider' },
    });
    expect((await on.admin('DELETE', `/voices/${made.body.cdwv_id}`)).http).toBe(204);
    expect((await on.admin('DELETE', `/voices/${made.body.cdwv_id}`)).http).toBe(404);
    expect(await offered()).not.toContain('Espeak|en-us+m3');
  });
});

describe('voices of an account', () => {
  test('are its own', async () => {
    const asked = { provider: 'Google', name: 'pt-BR-Own-X', language: 'pt-BR', title: 'Own' };
    const made = await on.admin('POST', ownPath, asked);
    expect(made).toMatchObject({ http: 201, body: { ...asked, cdcs_id: demoAccount } });
    const id = made.body.cdwv_id;
    expect(await offered()).toContain('Google|pt-BR-Own-X');
    expect((await on.admin('GET', ownPath)).body.voices).toEqual([made.body]);
    for (const path of [`/voices/${id}`, `/accounts/2/voices/${id}`]) {
      expect((await on.admin('GET', path)).http).toBe(404);
      expect((await on.admin('PATCH', path, { title: 'x' })).http).toBe(404);
      expect((await on.admin('DELETE', path)).http).toBe(404);
    }
    const changed = await on.admin('PATCH', `${ownPath}/${id}`, { title: 'Ours', gender: 'M' });
    expect(changed.body).toMatchObject({ title: 'Ours', gender: 'M', name: 'pt-BR-Own-X' });
    expect((await on.admin('DELETE', `${ownPath}/${id}`)).http).toBe(204);
    expect(await offered()).not.toContain('Google|pt-BR-Own-X');
  });

  test.each([
    [{ provider: 'Acme' }, 'provider'],
    [{ name: 'a|b' }, 'name'],
    [{ name: '' }, 'name'],
    [{ language: 'Klingon!' }, 'language'],
    [{ gender: 'X' }, 'gender'],
    [{ type: 'TTS' }, 'type'],
    [{ active: 'maybe' }, 'active'],
    [{ title: 'x'.repeat(121) }, 'title'],
    [{ colour: 'red' }, 'colour'],
  ])('%j is refused by its field', async (wrong, field) => {
    expect(await on.admin('POST', ownPath, { ...variant, ...wrong })).toMatchObject({
      http: 400,
      body: { field },
    });
  });

  test('keep their names', async () => {
    const made = await on.admin('POST', ownPath, variant);
    const path = `${ownPath}/${made.body.cdwv_id}`;
    expect(await on.admin('PATCH', path, { name: 'other' })).toMatchObject({ http: 400 });
    expect((await on.admin('GET', `${ownPath}/99999999999`)).http).toBe(404);
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type VoiceCatalogue, openVoiceCatalogue } from '../../../src/providers/speech/catalogue.ts';
import { espeakSynthesizer } from '../../../src/providers/speech/espeak.ts';
import { ESPEAK_VOICES } from '../../../src/providers/speech/offeredEspeakVoices.ts';
import { googleSynthesizer } from '../../../src/providers/speech/google.ts';
import type { Synthesizer } from '../../../src/providers/contracts/speech.ts';
import { VoiceTable } from '../../../src/store/voices.ts';
import { freshDatabase, type TestDatabase } from '../../helpers/database.ts';
import { type FakeGoogle, fakeKey, refuse, startFakeGoogle } from './google/fake.ts';
import { speechVoiceRepository } from '../../../src/store/repositories/voices.ts';

const HOUR = 3_600_000;

let fake: FakeGoogle;
let database: TestDatabase;
let table: VoiceTable;
let google: Synthesizer;
let now: number;
beforeAll(async () => {
  fake = await startFakeGoogle();
});
afterAll(() => fake.close());
beforeEach(async () => {
  database = await freshDatabase();
  table = new VoiceTable(database.prisma, Date.now);
  google = googleSynthesizer({ key: fakeKey, url: fake.url });
  fake.asked = [];
  fake.moods = [];
  now = 0;
});
afterEach(async () => {
  await google.stop();
  await database.drop();
});

/** As a node has it; several may share the table. */
const aCatalogue = (synthesizers = [espeakSynthesizer(), google]) => {
  const warned: string[] = [];
  const warn = (_: object, message: string) => void warned.push(message);
  const repository = speechVoiceRepository(table);
  return {
    catalogue: openVoiceCatalogue({
      repository,
      synthesizers,
      now: () => now,
      log: { warn },
      patienceMs: 60_000,
    }),
    warned,
  };
};

const namesOf = async (catalogue: VoiceCatalogue, account = 7) =>
  (await catalogue.voicesOf(account)).map(({ name }) => name);

const third = (names: string[]) => names.filter((name) => !name.startsWith('Espeak|'));

describe('the catalogue of voices', () => {
  it('has the built-in voices from the start, under the same ids ever after', async () => {
    const { catalogue } = aCatalogue([espeakSynthesizer()]);
    await catalogue.start();
    const before = await catalogue.voicesOf(7);
    expect(before.map(({ name }) => name)).toEqual(ESPEAK_VOICES.map(({ name }) => name));
    expect(before[0]).toMatchObject({ id: 1, provider: 'Espeak', short: 'pt-br', type: 'tts', gender: 'M' });
    const again = aCatalogue([espeakSynthesizer()]).catalogue;
    await again.start();
    expect(await again.voicesOf(8)).toEqual(before);
  });

  it('lists each voice once when nodes begin at the same moment', async () => {
    const nodes = Array.from({ length: 4 }, () => aCatalogue().catalogue);
    await Promise.all(nodes.map((node) => node.start()));
    for (const node of nodes) await node.voicesOf(7);
    const rows = await table.of(null);
    expect(rows.length).toBe(ESPEAK_VOICES.length + 3);
    expect(new Set(rows.map(({ provider, name }) => `${provider}|${name}`)).size).toBe(rows.length);
  });

  it('knows a voice however its letters are written, and the default by its alias', async () => {
    const { catalogue } = aCatalogue();
    await catalogue.start();
    const named = (name: string) => catalogue.voiceNamed(7, name);
    expect(await named(' espeak|PT-br ')).toBe('Espeak|pt-br');
    expect(await named('google|pt-br-wavenet-a')).toBe('Google|pt-BR-Wavenet-A');
    expect([await named(''), await named('FAD')]).toEqual(['Espeak|pt-br', 'Espeak|pt-br']);
    for (const name of ['Espeak|klingon', 'Other|pt-br', 'pt-br', '|', 'Google|Achernar']) {
      expect(await named(name)).toBeUndefined();
    }
  });

  it('asks a provider for its list once in an hour, and follows it', async () => {
    const { catalogue } = aCatalogue();
    await catalogue.start();
    expect(third(await namesOf(catalogue))).toEqual([
      'Google|pt-BR-Wavenet-A',
      'Google|pt-BR-Neural2-B',
      'Google|en-US-Casual-K',
    ]);
    now += HOUR - 1;
    await catalogue.voicesOf(7);
    expect(fake.asked.length).toBe(1);
    const usual = fake.listed;
    const kept = (await table.of(null)).find(({ name }) => name === 'pt-BR-Neural2-B')!;
    fake.listed = { voices: [{ name: 'pt-BR-Neural2-B' }, { name: 'pt-BR-New-C', ssmlGender: 'MALE' }] };
    now += 1;
    await catalogue.voicesOf(7);
    await expect
      .poll(async () => third(await namesOf(catalogue)))
      .toEqual(['Google|pt-BR-Neural2-B', 'Google|pt-BR-New-C']);
    fake.listed = usual;
    expect((await table.of(null)).find(({ id }) => id === kept.id)).toEqual(kept);
  });

  it('offers what was last known while a provider is away, and asks again after a minute', async () => {
    const before = aCatalogue();
    await before.catalogue.start();
    const known = await namesOf(before.catalogue);
    fake.moods = [(to) => refuse(to, 503, 'bad day'), (to) => refuse(to, 403, 'worse')];
    fake.asked = [];
    const { catalogue, warned } = aCatalogue();
    await catalogue.start();
    expect(await namesOf(catalogue)).toEqual(known);
    now += 59_999;
    await catalogue.voicesOf(7);
    expect(fake.asked.length).toBe(1);
    now += 1;
    await catalogue.voicesOf(7);
    await expect.poll(() => warned.length).toBe(2);
    expect(await namesOf(catalogue)).toEqual(known);
  });

  it('does not offer the voices of a provider that is not set up here', async () => {
    const before = aCatalogue();
    await before.catalogue.start();
    expect(third(await namesOf(before.catalogue)).length).toBe(3);
    const { catalogue } = aCatalogue([espeakSynthesizer()]);
    expect(third(await namesOf(catalogue))).toEqual([]);
    expect(await catalogue.voiceNamed(7, 'Google|pt-BR-Wavenet-A')).toBeUndefined();
  });

  it('keeps an account’s own voices to it, before those for all', async () => {
    const { catalogue } = aCatalogue();
    await catalogue.start();
    await catalogue.voicesOf(7);
    const custom = { provider: 'Google', name: 'pt-BR-Own-X', title: 'Own', language: 'pt-BR', gender: 'F' };
    await table.add(7, custom);
    await table.add(7, { ...custom, name: 'pt-BR-Neural2-B', active: false });
    catalogue.changed();
    expect(third(await namesOf(catalogue, 7))).toEqual([
      'Google|pt-BR-Wavenet-A',
      'Google|en-US-Casual-K',
      'Google|pt-BR-Own-X',
    ]);
    expect(await catalogue.voiceNamed(8, 'Google|pt-BR-Own-X')).toBeUndefined();
    expect(await catalogue.voiceNamed(8, 'Google|pt-BR-Neural2-B')).toBe('Google|pt-BR-Neural2-B');
  });

  it('hears of another node’s changes a little later', async () => {
    const { catalogue } = aCatalogue([espeakSynthesizer()]);
    await catalogue.start();
    await catalogue.voicesOf(7);
    await table.change(null, 1, { active: false });
    now += 3000;
    expect(await namesOf(catalogue)).not.toContain('Espeak|pt-br');
    await catalogue.start();
    expect(await namesOf(catalogue)).not.toContain('Espeak|pt-br');
  });
});

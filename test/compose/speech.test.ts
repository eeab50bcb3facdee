import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSpeechSynthesis, createSpeechServices } from '../../src/compose/speech.ts';
import type { Databases } from '../../src/compose/databases.ts';
import { createDatabaseFailoverMonitor } from '../../src/store/databaseFailover/databaseHostWatches.ts';
import { readConfig } from '../../src/config.ts';
import { openLog } from '../../src/log.ts';
import { folderMediaStore } from '../../src/providers/media/folder.ts';
import { createSignedMediaLinks } from '../../src/providers/media/links.ts';
import { asJournaled, withDatabase } from '../helpers/database.ts';
import { fakeKey, refuse, startFakeGoogle } from '../providers/speech/google/fake.ts';

test('operations hear whether a text was spoken, was refused, or may be spoken later', async () => {
  const fake = await startFakeGoogle();
  const folder = await mkdtemp(join(tmpdir(), 'ramal-speech-'));
  await withDatabase(async (database) => {
    const databases: Databases = {
      control: asJournaled(database),
      probe: database.pool,
      shards: new Map(),
      failover: createDatabaseFailoverMonitor(openLog('silent')),
      close: () => Promise.resolve(),
    };
    const said: string[] = [];
    const log = openLog('warn', {
      write: (line) => void said.push((JSON.parse(line) as { msg: string }).msg),
    });
    const speech = await openSpeechSynthesis({
      config: readConfig({ GOOGLE_TTS_KEY: fakeKey, GOOGLE_TTS_URL: fake.url, ESPEAK: 'none' }),
      databases,
      media: folderMediaStore(folder),
      links: createSignedMediaLinks({ baseUrl: 'http://ramal', secret: 'secret', now: Date.now }),
      now: Date.now,
      log,
    });
    const { speak, cannotSpeak } = createSpeechServices(speech, log);
    expect(cannotSpeak).toMatch(/^ESPEAK=none keeps espeak-ng out: texts are refused/);
    expect(said).toContain(cannotSpeak);
    const voice = 'Google|pt-BR-Wavenet-A';
    expect(await speak(7, { text: 'Oi', voice })).toEqual({
      outcome: 'spoken',
      media: expect.stringMatching(/^tts-/),
      seconds: 0.1,
    });
    const unknown = await speak(7, { text: 'Oi', voice: 'Acme|x' });
    expect(unknown).toEqual({ outcome: 'refused', why: 'there is no voice "Acme|x"' });
    fake.moods = [
      (to) => refuse(to, 400, 'This text is not spoken'),
      (to) => refuse(to, 403, 'Project 4711 is off'),
      (to) => refuse(to, 429, 'Slow down'),
    ];
    const outcomes = [];
    for (const text of ['um', 'dois', 'três']) outcomes.push(await speak(7, { text, voice }));
    expect(outcomes).toEqual([
      { outcome: 'refused', why: 'Google answered 400 This text is not spoken' },
      { outcome: 'refused', why: 'Google does not accept the key of this service' },
      { outcome: 'away', why: 'Google answered 429 Slow down' },
    ]);
    await speech.stop();
  });
  await rm(folder, { recursive: true });
  await fake.close();
});

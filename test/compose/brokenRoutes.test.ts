import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { startService } from '../../src/compose/service.ts';
import { readConfig } from '../../src/config.ts';
import { demoAccount, startTestService } from '../helpers/service.ts';

const sentence =
  /its settings cannot be used: receipts\.status\.matches must be a regular expression of RE2: without lookaround/;

test('a route whose expression an earlier release took is named at the start, sends nothing and takes no receipts', async () => {
  const on = await startTestService();
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-broken-'));
  const settings = {
    url: 'https://gateway.example.net/',
    receipts: { id: { path: 'id' }, status: { matches: '(?=a)b' } },
  };
  await on.database.pool.query(
    `INSERT INTO sms_routes (account_id, id, name, prefix, position, kind, settings, created_at)
      VALUES ($1, 77, 'old', '5521', 0, 'http', $2, 0)`,
    [demoAccount, settings],
  );
  const lines: { msg: string; route?: number; why?: string }[] = [];
  const config = readConfig({
    ...{ DATABASE_URL: on.database.url, DATA_DIR: dataDir },
    ...{ SECRET_KEY: on.service.secrets.secretKey, NODE_NAME: 'second' },
  });
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const second = await startService({ ...config, port: 0, host: '127.0.0.1' }, log);
  try {
    const said = lines.filter(({ route }) => route === 77);
    expect(said).toMatchObject([
      { msg: 'an SMS route cannot be used until it is written anew', why: expect.stringMatching(sentence) },
    ]);
    const { body } = await on.post('MakeSMS', { dest: '5521987654321', text: 'x' });
    expect(JSON.stringify(body)).toMatch(sentence);
    const hook = await fetch(`${on.url}/hooks/sms/77?token=x&id=1`);
    expect([hook.status, await hook.text()]).toEqual([503, expect.stringMatching(sentence)]);
  } finally {
    await second.stop();
    rmSync(dataDir, { recursive: true });
    await on.stop();
  }
});

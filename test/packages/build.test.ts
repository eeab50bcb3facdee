/** The client as whoever installs it has it: compiled, with types, and nothing beside it. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'packages/client');
const out = mkdtempSync(join(tmpdir(), 'ramal-client-'));
afterAll(() => rmSync(out, { recursive: true }));
const run = promisify(execFile);

test('compiles to JavaScript with types that Node runs as it stands', async () => {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [tsc, '-p', folder, '--outDir', out]);
  expect(readFileSync(join(out, 'index.d.ts'), 'utf8')).toContain('RamalError');
  writeFileSync(join(out, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(out, 'try.js'),
    `import { Ramal } from './index.js';
    const answer = { return: { status: 'OK', status_code: '0' }, voices: [] };
    const fetch = async (url, init) => (console.log(url, init.headers.Authorization), Response.json(answer));
    console.log(await new Ramal({ url: 'https://ramal.example', token: 't', fetch }).getTTSVoices());`,
  );
  const { stdout } = await run(process.execPath, [join(out, 'try.js')]);
  expect(stdout).toContain('https://ramal.example/api/v2/GetTTSVoices.php Bearer t');
  expect(stdout).toContain('voices: []');
});

test('needs no other package', () => {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies?: object;
  };
  expect(dependencies).toBeUndefined();
});

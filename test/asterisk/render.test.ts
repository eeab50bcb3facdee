/** The configuration that `docker/asterisk/render` writes; `carrier.test.ts` runs one in an Asterisk. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'ramal-render-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const render = (env: Record<string, string>) =>
  spawnSync('docker/asterisk/render', [folder], {
    cwd: join(import.meta.dirname, '../..'),
    env: { PATH: process.env['PATH'], ARI_PASSWORD: 'secret', CARRIER: 'sip.example.net:5060', ...env },
    encoding: 'utf8',
  });
const file = (name: string) => readFileSync(join(folder, 'pjsip.d', name), 'utf8');

test('login, registration and the way through a router are there when they are asked for, and only then', () => {
  const asked = { CARRIER_USER: '5511400', CARRIER_PASSWORD: 'a;b&c', EXTERNAL_ADDRESS: '203.0.113.7' };
  expect(render(asked).status).toBe(0);
  expect(file('login.conf')).toContain('client_uri=sip:5511400@sip.example.net\n');
  // A semicolon would begin a comment.
  expect(file('login.conf')).toContain('password=a\\;b&c\n');
  expect(file('nat.conf')).toContain('external_media_address=203.0.113.7\n');
  expect(file('login.conf') + file('nat.conf')).not.toMatch(/@[A-Z_]+@/);
  expect(render({}).status).toBe(0);
  expect(['login.conf', 'nat.conf'].filter((name) => existsSync(join(folder, 'pjsip.d', name)))).toEqual([]);
});

test('a semicolon in a login of the service is no comment, and a new line no setting', () => {
  expect(render({ ARI_USER: 'ra;mal', ARI_PASSWORD: 'a;b' }).status).toBe(0);
  for (const name of ['ari.conf', 'manager.conf']) {
    const written = readFileSync(join(folder, name), 'utf8');
    expect(written).toContain('[ra\\;mal]');
    expect(written).toMatch(/^(password|secret) ?= ?a\\;b$/m);
  }
  expect(render({ ARI_PASSWORD: 'a\nread_only=no' })).toMatchObject({
    status: 1,
    stderr: 'ARI_PASSWORD must be one line\n',
  });
});

test('a user without a password is refused', () => {
  expect(render({ CARRIER_USER: '5511400' })).toMatchObject({
    stderr: expect.stringContaining('CARRIER_PASSWORD is not set'),
  });
});

import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadOrCreateSecrets } from '../src/loadOrCreateSecrets.ts';

const none = { adminToken: undefined, secretKey: undefined, demoToken: undefined };
let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'ramal-secrets-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

test('what nobody gave is made once and kept', () => {
  const first = loadOrCreateSecrets(dataDir, none);
  expect(first.made).toEqual(['adminToken', 'secretKey', 'demoToken']);
  expect(first.adminToken).toMatch(/^[A-Za-z0-9]{30}$/);
  expect(new Set([first.adminToken, first.secretKey, first.demoToken]).size).toBe(3);
  expect(loadOrCreateSecrets(dataDir, none)).toEqual({ ...first, made: [] });
});

test('only their owner may read them', () => {
  loadOrCreateSecrets(dataDir, none);
  const modes = readdirSync(dataDir).map((file) => [file, statSync(join(dataDir, file)).mode & 0o777]);
  expect(modes).toEqual([
    ['admin-token', 0o600],
    ['demo-token', 0o600],
    ['secret-key', 0o600],
  ]);
});

test('a given secret wins and is not written down', () => {
  const secrets = loadOrCreateSecrets(dataDir, { ...none, adminToken: 'mine' });
  expect(secrets).toMatchObject({ adminToken: 'mine', made: ['secretKey', 'demoToken'] });
  expect(readdirSync(dataDir)).toEqual(['demo-token', 'secret-key']);
  expect(readFileSync(join(dataDir, 'demo-token'), 'utf8').trim()).toBe(secrets.demoToken);
});

test('one that was written to its file by hand is long enough, or stops the start', () => {
  for (const file of ['admin-token', 'secret-key']) {
    const path = join(dataDir, file);
    loadOrCreateSecrets(dataDir, none);
    writeFileSync(path, 'short\n');
    expect(() => loadOrCreateSecrets(dataDir, none)).toThrow(
      `${path} must hold at least 24 characters: write a longer secret there`,
    );
    writeFileSync(path, `${'x'.repeat(24)},short\n`);
    expect(loadOrCreateSecrets(dataDir, none).made).toEqual([]);
  }
});

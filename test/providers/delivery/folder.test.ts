import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileToDeliver } from '../../../src/providers/contracts/delivery.ts';
import { localFolderDeliveryTarget } from '../../../src/providers/delivery/fileTargets/localFolder.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'ramal-deliveries-'));
});
afterEach(() => rmSync(base, { recursive: true }));

async function* text(...parts: string[]): AsyncGenerator<string> {
  yield* parts;
}

const aFile = (changes: Partial<FileToDeliver> = {}): FileToDeliver => ({
  name: 'campaign-17.csv',
  content: text('a;b\r\n', 'João;1\r\n'),
  draft: '77-11111111',
  signal: new AbortController().signal,
  ...changes,
});

const target = (folder = 'in/daily') => localFolderDeliveryTarget({ root: join(base, '3'), folder });
const written = (folder = 'in/daily'): string[] => readdirSync(join(base, '3', folder)).toSorted();

describe('a folder as a target', () => {
  it('takes a file, into folders that it makes, for nobody else to read', async () => {
    await target().put(aFile());
    expect(readFileSync(join(base, '3/in/daily/campaign-17.csv'), 'utf8')).toBe('a;b\r\nJoão;1\r\n');
    expect(statSync(join(base, '3/in/daily/campaign-17.csv')).mode & 0o007).toBe(0);
  });

  it('replaces a file of the same name, and removes what an earlier performance left of it', async () => {
    await target().put(aFile());
    for (const left of ['.campaign-17.csv.77-00000000.part', '.campaign-17.csv.78-00000000.part'])
      writeFileSync(join(base, '3/in/daily', left), 'half');
    await target().put(aFile({ content: text('new') }));
    expect(readFileSync(join(base, '3/in/daily/campaign-17.csv'), 'utf8')).toBe('new');
    expect(written()).toEqual(['.campaign-17.csv.78-00000000.part', 'campaign-17.csv']);
  });

  it('leaves the old file as it was when the content breaks, and passes the fault on as it is', async () => {
    await target().put(aFile({ content: text('old') }));
    const bug = Object.assign(new Error('a mistake of ours'), { code: 'ENOSPC' });
    async function* breaking(): AsyncGenerator<string> {
      yield 'half';
      throw bug;
    }
    await expect(target().put(aFile({ content: breaking() }))).rejects.toBe(bug);
    expect(written()).toEqual(['campaign-17.csv']);
    expect(readFileSync(join(base, '3/in/daily/campaign-17.csv'), 'utf8')).toBe('old');
  });

  it('leaves nothing behind when it is broken off, and may be tried again', async () => {
    const giveUp = new AbortController();
    async function* endless(): AsyncGenerator<string> {
      for (let part = 0; ; part += 1) {
        if (part === 3) giveUp.abort();
        yield 'x'.repeat(100_000);
      }
    }
    const put = target().put(aFile({ content: endless(), signal: giveUp.signal }));
    await expect(put).rejects.toMatchObject({ name: 'Retryable' });
    expect(written()).toEqual([]);
  });

  it('follows no link out of the account’s own folder, and writes no file there', async () => {
    mkdirSync(join(base, '3'));
    mkdirSync(join(base, '4'));
    symlinkSync(join(base, '4'), join(base, '3/theirs'));
    for (const folder of ['theirs', 'theirs/deeper'])
      await expect(target(folder).put(aFile())).rejects.toMatchObject({
        name: 'NotRetryable',
        reason: 'folderRefused',
      });
    expect(readdirSync(join(base, '4')).filter((entry) => entry.endsWith('.csv'))).toEqual([]);
  });

  it('says no for good when the place is no folder', async () => {
    mkdirSync(join(base, '3'));
    writeFileSync(join(base, '3/in'), 'a file');
    await expect(target().put(aFile())).rejects.toMatchObject({
      name: 'NotRetryable',
      reason: 'folderRefused',
    });
  });
});

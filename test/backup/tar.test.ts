import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { BrokenTar, readTar, tarEnd, tarHead, tarPadding } from '../../src/backup/tar.ts';

const at = Date.UTC(2026, 10, 23);

const tarOf = (files: Record<string, Buffer>): Buffer =>
  Buffer.concat([
    ...Object.entries(files).flatMap(([name, content]) => [
      tarHead(name, content.length, at),
      content,
      tarPadding(content.length),
    ]),
    tarEnd(),
  ]);

/** In pieces of so many bytes. */
async function* inPieces(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += length) yield bytes.subarray(from, from + length);
}

const read = async (bytes: Buffer, length = 1000): Promise<Record<string, Buffer>> => {
  const files: Record<string, Buffer> = {};
  for await (const { name, content } of readTar(inPieces(bytes, length))) {
    const parts: Buffer[] = [];
    for await (const part of content()) parts.push(part);
    files[name] = Buffer.concat(parts);
  }
  return files;
};

const long = `media/12345678901/${'n'.repeat(128)}.mp3`;
const files = {
  'ramal-backup.json': Buffer.from('{}'),
  empty: Buffer.alloc(0),
  'a block': Buffer.alloc(512, 1),
  [long]: Buffer.alloc(1025, 2),
};

test.each([1, 7, 512, 100_000])('what is written is read, in pieces of %i bytes', async (length) => {
  expect(await read(tarOf(files), length)).toEqual(files);
});

test('files that are not read are passed over', async () => {
  const names: string[] = [];
  for await (const { name } of readTar(inPieces(tarOf(files), 100))) names.push(name);
  expect(names).toEqual(Object.keys(files));
});

test('its source is read to the end: a checksum behind it may refuse all of it', async () => {
  async function* refused(): AsyncGenerator<Buffer> {
    yield tarOf(files);
    throw new Error('incorrect data check');
  }
  const reading = async (): Promise<void> => {
    for await (const { content } of readTar(refused())) await content().next();
  };
  await expect(reading()).rejects.toThrow('incorrect data check');
});

test('the tar of the system reads them', () => {
  const listed = execFileSync('tar', ['tvf', '-'], { input: tarOf(files), encoding: 'utf8' });
  for (const [name, { length }] of Object.entries(files))
    expect(listed).toMatch(new RegExp(`^-rw------- 0/0 +${length} .* ${name}$`, 'm'));
  expect(execFileSync('tar', ['xOf', '-', long], { input: tarOf(files) })).toEqual(files[long]);
});

test.each([0, 100, 512, 600, 1500, 3000])('one that is cut after %i bytes is refused', async (length) => {
  await expect(read(tarOf(files).subarray(0, length))).rejects.toThrow(new BrokenTar('it ends too soon'));
});

test('a damaged head is refused', async () => {
  const damaged = tarOf(files);
  damaged[10]! ^= 1;
  await expect(read(damaged)).rejects.toThrow('the head of a file is damaged');
});

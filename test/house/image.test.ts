import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const lines = (file: string) => readFileSync(join(root, 'docker/app', file), 'utf8').split('\n');

/** What a `COPY` of the image takes, from the folder of the build or from this repository. */
const copies = lines('Dockerfile').flatMap((line) => {
  const [, build, files] = /^COPY (--from=build )?(.*) \S+$/.exec(line) ?? [];
  return (files ?? '')
    .split(' ')
    .filter(Boolean)
    .map((file) => ({ build: build !== undefined, file }));
});

const ignored = lines('Dockerfile.dockerignore').filter(Boolean);
const isSent = (file: string) => !ignored.some((path) => file === path || file.startsWith(`${path}/`));
/** Folders that the build makes. */
const made = ['node_modules', 'dist'];

test('the image is made of files that are there and are sent to its build', () => {
  const sent = copies.map(({ build, file }) => (build ? file.replace('/app/', '') : file));
  expect(sent.length).toBeGreaterThan(8);
  const missing = sent.filter(
    (file) => !made.includes(file) && !(existsSync(join(root, file)) && isSent(file)),
  );
  expect(missing).toEqual([]);
});

test('the image holds what the package is published with', () => {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };
  const inImage = copies.filter(({ build }) => build).map(({ file }) => file.replace('/app/', ''));
  const isIn = (path: string) => inImage.some((file) => path === file || path.startsWith(`${file}/`));
  // The configuration of another image.
  const wanted = files.filter((path) => !path.startsWith('!') && path !== 'docker/asterisk/etc');
  expect(wanted.filter((path) => !isIn(path.replace(/\/\*\.md$/, '/x')))).toEqual([]);
});

import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';

const engine = join(import.meta.dirname, '../../src/engine');

/** From the inside out: a room imports those before it only. `''`: what puts them together. */
const order = ['contract', 'step', 'recovery', 'writer', 'timers', 'cluster', 'runtime', ''];

const roomOf = (file: string): string => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '');

const imports = (readdirSync(engine, { recursive: true }) as string[])
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) =>
    [...readFileSync(join(engine, file), 'utf8').matchAll(/ from '(\.[^']*)'/g)].map(([, to]) => ({
      file,
      to: relative(engine, join(engine, dirname(file), to!)),
    })),
  )
  .filter(({ file, to }) => roomOf(file) !== roomOf(to));

it('the engine imports none of the house around it', () => {
  expect(imports.filter(({ to }) => to.startsWith('..'))).toEqual([]);
});

it('a room of the engine imports those before it only', () => {
  const back = imports.filter(({ file, to }) => order.indexOf(roomOf(to)) > order.indexOf(roomOf(file)));
  expect(back).toEqual([]);
});

it('few arrows lead from room to room', () => {
  const arrows = new Set(imports.map(({ file, to }) => `${roomOf(file)} > ${roomOf(to)}`));
  expect(arrows.size).toBeLessThanOrEqual(25);
});

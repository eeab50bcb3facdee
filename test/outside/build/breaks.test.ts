import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { builtMain } from '../../service/service.ts';
import { type BreakName, breakNames, breaks } from '../breaks.ts';

const built = join(dirname(builtMain), '..');

it.each(breakNames)('%s fits what is built: each text stands there once', (name: BreakName) => {
  for (const { file, text } of breaks[name].edits)
    expect([file, readFileSync(join(built, file), 'utf8').split(text).length - 1]).toEqual([file, 1]);
});

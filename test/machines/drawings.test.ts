import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { drawings } from '../../docs/tools/charts/index.ts';
import { machineKinds } from '../../machines/index.ts';

it.each(drawings(machineKinds))(
  'the drawing $file is the one of the chart; `npm run docs` makes it anew',
  ({ file, svg }) => {
    expect(readFileSync(new URL(`../../docs/machines/${file}`, import.meta.url), 'utf8')).toBe(svg);
  },
);

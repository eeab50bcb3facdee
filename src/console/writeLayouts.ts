/**
 * Writes the layout of every chart version that this build has, as data beside the compiled code:
 * `dist/console/charts/<kind>.<version>.json`. Part of `npm run build`; run from `dist/src/console`.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kinds } from '../../machines/index.ts';
import { allLayouts, layoutFile } from './layouts.ts';

const folder = join(import.meta.dirname, '../../console/charts');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const layout of allLayouts(kinds))
  writeFileSync(join(folder, layoutFile(layout)), JSON.stringify(layout));

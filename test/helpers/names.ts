/** The names of this machine, for providers under test. */
import type { Names } from '../../src/providers/names.ts';
import { openNames } from '../../src/providers/names/open.ts';

export const names: Names = openNames({ system: true });
export const lookup = names.of('test');

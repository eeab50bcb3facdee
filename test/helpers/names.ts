/** The names of this machine, for providers under test. */
import type { Names } from '../../src/providers/dns.ts';
import { openNames } from '../../src/providers/dns/open.ts';

export const names: Names = openNames({ system: true });
export const lookup = names.of('test');

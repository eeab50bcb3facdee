/**
 * Deferred starts (decisions/0021). When a step of another machine starts a machine of a low-priority kind, that step's
 * commit only writes the row: with the start's input, and a timer that is due at once. The first step of the new
 * machine is taken when its kind has its turn; until then it has no history and no record.
 */
import type { ArmedMachineTimer } from './timersAndPendingEffects.ts';
import type { Mail } from './machineMail.ts';
import type { MachineRow } from './rows.ts';

/** The state that its row shows. */
export const PENDING_MACHINE_STATE = 'pending';

const BIRTH = 'birth';

/** What such a row owes: its birth, now. */
export const deferredMachineStartTimer = (at: number): ArmedMachineTimer => ({
  t: 'timer',
  id: BIRTH,
  rev: 0,
  due: at,
});

/** What tells the machine so. */
export const deferredMachineBirthMail: Mail = { what: 'timer', id: BIRTH, rev: 0 };

const HEAD = '{"pending":';

/** In place of a snapshot: what it is to be born with, as JSON. */
export const deferredMachineStartSnapshot = (input: string): string => `${HEAD}${input}}`;

/** What a row's machine is to be born with, as JSON; null for one that is born. */
export const deferredInputOf = ({ state, snapshot }: Pick<MachineRow, 'state' | 'snapshot'>): string | null =>
  state === PENDING_MACHINE_STATE ? snapshot.slice(HEAD.length, -1) : null;

/**
 * Machines whose first step is put off (decisions/0077). One of a patient kind that another machine's step starts is
 * only written down in that step's commit: its row holds what it is to be born with, and a timer that is due at once.
 * It is born by the first step it takes, when its kind's turn comes; until then it has no history and no record.
 */
import type { TimerEntry } from './agenda.ts';
import type { Mail } from './mailbox.ts';
import type { MachineRow } from './rows.ts';

/** The state that its row shows. */
export const PENDING = 'pending';

const BIRTH = 'birth';

/** What such a row owes: its birth, now. */
export const startTimer = (at: number): TimerEntry => ({ t: 'timer', id: BIRTH, rev: 0, due: at });

/** What tells the machine so. */
export const startMail: Mail = { what: 'timer', id: BIRTH, rev: 0 };

const HEAD = '{"pending":';

/** In place of a snapshot: what it is to be born with, as JSON. */
export const deferredSnapshot = (input: string): string => `${HEAD}${input}}`;

/** What a row's machine is to be born with, as JSON; null for one that is born. */
export const deferredInputOf = ({ state, snapshot }: Pick<MachineRow, 'state' | 'snapshot'>): string | null =>
  state === PENDING ? snapshot.slice(HEAD.length, -1) : null;

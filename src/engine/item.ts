import type { Booking } from '../../machines/effect.ts';
import type { Chart } from './chart.ts';
import type { Draft } from './draft.ts';
import type { Mail } from './mail.ts';
import type { Caller } from './patience.ts';
import type { Resident } from './resident.ts';
import type { Write } from './store.ts';
import type { ClaimRequest, PaidResult } from './verbs.ts';
import { writeOf } from './write.ts';

/** A start on its way. */
export interface Birth {
  chart: Chart;
  account: number;
  id: number;
  input: object;
  claims: ClaimRequest[];
  bookings: readonly Booking[];
  caller: Caller<PaidResult>;
  /** Some write of it was not answered, and may still land. */
  doubtful: boolean;
}

/** One machine of a batch: its draft and what it was made of. */
export interface Item {
  draft: Draft;
  mails: Mail[];
  resident: Resident | null;
  birth: Birth | null;
}

/** How much of a batch it takes up: each piece of mail, and each machine it starts, is a step and a history entry. */
export const sizeOf = ({ draft, mails }: Item): number => Math.max(1, mails.length) + draft.births.length;

/** All that is written for a batch, in the order of its keys: two statements never wait for each other in a ring. */
export const writesOf = (items: readonly Item[]): Write[] => {
  const writes: Write[] = [];
  for (const { draft } of items) {
    writes.push(writeOf(draft));
    for (const birth of draft.births) writes.push(writeOf(birth, draft.id));
  }
  return writes.toSorted(byKey);
};

const byKey = (one: Write, other: Write): number => one.account - other.account || one.id - other.id;

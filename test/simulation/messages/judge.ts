/**
 * The judgement of the messages: each sent once or not at all, each at an end or with a reason to wait, paid for by
 * everyone of its chain once, and paid back once where it was refused or failed, and only there.
 */
import type { MessageContext } from '../../../machines/message/contextAndAssigns.ts';
import type { TimerOrPendingEffect } from '../../../src/engine/contract/timersAndPendingEffects.ts';
import type { LedgerEntry } from '../../../src/store/memory.ts';
import type { Book } from '../book.ts';
import type { Database } from '../database.ts';
import type { Messages } from './messages.ts';
import { ALLOWANCE, ALLOWED, BALANCE, PAYERS } from './program.ts';

export interface MessageTrial {
  book: Book;
  database: Database;
  messages: Messages;
}

/** How a message stands at last. */
export interface LastMessage {
  id: number;
  state: string;
  ended: boolean;
  agenda: string;
  context: MessageContext;
}

/** States in which a message may wait for days, for what only its carrier or an operator can tell. */
const WAITING = new Set(['acknowledged', 'delivered', 'read', 'unknown']);
const GIVEN_BACK = new Set(['failed', 'undelivered']);

/** One message: its end, or its reason to wait, is what is true of it out there. */
export const judgeMessage = ({ book, messages }: MessageTrial, last: LastMessage): void => {
  const { id, ended, agenda, context } = last;
  const state = last.state.split('.')[0]!;
  const { taken, heard, failure } = messages.upstream.truthOf(id);
  const wrong = (rule: string, detail: string): void => book.violated(rule, id, detail);
  book.count(`message ${state}`);
  const owed = JSON.parse(agenda) as TimerOrPendingEffect[];
  const waits = owed.length === 1 && owed[0]!.t === 'timer';
  if (ended ? owed.length > 0 : !WAITING.has(state) || !waits) wrong('stuck', `${state} owes ${agenda}`);
  if (context.acknowledgedAt > 0 && taken === 0) wrong('lost', `${state}, and nobody took it`);
  if (GIVEN_BACK.has(state) && taken > 0 && !failure) wrong('given back', `${state}, and it was sent`);
  for (const status of heard)
    if (!isTold(status, state, context)) wrong('lost', `${status} was heard, and it is ${state}`);
  if (context.refunded !== GIVEN_BACK.has(state)) wrong('given back', `${state}: ${context.refunded}`);
};

/** Whether a message knows of a receipt that was heard. */
const isTold = (status: string, state: string, { deliveredAt, readAt }: MessageContext): boolean => {
  switch (status) {
    case 'delivered':
      return deliveredAt > 0 || readAt > 0;
    case 'read':
      return readAt > 0;
    case 'failed':
    case 'undelivered':
      return state === status;
    default:
      return state !== 'unknown';
  }
};

/** The books: every balance is what its ledger says, and the ledger what the messages say. */
export const judgeBooks = (trial: MessageTrial): void => {
  judgeBalances(trial);
  trial.messages.judgeRefused();
  const { book, database } = trial;
  const entries = new Map<number, LedgerEntry[]>();
  for (const entry of database.tables.ledger) {
    if (entry.machine === null) continue;
    const known = entries.get(entry.machine);
    if (known) known.push(entry);
    else entries.set(entry.machine, [entry]);
    if (!database.born.has(entry.machine)) book.violated('booked wrong', entry.machine, 'it was never born');
  }
  for (const [id, { kind }] of database.born)
    if (kind === 'message') judgeEntries(trial, id, entries.get(id) ?? []);
};

const judgeBalances = ({ book, database, messages }: MessageTrial): void => {
  const { balances, ledger } = database.tables;
  for (const account of PAYERS) {
    const sum = ledger
      .filter((entry) => entry.account === account)
      .reduce((all, { amount }) => all + amount, 0);
    const held = balances.get(`${account} ${BALANCE}`);
    if (held !== sum) book.violated('books', 0, `${account} holds ${held}, its ledger says ${sum}`);
  }
  const entries = new Set(ledger.map(({ account, id }) => `${account} ${id}`));
  for (const payment of messages.till.booked)
    if (!entries.has(payment))
      book.violated('payment lost', 0, `the payment ${payment} is not in the ledger`);
  const born = [...database.born.values()].filter(
    ({ account, kind }) => kind === 'message' && account === ALLOWED,
  ).length;
  const left = balances.get(`${ALLOWED} ${ALLOWANCE}`);
  if (left !== messages.till.allowance - born)
    book.violated('books', 0, `${left} of ${messages.till.allowance} are allowed after ${born}`);
};

/** Everyone of its chain paid once, and has it back or not. */
const judgeEntries = ({ book, database }: MessageTrial, id: number, entries: LedgerEntry[]): void => {
  const { tables } = database;
  const born = JSON.parse(tables.history.get(id)![0]!.payload!) as MessageContext['message'];
  const isRefunded = tables.records.get('messages')?.get(id)?.['refunded'] === true;
  const charges = born.refund.map(({ account, amount }) => `charge ${account} ${-amount}`);
  const refunds = isRefunded ? born.refund.map(({ account, amount }) => `refund ${account} ${amount}`) : [];
  const expected = [...charges, ...refunds].toSorted().join(', ');
  const found = entries
    .map(({ entry, account, amount }) => `${entry} ${account} ${amount}`)
    .toSorted()
    .join(', ');
  if (found !== expected) book.violated('booked wrong', id, `${found}; not ${expected}`);
  for (const { payer } of entries)
    if (payer !== database.born.get(id)!.account) book.violated('booked wrong', id, `paid by ${payer}`);
};

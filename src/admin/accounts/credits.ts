/** An account's money: what an operator books by hand, and the ledger of all that moved. Nothing in it is changed. */
import * as z from 'zod';
import { amountToTenThousandths } from '../../rules/accounts/pricing.ts';
import { readAccountBalances, readLedgerPage, type LedgerRow } from '../../store/balances.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import {
  moneyAmountFieldSchema,
  at,
  idCursorField,
  nextPageFieldsSchema,
  pageWithCursor,
  text,
} from '../fieldSchemas.ts';
import { AdminError } from '../adminErrorsAndRequestParsing.ts';
import { writeCallId } from '../../wire/callId.ts';
import { accountInPath } from './accountInPath.ts';

const booking = z.strictObject({
  amount: moneyAmountFieldSchema.refine((value) => /[1-9]/.test(value), 'must not be 0'),
  note: text(500).optional(),
});

const pageSize = 200;

const entry = z.object({
  id: z.int(),
  at,
  entry: z.string(),
  amount: z.number().describe('What moved; negative: it was spent.'),
  payer_id: z
    .int()
    .nullable()
    .describe('The account that sent the message, or made the call; null: booked by hand.'),
  note: z.string(),
  cdls_id: z.int().nullable().describe('The message that it is of; null: of none.'),
  cd_id: z.string().nullable().describe('The call that it is of; null: of none.'),
});

const balanceOf = async (deps: AdminDeps, { shard, id }: AccountRow): Promise<bigint> =>
  (await readAccountBalances(deps.pool(shard), [id])).get(id) ?? 0n;

/** The ledger is only added to. */
const onlyAddedTo = (path: z.ZodObject) =>
  defineRoute({
    role: 'admin',
    summary: 'Is refused: the ledger is only added to.',
    path,
    http: 405,
    refuses: { 405: 'Book the difference.' },
    example: {},
    handle: ({ ctx }): void => {
      ctx.set('Allow', 'GET, POST');
      throw new AdminError(405, 'the ledger is only added to: book the difference');
    },
  });
const whole = onlyAddedTo(z.object({ account: z.string() }));
const single = onlyAddedTo(z.object({ account: z.string(), id: z.string() }));

export const creditRoutes = {
  'POST /accounts/:account/credits': defineRoute({
    role: 'admin',
    summary: 'Books an amount by hand, to the account or off it.',
    scope: accountInPath,
    body: booking,
    answer: z.object({
      id: z.int(),
      cdcs_id: z.int(),
      amount: z.number(),
      note: z.string(),
      balance: z.number(),
    }),
    http: 201,
    refuses: { 409: 'The balance holds less than that.' },
    example: {
      body: { amount: '100.50', note: 'invoice 17' },
      answer: { id: 747_602_262_048_825, cdcs_id: 3, amount: 100.5, note: 'invoice 17', balance: 200.5 },
    },
    handle: async ({ deps, account, body: { amount: moved, note = '' } }) => {
      const units = amountToTenThousandths(moved);
      const id = deps.engine.mintId(account.shard);
      const booked = await deps.engine.keep(account.shard, {
        booked: [
          {
            ...{ id, account: account.id, amount: Number(units), sets: false, entry: null, note },
            at: deps.now(),
          },
        ],
      });
      if (booked.outcome === 'insufficientBalance')
        throw new AdminError(409, 'amount: the balance holds less than that', { field: 'amount' });
      const balance = booked.balances.get(account.id) ?? (await balanceOf(deps, account));
      return { id, cdcs_id: account.id, amount: asMoney(units), note, balance: asMoney(balance) };
    },
  }),
  'GET /accounts/:account/credits': defineRoute({
    role: 'operator',
    summary: 'Lists all that moved, newest first.',
    scope: accountInPath,
    query: z.object({ cursor: idCursorField() }),
    answer: z.object({ balance: z.number(), credits: z.array(entry), ...nextPageFieldsSchema.shape }),
    example: {
      answer: {
        balance: 200.5,
        credits: [
          {
            ...{ id: 747_602_262_048_825, at: 1_795_325_744_421, entry: 'credit', amount: 100.5 },
            ...{ payer_id: null, note: 'invoice 17', cdls_id: null, cd_id: null },
          },
        ],
        cursor: null,
      },
    },
    handle: async ({ deps, account, query: { cursor: before = null } }) => {
      const filter = { account: account.id, before, limit: pageSize + 1 };
      const { rows, cursor } = pageWithCursor(
        await readLedgerPage(deps.pool(account.shard), filter),
        pageSize,
      );
      const balance = await balanceOf(deps, account);
      return { balance: asMoney(balance), credits: rows.map((row) => show(row, account)), cursor };
    },
  }),
  'PUT /accounts/:account/credits': whole,
  'PATCH /accounts/:account/credits': whole,
  'DELETE /accounts/:account/credits': whole,
  'PUT /accounts/:account/credits/:id': single,
  'PATCH /accounts/:account/credits/:id': single,
  'DELETE /accounts/:account/credits/:id': single,
};

const asMoney = (units: bigint): number => Number(units) / 10_000;

const ofCalls: ReadonlySet<string> = new Set(['callCharge', 'callRefund']);

const show = ({ machine_id, amount: units, ...entry }: LedgerRow, { shard }: AccountRow) => {
  const isOfCall = machine_id !== null && ofCalls.has(entry.entry);
  return {
    ...entry,
    amount: asMoney(units),
    cdls_id: isOfCall ? null : machine_id,
    cd_id: isOfCall ? writeCallId(shard, machine_id) : null,
  };
};

/** Accounts (cdcs). */
import * as z from 'zod';
import type { Prisma } from '../../generated/prisma/client.ts';
import { amountToTenThousandths } from '../../rules/accounts/pricing.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import { OPENING_LEDGER_ENTRY, createAccountBalanceAndTariff } from '../../store/provisionAccount.ts';
import { readAccountBalances } from '../../store/balances.ts';
import { ResellerChainError } from '../../store/resellers.ts';
import {
  toCallbackSettingsColumns,
  callbackSettingsFields,
  toAdminAccountAnswer,
} from '../deliveries/callbackSettingsFields.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import {
  accountRecords,
  referenceTo,
  moneyAmountFieldSchema,
  byId,
  json,
  maxRecordId,
  name,
  nextPageFieldsSchema,
  pageWithCursor,
  priceFieldSchema,
  text,
  timeZoneFieldSchema,
  callingWindowsFieldSchema,
  booleanFieldSchema,
} from '../fieldSchemas.ts';
import { closedPrefixesSchema } from '../trunks/trunkSchemas.ts';
import type { ClosedPrefixes } from '../../rules/trunks/trunkTypes.ts';
import {
  AdminError,
  omitUndefined,
  type PartialOrUndefined,
  notFound,
} from '../adminErrorsAndRequestParsing.ts';
import { accountInPath } from './accountInPath.ts';
import { accountExample, accountSchema } from './accountAnswerSchema.ts';

const accountFields = z.strictObject({
  name,
  time_zone: timeZoneFieldSchema.optional(),
  balance: moneyAmountFieldSchema.optional(),
  active: booleanFieldSchema.optional(),
  reseller_id: referenceTo(accountRecords, z.int32().positive()).nullable().optional(),
  caller_id: text(40).optional(),
  caller_ids: z.array(text(40)).max(1000).optional(),
  cdcs_uni_ctid: booleanFieldSchema.optional(),
  skip_blocklist: booleanFieldSchema.optional(),
  retry_declined: booleanFieldSchema.optional(),
  regional_window: z.int().min(0).max(2).optional(),
  calling_windows: callingWindowsFieldSchema.optional(),
  campaign_windows: booleanFieldSchema.optional(),
  closed_prefixes: closedPrefixesSchema.optional(),
  spend_per_day: priceFieldSchema.nullable().optional(),
  charge_calls: booleanFieldSchema.optional(),
  concurrent_calls: z.int().min(1).max(100_000).nullable().optional(),
  fixed_routes: booleanFieldSchema.optional(),
  ...callbackSettingsFields,
  call_rate: priceFieldSchema.optional(),
  /** Of a chat message inside an open conversation, and of a template (spec 4.14 "Billing"). */
  price_1: priceFieldSchema.optional(),
  price_2: priceFieldSchema.optional(),
  sms_night_cap: z.int().min(0).max(1_000_000).optional(),
  settings: json.optional(),
});
const newAccount = accountFields.extend({ shard: z.string().optional() });

const accountSought = z.string().trim().min(1).max(200);

type AccountBody = PartialOrUndefined<z.output<typeof accountFields>>;

/** The first ids are for the administrative account and what may come to stand beside it. */
const firstAccountId = 100;

export const accountRoutes = {
  'POST /accounts': defineRoute({
    role: 'admin',
    summary: 'Makes an account.',
    body: newAccount,
    answer: accountSchema,
    http: 201,
    example: { body: { name: 'Shop', balance: '100' }, answer: { ...accountExample, name: 'Shop' } },
    handle: async ({ deps, body }) => {
      const { shard: asked, balance, ...fields } = body;
      const reseller = await checkReseller(deps, fields.reseller_id);
      const shard = await chooseShard(deps, asked, reseller);
      const id = await deps.control.reserveIds('account', 1, firstAccountId);
      const columns = toColumns(deps, { id }, fields);
      await open(deps, shard, id, unitsOf(balance ?? '0'));
      const secret = deps.callbacks.newSecret(id);
      const data = { ...columns, id, name: fields.name, shard, webhook_secret: secret };
      return shownOne(deps, await chained(fields.reseller_id, deps.control.createAccount(data)));
    },
  }),
  'GET /accounts': defineRoute({
    role: 'operator',
    summary: 'Lists accounts by id.',
    query: byId().extend({ q: accountSought.optional().describe('A part of the name, or the id.') }),
    answer: z.object({ accounts: z.array(accountSchema), ...nextPageFieldsSchema.shape }),
    example: { answer: { accounts: [accountExample], cursor: null } },
    handle: async ({ deps, query }) => {
      const found = await deps.control.accounts(
        Math.min(query.cursor ?? 0, maxRecordId),
        pageSize + 1,
        query.q,
      );
      const { rows, cursor } = pageWithCursor(found, pageSize);
      return { accounts: await shown(deps, rows), cursor };
    },
  }),
  'GET /accounts/:account': defineRoute({
    role: 'operator',
    summary: 'Shows an account.',
    scope: accountInPath,
    answer: accountSchema,
    example: { answer: accountExample },
    handle: ({ deps, account }) => shownOne(deps, account),
  }),
  'PATCH /accounts/:account': defineRoute({
    role: 'admin',
    summary: 'Changes an account; the part of the database (shard) that it lives in stays.',
    scope: accountInPath,
    body: accountFields.partial(),
    answer: accountSchema,
    example: { body: { concurrent_calls: 20 }, answer: { ...accountExample, concurrent_calls: 20 } },
    handle: async ({ deps, account: before, body: { balance, ...body } }) => {
      const { id, shard } = before;
      const columns = toColumns(deps, before, body);
      await checkReseller(deps, body.reseller_id, { id, shard });
      const units = balance === undefined ? undefined : unitsOf(balance);
      const changed = await chained(body.reseller_id, deps.control.updateAccount(id, columns));
      if (!changed) throw notFound(`account ${id}`);
      if (units !== undefined) await correct(deps, shard, id, units);
      const { calling_windows: windows, campaign_windows: keeps, time_zone: zone } = body;
      if ([windows, keeps, zone].some((change) => change !== undefined))
        await planCampaignsAnew(deps, changed);
      return shownOne(deps, changed);
    },
  }),
};

const pageSize = 200;

/** Campaigns that dial hear of other hours at once, and those that are paused: they know by them when they are over. */
const planCampaignsAnew = async (deps: AdminDeps, { id: account, shard }: AccountRow): Promise<void> => {
  const { rows } = await deps
    .pool(shard)
    .query<{ id: number }>(
      `SELECT id FROM campaigns WHERE account_id = $1 AND state IN ('active', 'paused')`,
      [account],
    );
  for (const { id } of rows) await deps.engine.send({ shard, account, id }, { type: 'windowsChanged' });
};

const toColumns = (
  deps: AdminDeps,
  account: Parameters<typeof toCallbackSettingsColumns>[1],
  { cdcs_uni_ctid, price_1, price_2, ...body }: Omit<AccountBody, 'balance'>,
) =>
  omitUndefined({
    ...toCallbackSettingsColumns(deps, account, body),
    chat_price: price_1,
    template_price: price_2,
    settings: body.settings as Prisma.InputJsonObject | undefined,
    unique_ctid: cdcs_uni_ctid,
  });

/**
 * The reseller that a body names. Accounts that pay for each other live in one shard (a charge up the chain is part
 * of one commit), and none pays for itself.
 */
const checkReseller = async (
  deps: AdminDeps,
  id: number | null | undefined,
  self?: { id: number; shard: string },
): Promise<AccountRow | undefined> => {
  if (id === null || id === undefined) return undefined;
  const reseller = await deps.control.account(id);
  if (!reseller) throw refused(id, 'there is none such');
  await chained(id, deps.control.checkReseller(id, self?.id ?? null));
  if (self && reseller.shard !== self.shard) throw refused(id, `it lives in shard ${reseller.shard}`);
  return reseller;
};

/** What is written of a reseller, or a word to the operator that it cannot be one. */
const chained = async <T>(reseller: number | null | undefined, written: Promise<T>): Promise<T> => {
  try {
    return await written;
  } catch (error) {
    throw error instanceof ResellerChainError ? refused(reseller, error.message) : error;
  }
};

const refused = (reseller: number | null | undefined, why: string): AdminError =>
  new AdminError(400, `reseller_id: account ${reseller} cannot be the reseller: ${why}`, {
    field: 'reseller_id',
  });

/** What an account has from its first moment, before anybody can find it. */
const open = async (deps: AdminDeps, shard: string, account: number, balance: bigint): Promise<void> => {
  const ids = {
    tariff: await deps.control.reserveIds('tariff', 1),
    route: deps.sandbox ? await deps.control.reserveIds('smsRoute', 1) : undefined,
  };
  const at = deps.now();
  await createAccountBalanceAndTariff(deps.pool(shard), { account, balance: 0n, ids, at });
  const opening = { ...OPENING_LEDGER_ENTRY, account, amount: Number(balance), sets: false, note: '', at };
  if (balance > 0n) await deps.engine.keep(shard, { booked: [opening] });
};

/** A balance set by hand is an entry of the difference in the ledger. */
const correct = async (deps: AdminDeps, shard: string, account: number, amount: bigint): Promise<void> => {
  const id = deps.engine.mintId(shard);
  const note = 'balance set by an operator';
  await deps.engine.keep(shard, {
    booked: [{ id, account, amount: Number(amount), sets: true, entry: null, note, at: deps.now() }],
  });
};

/** A balance that an account begins with, or is set to. */
const unitsOf = (balance: string): bigint => {
  const units = amountToTenThousandths(balance);
  if (units < 0n) throw new AdminError(400, 'balance: must not be negative', { field: 'balance' });
  return units;
};

/** The reseller's shard, else the one asked for, else the one with the fewest accounts. */
const chooseShard = async (
  deps: AdminDeps,
  asked: string | undefined,
  reseller: AccountRow | undefined,
): Promise<string> => {
  if (reseller && (asked ?? reseller.shard) !== reseller.shard)
    throw new AdminError(400, `shard: the reseller lives in ${reseller.shard}`, { field: 'shard' });
  if (reseller) return reseller.shard;
  if (asked !== undefined) {
    if (deps.shards.includes(asked)) return asked;
    throw new AdminError(400, `shard: must be one of ${deps.shards.join(', ')}`, { field: 'shard' });
  }
  const counts = await deps.control.accountsByShard();
  const byLoad = deps.shards.toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0));
  return byLoad[0]!;
};

const shownOne = async (deps: AdminDeps, account: AccountRow) => (await shown(deps, [account]))[0]!;

/** Accounts as they are shown, with what they have. */
const shown = async (deps: AdminDeps, accounts: readonly AccountRow[]) => {
  const shards = [...new Set(accounts.map(({ shard }) => shard))];
  const perShard = await Promise.all(
    shards.map((shard) =>
      readAccountBalances(
        deps.pool(shard),
        accounts.filter((account) => account.shard === shard).map(({ id }) => id),
      ),
    ),
  );
  const balances = new Map(perShard.flatMap((balances) => [...balances]));
  return accounts.map((account) => show(deps, account, balances.get(account.id) ?? 0n));
};

const show = (deps: AdminDeps, row: AccountRow, balance: bigint) => {
  const { id, unique_ctid, call_rate, chat_price, template_price, ...account } = toAdminAccountAnswer(
    deps,
    row,
  );
  return {
    cdcs_id: id,
    ...account,
    caller_ids: account.caller_ids as string[],
    closed_prefixes: { open: [], closed: [], ...(account.closed_prefixes as Partial<ClosedPrefixes>) },
    spend_per_day: account.spend_per_day?.toFixed(4) ?? null,
    settings: account.settings as Record<string, unknown>,
    cdcs_uni_ctid: unique_ctid,
    balance: Number(balance) / 10_000,
    call_rate: Number(call_rate),
    price_1: Number(chat_price),
    price_2: Number(template_price),
  };
};

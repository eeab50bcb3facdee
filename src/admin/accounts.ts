/** Accounts (cdcs). */
import type { Router } from '@koa/router';
import * as z from 'zod';
import type { Prisma } from '../generated/prisma/client.ts';
import { readWindows } from '../rules/windows.ts';
import { type AccountRow, noJson } from '../store/control.ts';
import type { AdminDoor } from './api.ts';
import { amount, json, name, text, timeZone, yesNo } from './fields.ts';
import { AdminError, given, type Loose, notFound, pathId, read } from './respond.ts';

/** Calling windows that can be read, or null for the default table. */
const windows = z.unknown().transform((value, context) => {
  if (value === null) return noJson;
  try {
    readWindows(value);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
  }
  return value as Prisma.InputJsonValue;
});

const accountFields = z.strictObject({
  name,
  time_zone: timeZone.optional(),
  balance: amount.optional(),
  active: yesNo.optional(),
  reseller_id: z.int().positive().nullable().optional(),
  caller_id: text(40).optional(),
  caller_ids: z.array(text(40)).max(1000).optional(),
  cdcs_uni_ctid: yesNo.optional(),
  skip_blocklist: yesNo.optional(),
  regional_window: z.int().min(0).max(2).optional(),
  calling_windows: windows.optional(),
  campaign_windows: yesNo.optional(),
  concurrent_calls: z.int().min(1).max(100_000).nullable().optional(),
  fixed_routes: yesNo.optional(),
  callback_url: text(2000).optional(),
  call_rate: amount.optional(),
  settings: json.optional(),
});
const newAccount = accountFields.extend({ shard: z.string().optional() });

type AccountBody = Loose<z.output<typeof accountFields>>;

/** The first ids are for the administrative account and what may come to stand beside it. */
const firstAccountId = 100;

export const accountRoutes = (router: Router, door: AdminDoor): void => {
  router.post('/accounts', async (ctx) => {
    const body = read(newAccount, ctx.request.body);
    const { shard, ...fields } = body;
    await checkReseller(door, fields.reseller_id);
    const account = await door.control.createAccount({
      ...toColumns(fields),
      id: await door.control.reserveIds('account', 1, firstAccountId),
      name: fields.name,
      shard: await chooseShard(door, shard),
      webhook_secret: door.newWebhookSecret(),
    });
    ctx.status = 201;
    ctx.body = show(account);
  });

  router.get('/accounts', async (ctx) => {
    const after = pathId(String(ctx.query['cursor'] ?? '0'), 'cursor');
    const accounts = await door.control.accounts(after, pageSize + 1);
    const page = accounts.slice(0, pageSize);
    ctx.body = {
      accounts: page.map(show),
      cursor: accounts.length > pageSize ? String(page.at(-1)!.id) : null,
    };
  });

  router.get('/accounts/:account', async (ctx) => {
    ctx.body = show(await accountOf(door, ctx.params['account']));
  });

  router.patch('/accounts/:account', async (ctx) => {
    const { id } = await accountOf(door, ctx.params['account']);
    const body = read(accountFields.partial(), ctx.request.body);
    await checkReseller(door, body.reseller_id, id);
    const changed = await door.control.updateAccount(id, toColumns(body));
    if (!changed) throw notFound(`account ${id}`);
    if (body.calling_windows !== undefined || body.campaign_windows !== undefined)
      await planCampaignsAnew(door, changed);
    ctx.body = show(changed);
  });
};

const pageSize = 200;

/** The account a path names. */
export const accountOf = async (door: AdminDoor, text: string | undefined): Promise<AccountRow> => {
  const id = pathId(text, 'account');
  const account = id < 2 ** 31 ? await door.control.account(id) : null;
  if (!account) throw notFound(`account ${text}`);
  return account;
};

/** Campaigns that dial hear of other windows at once; the rest plans anew when it begins to. */
const planCampaignsAnew = async (door: AdminDoor, { id: account, shard }: AccountRow): Promise<void> => {
  const { rows } = await door
    .pool(shard)
    .query<{ id: number }>(`SELECT id FROM campaigns WHERE account_id = $1 AND state = 'active'`, [account]);
  for (const { id } of rows) await door.engine.send({ shard, account, id }, { type: 'windowsChanged' });
};

const toColumns = ({ cdcs_uni_ctid, ...body }: AccountBody) =>
  given({
    ...body,
    settings: body.settings as Prisma.InputJsonObject | undefined,
    unique_ctid: cdcs_uni_ctid,
  });

/** Accounts that pay for each other live in one shard (a charge up the chain is part of one commit). */
const checkReseller = async (
  door: AdminDoor,
  reseller: number | null | undefined,
  self?: number,
): Promise<void> => {
  if (reseller === null || reseller === undefined) return;
  if (reseller === self || !(await door.control.account(reseller))) {
    throw new AdminError(400, `reseller_id: account ${reseller} cannot be the reseller`, {
      field: 'reseller_id',
    });
  }
};

/** The shard asked for, else the one with the fewest accounts. */
const chooseShard = async (door: AdminDoor, asked: string | undefined): Promise<string> => {
  if (asked !== undefined) {
    if (door.shards.includes(asked)) return asked;
    throw new AdminError(400, `shard: must be one of ${door.shards.join(', ')}`, { field: 'shard' });
  }
  const counts = await door.control.accountsByShard();
  const byLoad = door.shards.toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0));
  return byLoad[0]!;
};

const show = ({ id, unique_ctid, balance, call_rate, ...account }: AccountRow) => ({
  cdcs_id: id,
  ...account,
  cdcs_uni_ctid: unique_ctid,
  balance: Number(balance),
  call_rate: Number(call_rate),
});

/** An account's block list. Numbers are kept as they are dialled. */
import * as z from 'zod';
import { readPhoneNumber } from '../../rules/voice/parsePhoneNumber.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import { at, nextPageFieldsSchema, text } from '../fieldSchemas.ts';
import { AdminError, notFound } from '../adminErrorsAndRequestParsing.ts';

const entry = z.strictObject({
  number: z
    .union([z.string().max(40), z.int()], 'must be a number, as text of at most 40 characters or as digits')
    .transform(String),
  reason: text(200).default(''),
});
const change = z.strictObject({ reason: text(200) });
const pageSize = 500;

const record = z.object({
  account_id: z.int(),
  number: z.string().describe('As it is dialled.'),
  reason: z.string(),
  created_at: at,
});

const example = {
  ...{ account_id: 3, number: '5511987650000', reason: 'asked us' },
  created_at: 1_795_325_744_421,
};

const path = z.object({ number: z.string() });

interface Of {
  deps: AdminDeps;
  account: AccountRow;
}

const listOf = ({ deps, account }: Of) => deps.database(account.shard).blockedNumber;

/** The number is on the list with this reason; the entry as it stands then. */
const keep = async (request: Of, number: string, reason: string) => {
  const { deps, account } = request;
  const now = deps.now();
  const blocked = [{ account: account.id, number, reason, at: now, replaces: true }];
  await deps.engine.keep(account.shard, { blocked });
  const where = { account_id_number: { account_id: account.id, number } };
  const row = await listOf(request).findUnique({ where });
  // Another request has removed it meanwhile.
  return row ?? { account_id: account.id, number, reason, created_at: now };
};

/** The number in the path, as it is kept. Throws a 400 for what is none, and a 404 for one that is not on the list. */
const listed = async (request: Of & { path: { number: string } }): Promise<string> => {
  const number = normalized(request.path.number);
  if ((await listOf(request).count({ where: { account_id: request.account.id, number } })) === 0)
    throw notFound(`number ${request.path.number}`);
  return number;
};

export const blocklistRoutes = {
  'POST /accounts/:account/blocklist': defineRoute({
    role: 'admin',
    summary: 'Puts a number on the block list of an account, or changes its reason.',
    scope: accountInPath,
    body: entry,
    answer: record,
    http: 201,
    example: { body: { number: '11987650000', reason: 'asked us' }, answer: example },
    handle: (request) => keep(request, normalized(request.body.number), request.body.reason),
  }),
  'GET /accounts/:account/blocklist': defineRoute({
    role: 'operator',
    summary: 'Lists the blocked numbers of an account, in the order of their digits.',
    scope: accountInPath,
    query: z.object({
      number: z
        .string()
        .min(1)
        .max(40)
        .optional()
        .describe('A whole number: only this one, if it is listed.'),
      cursor: z.coerce.string().optional(),
    }),
    answer: z.object({ blocklist: z.array(record), ...nextPageFieldsSchema.shape }),
    example: { answer: { blocklist: [example], cursor: null } },
    handle: async (request) => {
      const { number, cursor = '' } = request.query;
      const sought = number === undefined ? { gt: cursor } : { equals: normalized(number), gt: cursor };
      const where = { account_id: request.account.id, number: sought };
      const rows = await listOf(request).findMany({ where, orderBy: { number: 'asc' }, take: pageSize + 1 });
      const page = rows.slice(0, pageSize);
      return { blocklist: page, cursor: rows.length > pageSize ? page.at(-1)!.number : null };
    },
  }),
  'PATCH /accounts/:account/blocklist/:number': defineRoute({
    role: 'admin',
    summary: 'Changes the reason of a blocked number.',
    scope: accountInPath,
    path,
    body: change,
    answer: record,
    example: { body: { reason: 'asked us' }, answer: example },
    handle: async (request) => keep(request, await listed(request), request.body.reason),
  }),
  'DELETE /accounts/:account/blocklist/:number': defineRoute({
    role: 'admin',
    summary: 'Takes a number off the block list.',
    scope: accountInPath,
    path,
    refuses: { 400: 'It is no telephone number.' },
    example: {},
    handle: async (request) => {
      const unblocked = [{ account: request.account.id, number: await listed(request) }];
      await request.deps.engine.keep(request.account.shard, { unblocked });
    },
  }),
};

const normalized = (written: string): string => {
  const read = readPhoneNumber(written, { brazil: true });
  if (read.kind === 'refused') throw new AdminError(400, `number: ${read.why}`, { field: 'number' });
  return read.number;
};

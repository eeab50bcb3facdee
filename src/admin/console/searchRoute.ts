/** `GET /find?q=`: what carries a number, an id or a name, of all accounts, the newest first. */
import * as z from 'zod';
import { searchRecords, type RecordSearchHit } from '../../store/reads/machines/searchRecords.ts';
import { findMachines, type MachineListRow } from '../../store/reads/machines/machines.ts';
import { readCallId, writeCallId } from '../../wire/callId.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import { at } from '../fieldSchemas.ts';
import { phoneNumberVariants } from './numbers.ts';

/** Of each kind. */
const mostFound = 50;
const mostAccounts = 2_000;
const longest = 200;

const found = z.object({
  kind: z.string().describe('call, campaign, message, template, token and others.'),
  id: z.string().nullable().describe('The machine that the console opens; null: it has none.'),
  account: z.int(),
  title: z.string(),
  state: z.string(),
  at,
});

type Found = z.output<typeof found>;

const asked = z
  .string()
  .trim()
  .min(1, `must be 1 to ${longest} characters`)
  .max(longest, `must be 1 to ${longest} characters`);

export const searchRoutes = {
  'GET /find': defineRoute({
    role: 'operator',
    summary: 'Finds what carries a number, an id or a name, of all accounts, the newest first.',
    query: z.object({ q: asked.describe('A number, an id, a reference or a name.') }),
    answer: z.object({
      found: z.array(found),
      accounts: z.record(z.string(), z.string()).describe('Names of accounts by their ids.'),
    }),
    example: {
      query: { q: '5511987650000' },
      answer: {
        found: [
          {
            ...{ kind: 'call', id: 'a_746512037707776', account: 3, title: '5511987650000' },
            ...{ state: 'talking', at: 1_795_325_744_421 },
          },
        ],
        accounts: { 3: 'Demo' },
      },
    },
    handle: async ({ deps, query: { q } }) => {
      const accounts = await deps.control.accounts(0, mostAccounts);
      const parts = await Promise.all([
        ...deps.shards.map((shard) => inShard(deps, shard, q, accounts)),
        tokensNamed(deps, q),
      ]);
      const all = parts.flat().toSorted((one, other) => other.at - one.at);
      return {
        found: all.slice(0, 4 * mostFound),
        accounts: Object.fromEntries(accounts.map(({ id, name }) => [id, name])),
      };
    },
  }),
};

const inShard = async (
  deps: AdminDeps,
  shard: string,
  text: string,
  accounts: readonly { id: number; shard: string }[],
): Promise<Found[]> => {
  const own = accounts.filter((account) => account.shard === shard).map(({ id }) => id);
  const query = { accounts: own, text, numbers: phoneNumberVariants(text), limit: mostFound };
  const [records, machines] = await Promise.all([
    searchRecords(deps.pool(shard), query),
    machinesNamed(deps, shard, text),
  ]);
  const shown = records.map((row) => showRecord(shard, row));
  const known = new Set(shown.map(({ id }) => id));
  return [...machines.map((row) => showMachine(shard, row)).filter(({ id }) => !known.has(id)), ...shown];
};

/** A full name, or a bare number, finds the machine that has it. */
const machinesNamed = async (deps: AdminDeps, shard: string, text: string): Promise<MachineListRow[]> => {
  const named = readCallId(text, shard);
  if (!named || named.shard !== shard) return [];
  return findMachines(deps.pool(shard), { text: String(named.id), limit: mostFound });
};

const tokensNamed = async (deps: AdminDeps, text: string): Promise<Found[]> => {
  const tokens = await deps.control.tokensLabelled(text, mostFound);
  return tokens.map(({ account_id, label, revoked_at, created_at }) => ({
    ...{ kind: 'token', id: null, account: account_id, title: label, at: Number(created_at) },
    state: revoked_at === null ? 'good' : 'revoked',
  }));
};

const showRecord = (shard: string, { account_id, id, kind, title, state, at }: RecordSearchHit): Found => ({
  ...{ kind, id: writeCallId(shard, id), account: account_id, title, state, at },
});

const showMachine = (shard: string, { account_id, id, kind, state, created_at }: MachineListRow): Found => ({
  ...{
    kind,
    id: writeCallId(shard, id),
    account: account_id,
    title: writeCallId(shard, id),
    state,
    at: created_at,
  },
});

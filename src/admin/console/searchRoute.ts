/** `GET /find?q=`: what carries a number, an id or a name, of all accounts, the newest first. */
import * as z from 'zod';
import { foldAccents } from '../../lib/foldAccents.ts';
import { contactIdsWithAndWithoutNinthDigit } from '../../rules/chat/contact.ts';
import {
  findConversationsOfContacts,
  type FoundConversationRow,
} from '../../store/reads/chat/conversations.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import { searchRecords, type RecordSearchHit } from '../../store/reads/machines/searchRecords.ts';
import { findMachines, type MachineListRow } from '../../store/reads/machines/machines.ts';
import { readCallId, writeCallId } from '../../wire/callId.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import { accountsShown, accountsShownSchema } from '../accounts/accountsShown.ts';
import { at } from '../fieldSchemas.ts';
import { numbersOfAllAreas, phoneNumberVariants } from './numbers.ts';

/** Of each kind. */
const mostFound = 50;
const longest = 200;

const found = z.object({
  kind: z.string().describe('call, campaign, message, template, conversation, account, token and others.'),
  id: z.string().nullable().describe('The machine that the console opens; null: it has none.'),
  account: z.int(),
  title: z.string(),
  state: z.string(),
  at,
  token_id: z.int().optional().describe('Of a token: its id.'),
  line: z.int().optional().describe('Of a conversation: the chat line.'),
  contact: z.string().optional().describe("Of a conversation: the upstream's id of the person."),
  contact_ref: z.string().optional().describe('Where numbers are masked: stands for `contact` in addresses.'),
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
    query: z.object({
      q: asked.describe(
        'A number, also without its area code, an id, a reference or a name. Names of people in lists are not looked for.',
      ),
    }),
    answer: z.object({
      found: z.array(found),
      ...accountsShownSchema.shape,
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
        zones: { 3: 'America/Sao_Paulo' },
      },
    },
    handle: async ({ deps, query: { q } }) => {
      const accounts = await deps.control.everyAccount();
      const parts = await Promise.all([
        ...deps.shards.map((shard) => inShard(deps, shard, q, accounts)),
        tokensNamed(deps, q),
      ]);
      const all = [...accountsNamed(accounts, q), ...parts.flat()].toSorted(
        (one, other) => other.at - one.at,
      );
      const shown = all.slice(0, 4 * mostFound);
      const owners = shown.map(({ account }) => ({ account_id: account }));
      return { found: shown, ...accountsShown(accounts, owners) };
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
  const numbers = [...phoneNumberVariants(text), ...numbersOfAllAreas(text)];
  const query = { accounts: own, text, numbers, limit: mostFound };
  const [records, machines, people] = await Promise.all([
    searchRecords(deps.pool(shard), query),
    machinesNamed(deps, shard, text),
    findConversationsOfContacts(deps.pool(shard), { ...query, contacts: contactsNamed(query) }),
  ]);
  const shown = records.map((row) => showRecord(shard, row));
  const known = new Set(shown.map(({ id }) => id));
  const others = machines.map((row) => showMachine(shard, row)).filter(({ id }) => !known.has(id));
  return [...others, ...shown, ...people.map(showConversation)];
};

/** A full name, or a bare number, finds the machine that has it. */
const machinesNamed = async (deps: AdminDeps, shard: string, text: string): Promise<MachineListRow[]> => {
  const named = readCallId(text.toLowerCase(), shard);
  if (!named || named.shard !== shard) return [];
  return findMachines(deps.pool(shard), { text: String(named.id), limit: mostFound });
};

/** The names that upstreams may have for the person: a number in both its forms, or an id as it was typed. */
const contactsNamed = ({ text, numbers }: { text: string; numbers: readonly string[] }): string[] => [
  ...new Set([text, ...numbers.flatMap(contactIdsWithAndWithoutNinthDigit)]),
];

const showConversation = ({ account_id, line_id, contact, name, heard_at }: FoundConversationRow): Found => ({
  ...{ kind: 'conversation', id: null, account: account_id, title: name || contact, at: heard_at },
  ...{ state: '', line: line_id, contact },
});

/** By a part of its name, or by its whole id. */
const accountsNamed = (accounts: readonly AccountRow[], text: string): Found[] => {
  const wanted = foldAccents(text);
  return accounts
    .filter(({ id, name }) => String(id) === text || foldAccents(name).includes(wanted))
    .slice(0, mostFound)
    .map(({ id, name, active, created_at }) => ({
      ...{ kind: 'account', id: null, account: id, title: name, at: Number(created_at) },
      state: active ? 'active' : 'switched off',
    }));
};

const tokensNamed = async (deps: AdminDeps, text: string): Promise<Found[]> => {
  const tokens = await deps.control.tokensLabelled(text, mostFound);
  return tokens.map(({ account_id, id: token_id, label, revoked_at, created_at }) => ({
    ...{ kind: 'token', id: null, token_id, account: account_id, title: label, at: Number(created_at) },
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

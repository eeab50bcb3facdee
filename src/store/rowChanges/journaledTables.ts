/**
 * Tables whose changes of rows are kept in a journal: what REST, tools and the admin API write outside of machines'
 * commits. Every other table is of machines' commits, is made anew when it is needed, or is named as left out in
 * docs/decisions/0025.
 */
import type { Prisma } from '../../generated/prisma/client.ts';

export interface JournaledTable {
  /** Its primary key with the types, in order. */
  key: Readonly<Record<string, 'int' | 'text'>>;
  /** Columns whose changes are not kept: after a restore an older value does no harm. */
  unkept?: readonly string[];
  /** Deletions of rows are not kept: only those that mean nothing any more are. */
  forgets?: true;
}

/** Whatever belongs to an account and is numbered. */
const OF_ACCOUNT = { key: { account_id: 'int', id: 'int' } } as const;

export const JOURNALED_TABLES = {
  accounts: { key: { id: 'int' } },
  tokens: { ...OF_ACCOUNT, unkept: ['last_used_at'] },
  operators: { key: { id: 'int' }, unkept: ['last_used_at'] },
  admin_sessions: { key: { hash: 'text' }, unkept: ['expires_at'], forgets: true },
  // A code that was used stays used, though the database goes back.
  sign_in_codes: { key: { hash: 'text' }, forgets: true },
  voices: { key: { id: 'int' } },
  trunk_servers: { key: { id: 'int' } },
  trunks: { key: { id: 'int' } },
  trunk_prices: { key: { id: 'int' } },
  trunk_routes: { key: { id: 'int' } },
  caller_id_pools: OF_ACCOUNT,
  agents: OF_ACCOUNT,
  queues: OF_ACCOUNT,
  groups: OF_ACCOUNT,
  audios: OF_ACCOUNT,
  delivery_profiles: OF_ACCOUNT,
  tariffs: OF_ACCOUNT,
  sms_routes: OF_ACCOUNT,
  approved_models: OF_ACCOUNT,
  chat_lines: OF_ACCOUNT,
  template_media: OF_ACCOUNT,
} as const satisfies Record<string, JournaledTable>;

export type JournaledTableName = keyof typeof JOURNALED_TABLES;

export const findJournaledTable = (name: string): JournaledTable | undefined =>
  Object.hasOwn(JOURNALED_TABLES, name) ? JOURNALED_TABLES[name as JournaledTableName] : undefined;

/** The tables of the client's models. */
export const PRISMA_MODEL_TABLES = {
  account: 'accounts',
  token: 'tokens',
  operator: 'operators',
  adminSession: 'admin_sessions',
  signInCode: 'sign_in_codes',
  voice: 'voices',
  trunkServer: 'trunk_servers',
  trunk: 'trunks',
  trunkPrice: 'trunk_prices',
  trunkRoute: 'trunk_routes',
  callerIdPool: 'caller_id_pools',
  agent: 'agents',
  queue: 'queues',
  group: 'groups',
  audio: 'audios',
  deliveryProfile: 'delivery_profiles',
  tariff: 'tariffs',
  smsRoute: 'sms_routes',
  approvedModel: 'approved_models',
  chatLine: 'chat_lines',
  templateMedia: 'template_media',
} as const satisfies Partial<Record<Uncapitalize<Prisma.ModelName>, JournaledTableName>>;

export type PrimaryKeyValue = number | string;
/** A primary key by column. */
export type Key = Readonly<Record<string, PrimaryKeyValue>>;

/** A key as one text, by which marks are found. */
export const formatPrimaryKey = (table: JournaledTableName, key: Key): string =>
  JSON.stringify(Object.keys(JOURNALED_TABLES[table].key).map((column) => key[column]));

export const parsePrimaryKey = (table: JournaledTableName, text: string): Key => {
  const values = JSON.parse(text) as PrimaryKeyValue[];
  return Object.fromEntries(
    Object.keys(JOURNALED_TABLES[table].key).map((column, nth) => [column, values[nth]!]),
  );
};

/** `k(account_id int, id int)`: keys that came as JSON, in a FROM clause. */
export const primaryKeysFromClause = (table: JournaledTableName, parameter: string): string => {
  const columns = Object.entries(JOURNALED_TABLES[table].key).map(([column, type]) => `${column} ${type}`);
  return `jsonb_to_recordset(${parameter}::text::jsonb) AS k(${columns.join(', ')})`;
};

/** `account_id, id`. */
export const primaryKeyColumns = (table: JournaledTableName): string =>
  Object.keys(JOURNALED_TABLES[table].key).join(', ');

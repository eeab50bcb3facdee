/** Where rows live: schemas of databases, each of them once, however many shards the settings put there. */
import type { Pool, PoolClient } from 'pg';
import { type BackupSchemaHeader, formatControlAndShardNames } from './format.ts';

export interface DatabaseSchemaLocation {
  /** Whether the control data is here. */
  control: boolean;
  /** Names of the shards that are here, in order. */
  shards: string[];
  url: string;
  schema: string;
}

export interface DatabaseSchemaLocationSettings {
  /** Of the control data, and of shards that name none. */
  url: string;
  shards: readonly { name: string; url?: string; schema: string }[];
}

/** The control data lives in this schema, always. */
const controlSchema = 'public';

/** The places that settings name, the one of the control data first. */
export const listDatabaseSchemaLocations = ({ url, shards }: DatabaseSchemaLocationSettings): DatabaseSchemaLocation[] =>
  merged([
    { control: true, shards: [], url, schema: controlSchema },
    ...shards.map(({ name, url: own = url, schema }) => ({
      ...{ control: false, shards: [name] },
      ...{ url: own, schema },
    })),
  ], ({ url: address, schema }) => `${address} ${schema}`); // prettier-ignore

const merged = (
  places: readonly DatabaseSchemaLocation[],
  keyOf: (place: DatabaseSchemaLocation) => string,
): DatabaseSchemaLocation[] => {
  const found = new Map<string, DatabaseSchemaLocation>();
  for (const place of places) {
    const known = found.get(keyOf(place));
    if (!known) found.set(keyOf(place), { ...place, shards: [...place.shards] });
    else {
      known.control ||= place.control;
      known.shards.push(...place.shards);
    }
  }
  return [...found.values()];
};

/** One database with the places in it, and one connection to it. */
export interface DatabaseWithSchemas {
  client: PoolClient;
  places: DatabaseSchemaLocation[];
}

export interface ConnectedDatabases {
  /** The control data's comes last. */
  databases: DatabaseWithSchemas[];
  close(): Promise<void>;
}

/**
 * Connects to each database once, under whatever addresses the settings name it; throws a sentence for one that cannot be
 * reached. `open`: a pool of one connection.
 */
export const connectToDatabases = async (
  places: readonly DatabaseSchemaLocation[],
  open: (place: DatabaseSchemaLocation) => Pool,
): Promise<ConnectedDatabases> => {
  const found = new Map<string, DatabaseWithSchemas>();
  const pools: Pool[] = [];
  const clients: PoolClient[] = [];
  const close = async (): Promise<void> => {
    for (const client of clients) client.release(true);
    for (const pool of pools) await pool.end();
  };
  try {
    for (const place of places) {
      const pool = open(place);
      pools.push(pool);
      const client = await connectTo(pool, place);
      clients.push(client);
      const identity = await identityOf(client);
      const known = found.get(identity);
      if (known) known.places.push(place);
      else found.set(identity, { client, places: [place] });
    }
  } catch (error) {
    await close();
    throw error;
  }
  const databases = [...found.values()].map(({ client, places: inIt }) => ({
    client,
    places: controlLast(
      merged(inIt, ({ schema }) => schema),
      ({ control }) => control,
    ),
  }));
  return {
    databases: controlLast(databases, ({ places: inIt }) => inIt.some(({ control }) => control)),
    close,
  };
};

/**
 * Of things of which one holds the control data, that one last: what it has handed out (ids of accounts, of lists) is
 * never behind what the shards hold.
 */
const controlLast = <T>(things: readonly T[], isControl: (one: T) => boolean): T[] => [
  ...things.filter((one) => !isControl(one)),
  ...things.filter(isControl),
];

const connectTo = async (pool: Pool, place: DatabaseSchemaLocation): Promise<PoolClient> => {
  try {
    const client = await pool.connect();
    await client.query(sessionSettings);
    return client;
  } catch (error) {
    throw new Error(
      `the database of ${formatControlAndShardNames(place)} cannot be reached: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
};

/** A lock of another client (a migration) is waited for so long, milliseconds. */
const lockMs = 60_000;

/** Rows are written the same everywhere, in the order in which they lie; and a long work is not cut off. */
const sessionSettings = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0;
  SET lock_timeout = ${lockMs}; SET synchronize_seqscans = off; SET max_parallel_workers_per_gather = 0;
  SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres'; SET bytea_output = 'hex'; SET extra_float_digits = 1;
  SET client_encoding = 'UTF8'`;

/** Names a database, by whatever address it was reached. */
const identityOf = async (client: PoolClient): Promise<string> => {
  const { rows } = await client.query<{ identity: string }>(
    `SELECT pg_postmaster_start_time()::text || ' ' || (SELECT system_identifier FROM pg_control_system()) || ' '
      || (SELECT oid FROM pg_database WHERE datname = current_database()) AS identity`,
  );
  return rows[0]!.identity;
};

/** Whether both hold the same: the control data, and shards of these names. */
export const haveSameControlAndShards = (
  one: Pick<BackupSchemaHeader, 'control' | 'shards'>,
  other: Pick<BackupSchemaHeader, 'control' | 'shards'>,
): boolean =>
  one.control === other.control && one.shards.toSorted().join(' ') === other.shards.toSorted().join(' ');

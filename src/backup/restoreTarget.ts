/** Where a backup may be restored to: databases that hold nothing of ours, laid out as those it was taken of. */
import type { ClientBase } from 'pg';
import {
  readAppliedMigrations,
  qualifiedSqlName,
  migrationSeededTables,
  readTablesOfDatabaseSchema,
} from './databaseSchemaCatalogue.ts';
import { type BackupHeader, type BackupSchemaHeader, formatControlAndShardNames } from './format.ts';
import {
  type ConnectedDatabases,
  haveSameControlAndShards,
  type DatabaseSchemaLocation,
} from './databaseSchemaLocations.ts';

/**
 * The places of the archive, each with its counterpart in the settings, in the archive's order. Throws a sentence when
 * the settings name others.
 */
export const matchBackupSchemasToSettings = (
  { places }: BackupHeader,
  { databases }: ConnectedDatabases,
): { header: BackupSchemaHeader; client: ClientBase; place: DatabaseSchemaLocation }[] => {
  const targets = databases.flatMap(({ client, places: inIt }) => inIt.map((place) => ({ client, place })));
  const found = places.map((header) => ({
    header,
    ...targets.find(({ place }) => haveSameControlAndShards(place, header)),
  }));
  const isWhole = found.length === targets.length && found.every(({ place }) => place);
  if (!isWhole)
    throw new Error(
      `the backup holds ${listed(places)}, and the settings name ${listed(targets.map(({ place }) => place))}: set DATABASE_URL and SHARDS so that the same lie together`,
    );
  return found as ReturnType<typeof matchBackupSchemasToSettings>;
};

const listed = (places: readonly Pick<BackupSchemaHeader, 'control' | 'shards'>[]): string =>
  places.map((place) => `[${formatControlAndShardNames(place)}]`).join(' and ');

/** Throws a sentence unless the schema holds no rows of ours, and no tables that the backup does not know. */
export const refuseUnlessEmpty = async (
  client: ClientBase,
  place: DatabaseSchemaLocation,
  header: BackupSchemaHeader,
): Promise<void> => {
  const where = `the database of ${formatControlAndShardNames(place)}`;
  const applied = await readAppliedMigrations(client, place.schema);
  const known = new Set(header.migrations.map(({ name }) => name));
  const filled: string[] = [];
  for (const { name } of await readTablesOfDatabaseSchema(client, place.schema)) {
    if (migrationSeededTables.has(name)) continue;
    const { rows } = await client.query<{ filled: boolean }>(
      `SELECT EXISTS (SELECT FROM ${qualifiedSqlName(place.schema, name)}) AS filled`,
    );
    if (rows[0]!.filled) filled.push(name);
  }
  if (filled.length > 0)
    throw new Error(
      `${where} holds rows already (${filled.slice(0, 3).join(', ')}${filled.length > 3 ? ' …' : ''}): a backup is restored into an empty one only`,
    );
  const unknown = applied?.find(({ name }) => !known.has(name));
  if (unknown)
    throw new Error(
      `${where} has tables of a newer release than the backup (${unknown.name}): restore into a new database`,
    );
};

/**
 * The connection that Prisma's schema engine compares on, over node-postgres.
 *
 * The adapter as shipped (7.10) serves queries; for the schema engine four things are put right here: the shadow
 * database is really another database, it is dropped after its sessions and not before, scripts go to the server whole
 * (the adapter cuts them at every `;`, also inside a function body), and `"char"` columns can be read.
 */
import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
  type SqlResultSet,
} from '@prisma/driver-adapter-utils';
import { Pool, type QueryConfig } from 'pg';

/** Type numbers: the catalogue's `"char"`, which the adapter refuses, and `text`. */
const internalChar = 18;
const text = 25;

/** A factory over the server of `url`; shadow databases live there for the length of one comparison. */
export function shadowFactory(url: string): SqlMigrationAwareDriverAdapterFactory {
  return {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => open(url),
    async connectToShadowDb() {
      const name = `shadow_${randomUUID().replaceAll('-', '')}`;
      await once(url, `CREATE DATABASE ${name} TEMPLATE template0`);
      const shadow = await open(withDatabase(url, name));
      const close = shadow.dispose.bind(shadow);
      shadow.dispose = async () => {
        await close();
        await once(url, `DROP DATABASE ${name}`);
      };
      return shadow;
    },
  };
}

async function open(url: string): Promise<SqlDriverAdapter> {
  const pool = new Pool({ connectionString: url, max: 1 });
  const adapter = await new PrismaPg(pool, { disposeExternalPool: true }).connect();
  adapter.queryRaw = (query) => askCatalogue(adapter, pool, query);
  adapter.executeScript = async (script) => void (await pool.query(script));
  return adapter;
}

/** Asks with the catalogue's `"char"` columns taken for text, and hands them on as the single characters they are. */
async function askCatalogue(adapter: SqlDriverAdapter, pool: Pool, query: SqlQuery): Promise<SqlResultSet> {
  const characters: number[] = [];
  const client = {
    async query(config: QueryConfig) {
      const result = await pool.query(config);
      for (const [index, field] of result.fields.entries()) {
        if (field.dataTypeID !== internalChar) continue;
        field.dataTypeID = text;
        characters.push(index);
      }
      return result;
    },
  };
  const asker = Object.create(adapter, { client: { value: client } }) as SqlDriverAdapter;
  const result = await (Object.getPrototypeOf(adapter) as SqlDriverAdapter).queryRaw.call(asker, query);
  for (const index of characters) result.columnTypes[index] = ColumnTypeEnum.Character;
  return result;
}

async function once(url: string, sql: string): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 1 });
  try {
    await pool.query(sql);
  } finally {
    await pool.end();
  }
}

function withDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

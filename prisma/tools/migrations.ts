/**
 * `npm run db:new -- <name>` writes a migration for what `schema.prisma` has gained; read it and finish it by hand.
 * `npm run db:check` says whether the two agree; exit code 2 when they do not.
 * Both compare on a throw-away server, or on DATABASE_URL's when it is set.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/store/embedded.ts';
import { missingSql } from './schemaEngine.ts';
import { listMigrations } from '../../src/store/listMigrations.ts';

const folder = join(import.meta.dirname, '../migrations');
const schema = join(import.meta.dirname, '../schema.prisma');
const [command, name = 'change'] = process.argv.slice(2);

const missing = await withServer((url) =>
  missingSql({ url, schema: readFileSync(schema, 'utf8'), migrations: listMigrations(folder) }),
);
if (missing === undefined) console.log('in sync: the migrations make what schema.prisma says');
else if (command === 'new') console.log(`wrote ${write(missing)}: read it, finish it by hand, commit it`);
else {
  console.log(`schema.prisma is ahead of prisma/migrations by\n${missing}`);
  process.exitCode = 2;
}

function write(sql: string): string {
  const stamp = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const path = join(folder, `${stamp}_${name.toLowerCase().replaceAll(/\W+/g, '_')}`);
  mkdirSync(path);
  writeFileSync(join(path, 'migration.sql'), sql);
  return path;
}

async function withServer<T>(use: (url: string) => Promise<T>): Promise<T> {
  const given = process.env['DATABASE_URL'];
  if (given) return use(given);
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-migrations-'));
  const server = await startEmbeddedPostgres({ dataDir });
  try {
    return await use(server.url);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true });
  }
}

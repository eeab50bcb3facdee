import { defineConfig } from 'prisma/config';

// generate, validate and format never use the schema engine, but the CLI fetches it first; any existing path stops that.
if (/\b(generate|validate|format)\b/.test(process.argv.slice(2).join(' ')))
  process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= process.execPath;

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['DATABASE_URL'] ?? 'postgresql://postgres@127.0.0.1:5432/ramal' },
});

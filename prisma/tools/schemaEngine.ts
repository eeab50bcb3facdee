/** Prisma's schema engine as WebAssembly: what `schema.prisma` wants beyond what the migrations make. No download. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as glue from '@prisma/schema-engine-wasm/schema_engine_bg';
import { shadowFactory } from './shadow.ts';
import type { Migration } from '../../src/store/listMigrations.ts';

export interface Question {
  /** The Prisma schema as text. */
  schema: string;
  migrations: Migration[];
  /** A server where a database may be made and dropped. */
  url: string;
}

/** The SQL that is missing from the migrations, or undefined when they and the schema agree. */
export async function missingSql({ schema, migrations, url }: Question): Promise<string | undefined> {
  loadEngine();
  const files = [{ path: 'schema.prisma', content: schema }];
  const factory = bindMigrationAwareSqlAdapterFactory(shadowFactory(url));
  const engine = await glue.SchemaEngine.new({ datamodels: [['schema.prisma', schema]] }, () => {}, factory);
  const { exitCode, stdout } = await engine.diff({
    from: { tag: 'migrations', ...asEngineReads(migrations) },
    to: { tag: 'schemaDatamodel', files },
    script: true,
    exitCode: true,
    filters: { externalTables: [], externalEnums: [] },
  });
  engine.free();
  return exitCode === 0 ? undefined : (stdout ?? '');
}

/** The compiler's library for Node leaves WebAssembly out; this is the part used here. */
interface Wasm {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: Record<string, object>) => { exports: Record<string, unknown> };
}

let loaded = false;

/** Once in a process: the generated glue is a module and holds on to the instance it was given first. */
function loadEngine(): void {
  if (loaded) return;
  loaded = true;
  const file = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
  const wasm = new Module(readFileSync(file.replace(/\.js$/, '.wasm')));
  const { exports } = new Instance(wasm, { './schema_engine_bg.js': glue });
  glue.__wbg_set_wasm(exports);
  (exports['__wbindgen_start'] as () => void)();
  // Where the engine leaves its last words when it gives up.
  const registry = { set_message: (message: string) => console.error(message) };
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: registry });
}

function asEngineReads(migrations: Migration[]) {
  return {
    baseDir: 'prisma/migrations',
    shadowDbInitScript: '',
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: sql } },
    })),
  };
}

/**
 * Before the tests: the service is built, for those that run it as a process, and one embedded PostgreSQL is started
 * for the whole run, in a folder that goes with it, in memory where there is room; the tests find it through inject.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/store/embedded.ts';
import { migrate } from '../../src/store/migrate.ts';
import { withName } from './database.ts';
import { roomInMemory } from './memoryFolder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The maintenance database of the test server. */
    serverUrl: string;
  }
}

export default async function startServer(project: TestProject): Promise<() => Promise<void>> {
  const [server] = await Promise.all([openServer(), build()]);
  project.provide('serverUrl', server.url);
  return server.close;
}

/** A PostgreSQL with the template that tests clone. */
export async function openServer(): Promise<{ url: string; close(): Promise<void> }> {
  const dataDir = mkdtempSync(join(roomInMemory(roomBytes) ?? tmpdir(), 'ramal-test-'));
  const server = await startEmbeddedPostgres({ dataDir });
  await makeTemplate(server.url);
  return {
    url: server.url,
    async close() {
      await server.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** What a run writes at the most, with room to spare: a server of ours lets its log grow to 4 GB. */
const roomBytes = 8_000_000_000;

/** Only what changed is built anew, and the console where there is none: its own tests build it for themselves. */
async function build(): Promise<void> {
  const run = (program: string, ...words: string[]): Promise<unknown> =>
    promisify(execFile)(process.execPath, [join(root, 'node_modules', program), ...words], { cwd: root });
  const pages = existsSync(join(root, 'dist/console/index.html'))
    ? undefined
    : run('vite/bin/vite.js', 'build', 'src/console/app', '--logLevel', 'warn');
  await Promise.all([run('typescript/bin/tsc', '-p', 'tsconfig.build.json'), pages]);
}

const root = join(import.meta.dirname, '../..');

async function makeTemplate(url: string): Promise<void> {
  await ask(url, 'CREATE DATABASE template_ramal');
  const pool = new Pool({ connectionString: withName(url, 'template_ramal'), max: 1 });
  await migrate(pool);
  await pool.end();
}

async function ask(url: string, sql: string): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 1 });
  await pool.query(sql);
  await pool.end();
}

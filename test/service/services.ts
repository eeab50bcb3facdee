/** Services that share a database and a folder, for tests that kill them. */
import { afterEach, beforeEach } from 'vitest';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';
import { aDataDir, type RunningService, startService } from './service.ts';

export interface Services {
  /** The database of the test that runs. */
  readonly database: TestDatabase;
  /** Folder of all of them, and of the carrier they share. */
  dataDir: string;
  /** Starts one. `env`: beside what all of them have. */
  start(env?: Record<string, string>): Promise<RunningService>;
}

/** Every test of the suite that calls this has a database of its own; what it started is killed after it. */
export const servicesWith = (usual: Record<string, string>): Services => {
  const folder = aDataDir();
  const running: RunningService[] = [];
  let database: TestDatabase;
  beforeEach(async () => {
    database = await freshDatabase();
  });
  afterEach(async () => {
    for (const service of running.splice(0)) await service.kill();
    await database.drop();
    folder.remove();
  });
  return {
    get database() {
      return database;
    },
    dataDir: folder.path,
    start: async (env = {}) => {
      const [databaseUrl, dataDir] = [database.url, folder.path];
      const service = await startService({ databaseUrl, dataDir, env: { ...usual, ...env } });
      running.push(service);
      return service;
    },
  };
};

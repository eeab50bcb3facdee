/** A reader of one page who has the far end that it speaks of, and a service that was started as the README says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshDatabase } from '../helpers/database.ts';
import { aDataDir, freePort, startService } from '../service/service.ts';
import type { Place } from './reader.ts';

export interface Follower {
  place: Place;
  /** Of the service, where it was running. */
  pid: number | undefined;
  /** Where the service is, also when the page starts it anew. */
  url: string;
  /** Asks the admin API. */
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are compared with literals, key by key
  admin(path: string): Promise<any>;
  stop(): Promise<void>;
}

/** `env`: of the service, whoever starts it. `running` false: the page starts it. */
export const aFollower = async (
  env: Record<string, string> = {},
  { running = true }: { running?: boolean } = {},
): Promise<Follower> => {
  const database = await freshDatabase();
  const folder = aDataDir();
  const dataDir = join(folder.path, 'data');
  const own = { DATABASE_URL: database.url, ALLOW_PRIVATE_TARGETS: '127.0.0.0/8', ...env };
  const port = await freePort();
  const service = running ? await startService({ dataDir, env: own, made: true, port }) : undefined;
  const url = `http://127.0.0.1:${port}`;
  return {
    place: { folder: folder.path, port, env: own },
    url,
    pid: service?.pid,
    admin: async (path) => {
      const token = readFileSync(join(dataDir, 'admin-token'), 'utf8').trim();
      return (
        await fetch(`${url}/admin/api${path}`, { headers: { Authorization: `Bearer ${token}` } })
      ).json();
    },
    stop: async () => {
      if (service?.process.exitCode === null && service.process.signalCode === null) await service.stop();
      await database.drop();
      folder.remove();
    },
  };
};

/** Whether there is an embedded database: for commands that must not make one. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

interface Settings {
  /** A server of one's own is not looked at. */
  databaseUrl?: string | undefined;
  dataDir: string;
}

/** Throws a sentence where the embedded database of these settings has not been made yet. Changes nothing. */
export const requireEmbeddedDatabaseMade = ({ databaseUrl, dataDir }: Settings): void => {
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'postgres', 'data')))
    throw new Error(
      `there is no database in ${dataDir}: set DATA_DIR, or DATABASE_URL, as the service has it`,
    );
};

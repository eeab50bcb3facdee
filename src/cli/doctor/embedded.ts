/** The embedded PostgreSQL: running, or whether it could. It is not started. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPostgresBinaries } from '../../store/embedded/binaries.ts';
import { readPostmasterStatus } from '../../store/embedded/postmasterStatusAndStop.ts';
import { type DoctorFinding, failedFinding, ok, describeError, warningFinding } from './finding.ts';

export type EmbeddedPostgresCheckResult = { url: string } | { findings: DoctorFinding[] };

const name = 'database';

/** Its address when it runs, else what stands in its way. */
export const checkEmbeddedPostgres = (dataDir: string): EmbeddedPostgresCheckResult => {
  const root = join(dataDir, 'postgres');
  const running = readPostmasterStatus(join(root, 'data'));
  if (running?.status === 'ready') return addressOf(root, running.port);
  try {
    const { major } = bundledPostgresBinaries();
    return { findings: [resting(root, major)] };
  } catch (error) {
    return {
      findings: [
        failedFinding(name, describeError(error), 'Give the address of a PostgreSQL 18 with DATABASE_URL.'),
      ],
    };
  }
};

const addressOf = (root: string, port: number): EmbeddedPostgresCheckResult => {
  try {
    const password = readFileSync(join(root, 'password'), 'utf8');
    return { url: `postgresql://postgres:${password}@127.0.0.1:${port}/ramal` };
  } catch (error) {
    const says = `the embedded one runs, and cannot be looked at: ${describeError(error)}`;
    return { findings: [warningFinding(name, says, 'Run this as the user of the service.')] };
  }
};

const resting = (root: string, major: string): DoctorFinding => {
  const file = join(root, 'data', 'PG_VERSION');
  const made = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
  if (made === undefined) return ok(name, `an embedded PostgreSQL ${major} is made at the first start`);
  return made === major
    ? ok(name, `an embedded PostgreSQL ${major}, which starts with the service`)
    : failedFinding(
        name,
        `${root} was made by PostgreSQL ${made}, and this release runs ${major}`,
        'Back it up with the release that made it (npx ramal backup), and restore it into another DATA_DIR.',
      );
};

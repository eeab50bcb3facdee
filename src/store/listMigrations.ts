/** The migrations that this release brings along. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** One migration, as its file has it. */
export interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of the file, as Prisma writes it. */
  checksum: string;
}

/** The migrations of this release in order. `folder`: default the package's own. */
export function listMigrations(folder: string = join(packageRoot(), 'prisma/migrations')): Migration[] {
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'migration.sql')));
  return names.toSorted().map((name) => {
    const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8');
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

/** The folder of package.json, above `src/` and above `dist/src/` alike. */
function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

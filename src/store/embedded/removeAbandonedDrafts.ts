/** What is left of databases that were being made when their process was killed. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessDead, ownProcessName } from '../../lib/processIdentity.ts';

/** Before the random letters of a folder in which a database is made. */
export const DRAFT_PREFIX = 'postgres-new-';
/** In such a folder: the process that makes it. */
const MAKER = 'maker';

export const noteDraftMaker = (draft: string): void => writeFileSync(join(draft, MAKER), ownProcessName());

/** Before the folder is moved to its place. */
export const forgetDraftMaker = (draft: string): void => rmSync(join(draft, MAKER));

/** Deletes those whose maker has surely ended, and of which no program is at work. Others are left, as is what cannot be deleted. */
export const removeAbandonedDrafts = (dataDir: string): void => {
  for (const name of readdirSync(dataDir).filter((one) => one.startsWith(DRAFT_PREFIX))) {
    try {
      const draft = join(dataDir, name);
      if (!isProcessDead(readFileSync(join(draft, MAKER), 'utf8')) || isNamedByProgram(name)) continue;
      rmSync(draft, { recursive: true, force: true });
    } catch {
      // Of a release before, which noted no maker, or of another user.
    }
  }
};

/** `initdb` outlives the process that began it, and names the folder on its command line. */
const isNamedByProgram = (name: string): boolean =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .some((pid) => commandOf(pid).includes(name));

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};

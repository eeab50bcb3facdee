/** Other terminals of a reader: what goes on there while the next blocks are pasted. */
import { join } from 'node:path';

/** How long something may take to begin, tenths of a second. */
const patience = 900;

/** For the beginning of a script: what goes on elsewhere ends with it, the newest first, as Ctrl-C does. */
export const endsWithShell = `terminals=
leave() { for group in $terminals; do kill -INT -- -$group && wait $group; done 2>/dev/null; }
trap leave EXIT`;

/**
 * What a shell is given to run lines in a terminal of its own, until they have printed the words. Variables and functions
 * of the shell are there as well, as if they had been pasted there, too. `folder`: for what is printed. `alone`:
 * what goes on in others is ended before.
 */
export const elsewhere = (script: string, words: string, folder: string, alone: boolean): string => {
  const log = join(folder, `terminal-${process.hrtime.bigint()}.log`);
  const has = `grep -q -- '${words.replaceAll('_', ' ')}' '${log}'`;
  return `${alone ? 'leave; terminals=\n' : ''}set -m; ( ${script}
) </dev/null >'${log}' 2>&1 & set +m
terminals="$! $terminals"
for tenth in $(seq ${patience}); do ${has} && break; kill -0 $! 2>/dev/null || break; sleep 0.1; done
cat '${log}'; ${has}`;
};

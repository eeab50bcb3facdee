/** Somebody who reads a page and pastes its blocks into one shell, in the folder in which the service was started. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Block } from './blocks.ts';

const root = join(import.meta.dirname, '../..');
/** The command line as it is shipped. */
const builtCli = join(root, 'dist/src/cli/main.js');

export interface Place {
  /** Where the service is; pages say that it is at port 8080. */
  port: number;
  dataDir: string;
}

/** What was wrong with a block: a sentence. */
export type Complaint = string;

/** Pastes blocks one after the other, and answers what did not work. */
export const read = async (page: string, blocks: readonly Block[], place: Place): Promise<Complaint[]> => {
  const folder = aFolder(place);
  const script = join(folder, 'page.sh');
  writeFileSync(script, blocks.map(pasted).join('\n'));
  const said = await run(folder, script, place);
  return blocks.flatMap((block, nth) => {
    const part = said.split(marker(nth))[1]?.split(marker(nth + 1))[0];
    const wrong = part === undefined ? 'the shell ended before it' : complaintOf(block, part);
    return wrong === undefined ? [] : [`${page}:${block.line}: ${wrong}\n${part ?? said.slice(-2_000)}`];
  });
};

const marker = (nth: number): string => `==== block ${nth} ====\n`;

/** As pasted: what fails is told, and the next block goes on in the same shell. */
const pasted = ({ script }: Block, nth: number): string =>
  `printf '${marker(nth).replace('\n', String.raw`\n`)}'\n${script}\nprintf '\\n==== exit %s ====\\n' $?`;

const complaintOf = ({ answers, exits = 0 }: Block, said: string): string | undefined => {
  const exit = /==== exit (\d+) ====/.exec(said)?.[1];
  if (exit !== String(exits)) return exit === undefined ? 'the shell ended in it' : `it ended with ${exit}`;
  const broken = /^(?:bash|\S+\.sh): .*(?:command not found|syntax error|No such file).*$/m.exec(said);
  if (broken) return broken[0];
  const statuses = [...said.matchAll(/^HTTP (\d+) (.*)$/gm)].map(([, status, url]) => ({ status: Number(status), url }));
  const refused = statuses.find(({ status }) => (status < 200 || status > 399) && status !== answers);
  if (refused) return `HTTP ${refused.status} of ${refused.url}`;
  if (answers !== undefined && !statuses.some(({ status }) => status === answers)) return `no answer was HTTP ${answers}`;
  return undefined;
};

/** The folder that pages speak of, with the programs of a clone. Nothing that a page writes meets another page. */
const aFolder = ({ port, dataDir }: Place): string => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-reader-'));
  symlinkSync(dataDir, join(folder, 'data'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  symlinkSync(join(root, 'packages'), join(folder, 'packages'));
  // curl goes to the service of the test where the page says 8080, and tells the status of each answer.
  writeFileSync(
    join(folder, '.curlrc'),
    `connect-to = "localhost:8080:127.0.0.1:${port}"\nwrite-out = "%{stderr}\\nHTTP %{http_code} %{url_effective}\\n"\n`,
  );
  const npx = join(folder, 'npx');
  writeFileSync(npx, `#!/bin/sh\n[ "$1" = ramal ] || { echo "npx $1: not in this test" >&2; exit 127; }\nshift\nexec '${process.execPath}' '${builtCli}' "$@"\n`);
  chmodSync(npx, 0o755);
  return folder;
};

/** Both outputs in one, in their order. */
const run = (folder: string, script: string, { port }: Place): Promise<string> =>
  new Promise((resolve) => {
    const env = { PATH: `${folder}:${process.env['PATH']}`, HOME: folder, CURL_HOME: folder, PORT: String(port), HOST: '127.0.0.1' };
    const child = spawn('bash', ['-c', `exec 2>&1; . '${script}'`], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    child.stdout.on('data', (data) => (said += String(data)));
    child.once('close', () => resolve(said));
  });

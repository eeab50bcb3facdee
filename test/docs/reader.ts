/** Somebody who reads a page and pastes its blocks into one shell, in the folder in which the service was started. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Block } from './blocks.ts';

const root = join(import.meta.dirname, '../..');
/** The command line as it is shipped. */
const builtCli = join(root, 'dist/src/cli/main.js');

export interface Place {
  /** In which the service was started: `data` is there. */
  folder: string;
  /** Where the service is; pages say that it is at port 8080. */
  port: number;
}

/** What was wrong with a block: a sentence. */
export type Complaint = string;

/** Pastes blocks one after the other, and answers what did not work. */
export const read = async (page: string, blocks: readonly Block[], place: Place): Promise<Complaint[]> => {
  const tools = toolsIn(place);
  const script = join(tools, `${page.replaceAll('/', '-')}.sh`);
  writeFileSync(script, blocks.map(pasted).join('\n'));
  const said = await run(tools, script, place);
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
  const broken = /^(?:bash|.*\.sh): .*(?:command not found|syntax error|No such file).*$|^Error: .*$/m.exec(
    said,
  );
  if (broken && exits === 0) return broken[0];
  const statuses = [...said.matchAll(/^HTTP (\d+) (.*)$/gm)].map(([, status, url]) => ({
    status: Number(status),
    url,
  }));
  const refused = statuses.find(({ status }) => (status < 200 || status > 399) && status !== answers);
  if (refused) return `HTTP ${refused.status} of ${refused.url}`;
  const failed = /"success": ?false/.test(said);
  if (failed && answers === undefined) return 'a tool failed';
  if (answers !== undefined && !failed && !statuses.some(({ status }) => status === answers))
    return `no answer was HTTP ${answers}`;
  return undefined;
};

/** A folder for what a reader has: the programs of a clone, and a curl that finds the service and tells each status. */
const toolsIn = ({ folder, port }: Place): string => {
  const tools = join(folder, '.tools');
  if (mkdirSync(tools, { recursive: true }) === undefined) return tools;
  symlinkSync(join(root, 'packages'), join(folder, 'packages'));
  const settings = {
    'connect-to': `localhost:8080:127.0.0.1:${port}`,
    'write-out': String.raw`%{stderr}\nHTTP %{http_code} %{url_effective}\n`,
  };
  writeFileSync(
    join(tools, '.curlrc'),
    Object.entries(settings)
      .map(([name, value]) => `${name} = "${value}"\n`)
      .join(''),
  );
  const npx = join(tools, 'npx');
  writeFileSync(
    npx,
    `#!/bin/sh\n[ "$1" = ramal ] || exit 127\nshift\nexec '${process.execPath}' '${builtCli}' "$@"\n`,
  );
  chmodSync(npx, 0o755);
  return tools;
};

/** Both outputs in one, in their order. */
const run = (tools: string, script: string, { folder, port }: Place): Promise<string> =>
  new Promise((resolve) => {
    const child = spawn('bash', ['-c', `exec 2>&1; . '${script}'`], {
      cwd: folder,
      env: {
        ...{ PATH: `${tools}:${process.env['PATH']}`, HOME: folder, CURL_HOME: tools },
        ...{ PORT: String(port), HOST: '127.0.0.1' },
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let said = '';
    child.stdout.on('data', (data) => (said += String(data)));
    child.once('close', () => resolve(said));
  });

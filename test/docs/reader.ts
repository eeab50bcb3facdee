/** Somebody who reads a page and pastes its blocks into one shell, in the folder in which the service was started. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Block } from './blocks.ts';
import { elsewhere, endsWithShell } from './terminals.ts';
import { toolsIn } from './tools.ts';

export interface Place {
  /** In which the service was started: `data` is there. */
  folder: string;
  /** Where the service is; pages say that it is at port 8080. */
  port: number;
  /** What the page tells its reader to replace, such as a host, and what this reader has instead. */
  replaced?: Readonly<Record<string, string>>;
  /** Of the shell, beside its own. */
  env?: Readonly<Record<string, string>>;
  /** Its alternatives are tried one after the other: what goes on ends before the next begins. */
  oneAtATime?: boolean;
}

/** What was wrong with a block: a sentence. */
export type Complaint = string;

export interface Followed {
  complaints: Complaint[];
  /** What each block printed. */
  said: string[];
  /** Ends what goes on in other terminals, the newest first, as Ctrl-C does; settles when it has ended. */
  close(): Promise<void>;
}

/** Pastes blocks one after the other, and answers what did not work. */
export const read = async (page: string, blocks: readonly Block[], place: Place): Promise<Complaint[]> => {
  const { complaints, close } = await follow(page, blocks, place);
  await close();
  return complaints;
};

/** The same, and what was started in other terminals goes on until it is closed. */
export const follow = async (page: string, blocks: readonly Block[], place: Place): Promise<Followed> => {
  const tools = toolsIn(place);
  const script = join(tools, `${page.replaceAll('/', '-')}.sh`);
  const own = replacedIn(blocks, place.replaced ?? {});
  const pasted = own.map((block, nth) => paste(block, nth, tools, place.oneAtATime));
  writeFileSync(script, [endsWithShell, ...pasted, atTheEnd].join('\n'));
  const { all, close } = await run(tools, script, place);
  const parts = blocks.map((_, nth) => all.split(marker(nth))[1]?.split(marker(nth + 1))[0]);
  const complaints = blocks.flatMap((block, nth) => {
    const part = parts[nth];
    const wrong = part === undefined ? 'the shell ended before it' : complaintOf(block, part);
    return wrong === undefined ? [] : [`${page}:${block.line}: ${wrong}\n${part ?? all.slice(-2_000)}`];
  });
  return { complaints, said: parts.map((part) => part ?? ''), close };
};

/** Throws what was wrong, with what the blocks printed. */
export const expectWorks = ({ complaints }: Followed): void => {
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
};

/** Throws where there is nothing to replace: the page has changed. */
const replacedIn = (blocks: readonly Block[], replaced: Readonly<Record<string, string>>): Block[] =>
  Object.entries(replaced).reduce<Block[]>(
    (before, [printed, own]) => {
      if (!before.some(({ script }) => script.includes(printed)))
        throw new Error(`no block of the page says ${printed}`);
      return before.map((block) => ({ ...block, script: block.script.replaceAll(printed, () => own) }));
    },
    [...blocks],
  );

const marker = (nth: number): string => `==== block ${nth} ====\n`;

/** As pasted: what fails is told, and the next block goes on in the same shell. */
const paste = ({ script, until }: Block, nth: number, folder: string, alone = false): string => {
  const typed = until === undefined ? script : elsewhere(script, until, folder, alone);
  return `printf '${marker(nth).replace('\n', String.raw`\n`)}'\n${typed}\nprintf '\\n==== exit %s ====\\n' $?`;
};

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

const readToTheEnd = '==== read to the end ====';
/** The shell stays until it is closed, and with it what goes on elsewhere. */
const atTheEnd = `printf '${readToTheEnd}\\n'; read -r <&3`;

/** A page is read within this time; the limit of a test comes later, and says nothing of where it stands. */
const PATIENCE_MS = 210_000;

/** Settles when the page is read, or has kept its reader too long; `all`: both outputs in one, in their order. */
const run = (
  tools: string,
  script: string,
  { folder, port, env = {} }: Place,
): Promise<{ all: string; close(): Promise<void> }> =>
  new Promise((resolve) => {
    const child = spawn('bash', ['-c', `exec 2>&1; . '${script}'`], {
      cwd: folder,
      env: {
        ...{ PATH: `${tools}:${process.env['PATH']}`, HOME: folder, CURL_HOME: tools },
        ...{ PORT: String(port), HOST: '127.0.0.1', ...env },
      },
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
      detached: true,
    });
    const ended = new Promise<void>((end) => child.once('close', () => end()));
    const patience = setTimeout(() => {
      all += `\n==== not read to the end within ${PATIENCE_MS / 1_000} s ====\n`;
      process.kill(-child.pid!, 'SIGTERM');
    }, PATIENCE_MS);
    const close = async (): Promise<void> => {
      (child.stdio[3] as Writable).end();
      await ended;
    };
    let all = '';
    const read = (): void => {
      clearTimeout(patience);
      resolve({ all, close });
    };
    child.stdout!.on('data', (data) => {
      all += String(data);
      if (all.includes(readToTheEnd)) read();
    });
    void ended.then(read);
  });

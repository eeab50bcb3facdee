/** A node of the built service: a process that is spoken to over HTTP, stopped, killed and started again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ledger } from '../evidence.ts';
import { ask } from './ask.ts';
import { pause, until } from './ports.ts';

/** As it is shipped. */
const builtMain = join(import.meta.dirname, '../../../dist/src/main.js');
/** How `npm start` runs it. */
const flags = ['--enable-source-maps', '--max-semi-space-size=32'];

export interface Node {
  name: string;
  url: string;
  pid(): number | undefined;
  /** It is there: started, not stopped, not told to leave. */
  isUp(): boolean;
  start(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGTERM, as an operator restarts it. */
  leave(): Promise<void>;
  /** SIGSTOP; until `goOn`. */
  freeze(): void;
  goOn(): void;
}

export interface NodeOptions {
  name: string;
  port: number;
  env: Record<string, string>;
  /** What is run. Default: what this repository has built. */
  main?: string;
  ledger: Ledger;
  /** Each secret, and whose it is. */
  secrets: ReadonlyMap<string, string>;
  /** Where its log goes. */
  logFile: string;
  /** What stands before `node` on the command line, e.g. `unshare --mount …`; ends in an `exec` of the rest. */
  wrapper?: readonly string[];
}

export const aNode = (options: NodeOptions): Node => {
  const { name, port, env, ledger, secrets, logFile, wrapper = [], main = builtMain } = options;
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  let frozen = false;
  let leaving = false;

  const launch = (): ChildProcess => {
    const command = [...wrapper, process.execPath, ...flags, main];
    const started = spawn(command[0]!, command.slice(1), {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: String(port), ...env },
    });
    const log = logReader(name, ledger, secrets, logFile);
    started.stdout.on('data', log.hear);
    started.stderr.on('data', log.hear);
    started.once('exit', (code, signal) => {
      log.close();
      const how = signal ?? `code ${code}`;
      const words = leaving ? '' : log.lastWords();
      ledger.add({ kind: 'exited', node: name, pid: started.pid!, how, ours: leaving, words });
    });
    return started;
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = child;
    if (!ending || isGone(ending)) return;
    leaving = true;
    const gone = new Promise((resolve) => ending.once('exit', resolve));
    ending.kill(signal);
    if (frozen) ending.kill('SIGCONT');
    frozen = false;
    const patience = setTimeout(() => ending.kill('SIGKILL'), 60_000);
    await gone;
    clearTimeout(patience);
  };
  return {
    name,
    url,
    pid: () => child?.pid,
    isUp: () => child !== undefined && !isGone(child) && !frozen && !leaving,
    start: async () => {
      if (child && !isGone(child)) return;
      leaving = false;
      child = launch();
      const started = child;
      const isReady = async (): Promise<boolean> =>
        isGone(started) || (await ask(`${url}/readyz`, { timeoutMs: 2_000 })).status === 200;
      const ready = (await until(isReady, 150_000)) && !isGone(started);
      ledger.add({ kind: 'started', node: name, pid: started.pid!, ready });
    },
    kill: () => end('SIGKILL'),
    leave: () => end('SIGTERM'),
    freeze: () => {
      frozen = true;
      child?.kill('SIGSTOP');
    },
    goOn: () => {
      child?.kill('SIGCONT');
      frozen = false;
    },
  };
};

const isGone = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** Bytes of memory that a process holds; 0: there is none. */
export const memoryOf = (pid: number): number => {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
};

/** Starts those that ended by themselves again, as a service manager does; until it is stopped. */
export const lookAfter = (
  nodes: readonly Node[],
  mayStart: (node: Node) => boolean,
): { stop(): Promise<void> } => {
  let over = false;
  const watching = (async () => {
    while (!over) {
      for (const node of nodes) if (!over && mayStart(node) && !node.isUp()) await node.start();
      await pause(500);
    }
  })();
  return {
    stop: () => {
      over = true;
      return watching;
    },
  };
};

const tailBytes = 4_000;

/** Counts lines by the second, looks for secrets in them, and keeps them in a file. */
const logReader = (
  node: string,
  ledger: Ledger,
  secrets: ReadonlyMap<string, string>,
  logFile: string,
): { hear(data: Buffer): void; close(): void; lastWords(): string } => {
  let rest = '';
  let tail = '';
  let lines = 0;
  let bytes = 0;
  let sample = '';
  const leaked = new Set<string>();

  const read = (line: string): void => {
    lines += 1;
    bytes += line.length + 1;
    // A line that complains says more than one that tells.
    if (sample === '' || (line.includes('"level":"error"') && !sample.includes('"level":"error"')))
      sample = line.slice(0, 400);
    // What is no JSON is the banner of the start, which shows the demo token on purpose.
    if (!line.startsWith('{')) return;
    for (const [secret, what] of secrets) {
      if (!line.includes(secret) || leaked.has(what)) continue;
      leaked.add(what);
      const shown = line.replaceAll(secret, `[${what}]`).slice(0, 400);
      ledger.add({ kind: 'leaked', node, what, line: shown });
    }
  };
  const tell = (): void => {
    if (lines > 0) ledger.add({ kind: 'logged', node, lines, bytes, sample });
    [lines, bytes, sample] = [0, 0, ''];
  };
  const second = setInterval(tell, 1_000);
  return {
    hear: (data) => {
      const text = String(data);
      appendFileSync(logFile, text);
      tail = (tail + text).slice(-tailBytes);
      const pieces = (rest + text).split('\n');
      rest = pieces.pop()!.slice(-100_000);
      for (const piece of pieces) read(piece);
    },
    close: () => {
      clearInterval(second);
      tell();
    },
    lastWords: () => tail,
  };
};

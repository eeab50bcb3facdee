/** Runs a command in a broken tree, and says how it ended. */
import { spawn } from 'node:child_process';
import type { By } from './break.ts';

/** Much longer than any of them takes on a busy machine. */
const LONGEST_MS = 480_000;
const MOST_LETTERS = 2_000_000;

export interface Ended {
  how: 'passed' | 'failed' | 'hung';
  seconds: number;
  /** What it said first of what is wrong. */
  said: string;
  output: string;
}

/** Ends with `failed` only where a test or a rule says so; a command that breaks off otherwise throws. */
export const run = (tree: string, by: By, server: string): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn('nice', ['-n', '10', process.execPath, ...argumentsOf(by)], {
      cwd: tree,
      env: { ...process.env, BREAKS_SERVER: server, NO_COLOR: '1', FORCE_COLOR: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    let hung = false;
    const late = setTimeout(() => {
      hung = true;
      process.kill(-child.pid!, 'SIGKILL');
    }, LONGEST_MS);
    const hear = (piece: Buffer): void => void (output = (output + piece.toString()).slice(-MOST_LETTERS));
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(late);
      const seconds = (performance.now() - began) / 1_000;
      const said = firstFault(output);
      if (hung) resolve({ how: 'hung', seconds, said: `no end after ${LONGEST_MS / 1_000} s`, output });
      else if (code === 0) resolve({ how: 'passed', seconds, said: '', output });
      else if (said !== undefined) resolve({ how: 'failed', seconds, said, output });
      else reject(new Error(`the command broke off (${code}) without a fault:\n${output.slice(-4_000)}`));
    });
  });

const argumentsOf = (by: By): string[] =>
  'tests' in by
    ? [
        'node_modules/vitest/vitest.mjs',
        ...['run', '--config', 'test/breaks/vitest.config.ts', '--bail', '1'],
        ...by.tests.map((file) => `test/${file}.test.ts`),
      ]
    : ['--import', 'tsx', 'test/simulation/run.ts', ...by.simulate.split(' ')];

/** A test that failed, a rule that was violated, or a run of the simulator that ended in a bug. */
const firstFault = (output: string): string | undefined => {
  const [, test] = /^ *FAIL +(\S.*)$/m.exec(output) ?? [];
  const [, rules] = /^VIOLATED: (.*)$/m.exec(output) ?? [];
  const [, bug] = /^(\w*Error(?: \[\w+\])?: .*)$/m.exec(output) ?? [];
  return test ?? rules ?? bug;
};

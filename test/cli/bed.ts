/** The whole service, and a command line in this process that speaks to it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  adminToken,
  demoAccount,
  demoToken,
  startTestService,
  type TestService,
} from '../helpers/service.ts';
import { ramal, type Running, type Typed } from './terminal.ts';

export interface CliBed {
  on: TestService;
  /** What the command line finds in its environment. */
  env: Record<string, string>;
  /** What the service's own terminal would show. */
  shown: string[];
  /** Files of a test. */
  folder: string;
  /** Runs a command line for the demo account and its operator. */
  run(words: string[], typed?: Typed): Running;
  /** A file of destinations, a line each. */
  aFile(name: string, ...lines: string[]): string;
  stop(): Promise<void>;
}

export const startCliBed = async (): Promise<CliBed> => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-cli-'));
  const shown: string[] = [];
  const on = await startTestService({ SANDBOX_SPEED: '200' }, undefined, {
    show: (line) => void shown.push(line),
  });
  const env = { RAMAL_URL: on.url, ADMIN_TOKEN: adminToken, RAMAL_TOKEN: demoToken };
  return {
    ...{ on, env, folder, shown },
    run: (words, typed = {}) => ramal(words, { ...typed, env: { ...env, ...typed.env } }),
    aFile: (name, ...lines) => {
      const path = join(folder, name);
      writeFileSync(path, lines.join('\n'));
      return path;
    },
    stop: async () => {
      await on.stop();
      rmSync(folder, { recursive: true });
    },
  };
};

/** Names the demo account. */
export const demo = ['--account', String(demoAccount)];

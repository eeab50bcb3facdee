/** The pages that a reader may follow, their blocks, and what is not run of them. */
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Block, commandBlocks } from './blocks.ts';

export const root = join(import.meta.dirname, '../..');

export const below = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
const guides = below('docs/guides');
const reference = [...below('docs/operations'), 'docs/tools-for-assistants.md'];
export const allPages = ['README.md', ...guides, ...reference];

export const blocksOf = (page: string): Block[] => commandBlocks(readFileSync(join(root, page), 'utf8'));

/** Those that need nothing, and those that need what is there. */
export const blocksWith = (page: string, ...there: readonly string[]): Block[] =>
  blocksOf(page).filter(({ needs }) => needs === undefined || there.includes(needs));

/** Programs that every reader has. Empty: they are here. */
export const missing = ['bash', 'curl', 'jq', 'openssl'].filter(
  (name) => spawnSync(name, ['--version']).error !== undefined,
);
/** For the name of what is skipped without them. */
export const lackingPrograms =
  missing.length > 0 ? `: needs ${missing.join(', ')}, which this machine lacks` : '';

/** What a test of its own has for a page: its blocks that need it are run there. */
export const followed: Readonly<Record<string, readonly string[]>> = {
  'README.md': ['asterisk', 'postgresql'],
  'docs/guides/after-a-failover.md': ['own-process', 'journals', 'closed-shard'],
  'docs/guides/back-up-and-restore.md': ['ssh'],
  'docs/guides/command-line.md': ['dead-letter'],
  'docs/guides/connect-a-carrier.md': ['asterisk'],
  'docs/guides/connect-a-msgapp-line.md': ['msgapp-account'],
  'docs/guides/connect-an-sms-provider.md': ['smsc', 'gateway'],
  'docs/guides/engine.md': ['doorbell'],
  'docs/guides/first-call.md': ['own-process'],
  'docs/guides/more-nodes.md': ['postgresql'],
  'docs/guides/own-servers.md': ['asterisk', 'postgresql', 'bucket'],
  'docs/guides/use-the-client.md': ['npm'],
  'docs/guides/what-an-sms-costs.md': ['unknown-message'],
  'docs/guides/whatsapp.md': ['msgapp-account'],
  'docs/operations/ValidateMsgappNumber.md': ['msgapp-account'],
};

/** What no test has: how many blocks need it, and why. A higher number wants a reason. */
export const leftOut: Readonly<Record<string, readonly [number, string]>> = {
  clone: [3, '`npm ci` and all tests in a clone take minutes: `.ci/bare` runs them'],
  docker: [2, 'no Docker daemon'],
  internet: [1, 'it fetches a program of others'],
};

/** Blocks that no test runs, by what they need. */
export const notRun = (): { page: string; line: number; needs: string }[] =>
  allPages.flatMap((page) =>
    blocksOf(page).flatMap(({ line, needs }) =>
      needs === undefined || followed[page]?.includes(needs) ? [] : [{ page, line, needs }],
    ),
  );

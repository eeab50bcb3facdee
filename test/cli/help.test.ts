import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { buildCliProgram } from '../../src/cli/program.ts';
import { ramal } from './terminal.ts';

/** Every command that does something, by its words. */
const commands = (): string[][] => {
  const silent = { write: () => true, on: () => undefined };
  const shell = { env: {}, stdin: process.stdin, stdout: silent, stderr: silent };
  const below = (command: Command, words: string[]): string[][] =>
    command.commands.length === 0
      ? [words]
      : command.commands.flatMap((one) => below(one, [...words, one.name()]));
  return below(
    buildCliProgram(shell, () => {}),
    [],
  );
};

const names = commands().map((words) => words.join(' '));

test.each(names)('ramal %s has help with an example, in 80 columns', async (name) => {
  const { exit, out, err } = await ramal([...name.split(' '), '--help']);
  expect({ exit, err }).toEqual({ exit: 0, err: '' });
  expect(out).toContain(`Usage: ramal ${name}`);
  expect(out).toMatch(new RegExp(`\\$ npx ramal ${name}`));
  expect(out).toContain('--json');
  expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('the first page names every command, where tokens come from, and the exit codes', async () => {
  const { exit, out } = await ramal(['--help']);
  expect(exit).toBe(0);
  for (const [name] of commands()) expect(out).toMatch(new RegExp(`^ {2}${name}`, 'm'));
  expect(out).toContain('RAMAL_TOKEN');
  expect(out).toContain('Exit codes: 0 done');
  expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('the version is that of the package', async () => {
  expect((await ramal(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

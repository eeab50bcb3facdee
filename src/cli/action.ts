/** What every command works with, made from its options. */
import type { Command } from 'commander';
import { type Connection, type ConnectionOptions, connectionOf } from './connection.ts';
import { type ExitCode, wrongUsage } from './failure.ts';
import { type Client, openClient } from './http.ts';
import { openOutput, type Output } from './output.ts';
import type { Shell } from './shell.ts';

export interface GlobalOptions extends ConnectionOptions {
  json?: boolean;
}

export interface ActionContext {
  shell: Shell;
  out: Output;
  connection: Connection;
  client: Client;
}

/** What a command does; it answers its exit code when that is not 0, and throws a `Failure`. */
export type Action<Options> = (
  job: ActionContext,
  options: Options,
  ...args: string[]
) => Promise<ExitCode | void> | ExitCode | void;

/** Hears how the command that ran ended. */
export type Finish = (exit: ExitCode) => void;

/** How a command of the program becomes an action of commander's. */
export type Acting = <Options extends object>(act: Action<Options>) => (...given: unknown[]) => Promise<void>;

export const action =
  (shell: Shell, finish: Finish): Acting =>
  <Options extends object>(act: Action<Options>) =>
  async (...given: unknown[]) => {
    const command = given.at(-1) as Command;
    const options = command.optsWithGlobals<GlobalOptions & Options>();
    const connection = connectionOf(options, shell.env);
    const out = openOutput(shell, options.json === true);
    finish(
      (await act({ shell, out, connection, client: openClient(connection) }, options, ...command.args)) ?? 0,
    );
  };

/**
 * The account that a command is about: `--account`, else RAMAL_ACCOUNT, else that of the token that acts, which is the
 * demo account's where no other is given. Throws when there is none of them.
 */
export const accountOf = async (
  { shell, client }: ActionContext,
  { account }: { account?: string },
): Promise<number> => {
  const text = account ?? shell.env['RAMAL_ACCOUNT']?.trim();
  if (text) return idOf(text, 'an account');
  const owner = await client.tokenOwner();
  if (owner !== undefined) return owner;
  throw wrongUsage(
    'which account?',
    'Name it with --account <id> or RAMAL_ACCOUNT; npx ramal account ls shows all of them.',
  );
};

/** The option of commands about one account. */
export const ofAccount = ['-a, --account <id>', "whose; default RAMAL_ACCOUNT, else the token's"] as const;

/** A number from the command line. `what`: e.g. `an account`. */
export const idOf = (text: string, what: string): number => {
  if (/^\d{1,16}$/.test(text)) return Number(text);
  throw wrongUsage(`${JSON.stringify(text)} is not the number of ${what}`);
};

/** Of an option; the service may allow less. */
const mostNumber = 999_999_999;

/** A whole number that an option was given. `option`: e.g. `--per-second`. */
export const numberOf = (text: string, option: string): number => {
  if (!/^\d+$/.test(text))
    throw wrongUsage(`${option} must be a whole number; it is ${JSON.stringify(text)}`);
  if (Number(text) <= mostNumber) return Number(text);
  throw wrongUsage(`${option} must be at most ${mostNumber}; it is ${text.slice(0, 40)}`);
};

/** `key=value` pairs as an object. */
export const readPairs = (pairs: readonly string[] = []): Record<string, unknown> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw wrongUsage(`${JSON.stringify(pair)} is not a pair like name=value`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );

/** Collects an option that may be given more than once. */
export const collect = (value: string, before: string[] = []): string[] => [...before, value];

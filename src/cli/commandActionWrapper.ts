/** What every command works with, made from its options. */
import type { Command } from 'commander';
import {
  type ServiceConnection,
  type ServiceConnectionOptions,
  readServiceConnection,
} from './serviceUrlAndTokens.ts';
import { type ExitCode, wrongUsageFailure } from './failure.ts';
import { type ServiceClient, openServiceClient } from './http.ts';
import { openCommandOutput, type CommandOutput } from './output.ts';
import type { CommandLineStreamsAndEnv } from './shell.ts';

export interface GlobalOptions extends ServiceConnectionOptions {
  json?: boolean;
}

export interface CommandContext {
  shell: CommandLineStreamsAndEnv;
  out: CommandOutput;
  connection: ServiceConnection;
  client: ServiceClient;
}

/** What a command does; it answers its exit code when that is not 0, and throws a `CommandFailure`. */
export type CommandAction<Options> = (
  job: CommandContext,
  options: Options,
  ...args: string[]
) => Promise<ExitCode | void> | ExitCode | void;

/** Hears how the command that ran ended. */
export type CliCommandExitListener = (exit: ExitCode) => void;

/** How a command of the program becomes an action of commander's. */
export type WrapCommandAction = <Options extends object>(
  act: CommandAction<Options>,
) => (...given: unknown[]) => Promise<void>;

export const commandActionWrapper =
  (shell: CommandLineStreamsAndEnv, finish: CliCommandExitListener): WrapCommandAction =>
  <Options extends object>(act: CommandAction<Options>) =>
  async (...given: unknown[]) => {
    const command = given.at(-1) as Command;
    const options = command.optsWithGlobals<GlobalOptions & Options>();
    const connection = readServiceConnection(options, shell.env);
    const out = openCommandOutput(shell, options.json === true);
    finish(
      (await act(
        { shell, out, connection, client: openServiceClient(connection) },
        options,
        ...command.args,
      )) ?? 0,
    );
  };

/**
 * The account that a command is about: `--account`, else RAMAL_ACCOUNT, else that of the token that acts, which is the
 * demo account's where no other is given. Throws when there is none of them.
 */
export const resolveAccountOption = async (
  { shell, client }: CommandContext,
  { account }: { account?: string },
): Promise<number> => {
  const text = account ?? shell.env['RAMAL_ACCOUNT']?.trim();
  if (text) return idOf(text, 'an account');
  const owner = await client.tokenOwner();
  if (owner !== undefined) return owner;
  throw wrongUsageFailure(
    'which account?',
    'Name it with --account <id> or RAMAL_ACCOUNT; npx ramal account ls shows all of them.',
  );
};

/** The option of commands about one account. */
export const accountOption = [
  '-a, --account <id>',
  "whose; default RAMAL_ACCOUNT, else the token's",
] as const;

/** A number from the command line. `what`: e.g. `an account`. */
export const idOf = (text: string, what: string): number => {
  if (/^\d{1,16}$/.test(text)) return Number(text);
  throw wrongUsageFailure(`${JSON.stringify(text)} is not the number of ${what}`);
};

/** Of an option; the service may allow less. */
const mostNumber = 999_999_999;

/** A whole number that an option was given. `option`: e.g. `--per-second`. */
export const parseWholeNumberOption = (text: string, option: string): number => {
  if (!/^\d+$/.test(text))
    throw wrongUsageFailure(`${option} must be a whole number; it is ${JSON.stringify(text)}`);
  if (Number(text) <= mostNumber) return Number(text);
  throw wrongUsageFailure(`${option} must be at most ${mostNumber}; it is ${text.slice(0, 40)}`);
};

/** `key=value` pairs as an object. */
export const parseKeyValuePairs = (pairs: readonly string[] = []): Record<string, unknown> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw wrongUsageFailure(`${JSON.stringify(pair)} is not a pair like name=value`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );

/** Collects an option that may be given more than once. */
export const collectRepeatedOption = (value: string, before: string[] = []): string[] => [...before, value];

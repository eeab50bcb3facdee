/** Commands that are printed to be pasted: they run with the settings that this one was given. */
import type { CommandLineStreamsAndEnv } from './shell.ts';

/** Of those that say which installation is meant: these hold no secrets, and are given on the command line. */
const SETTINGS = ['DATA_DIR', 'OUTGOING_DIR'];

/** What stands before the words of a command. */
export const npxRamalPrefix = ({ env }: Pick<CommandLineStreamsAndEnv, 'env'>): string => {
  const given = SETTINGS.flatMap((name) => {
    const value = env[name];
    return value === undefined || value === '' ? [] : [`${name}=${quoted(value)}`];
  });
  return [...given, 'npx ramal'].join(' ');
};

/** As a shell takes it, whatever is in it. */
const quoted = (value: string): string =>
  /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;

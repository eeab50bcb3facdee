/** The passphrase of a backup, which never stands on a command line. */
import { readFileSync } from 'node:fs';
import { wrongUsageFailure } from './failure.ts';
import { askForSecrets } from './readCommandSecrets.ts';
import type { CommandLineStreamsAndEnv } from './shell.ts';

export interface PassphraseOptions {
  passphraseFile?: string;
}

const variable = 'RAMAL_BACKUP_PASSPHRASE';

/**
 * From the file that the option names, else from the environment. Undefined: from neither. One that is given and empty is
 * refused: what was meant to be sealed would be left out.
 */
export const readBackupPassphrase = (
  shell: CommandLineStreamsAndEnv,
  { passphraseFile }: PassphraseOptions,
): string | undefined => {
  const text = passphraseFile === undefined ? shell.env[variable] : contentOf(passphraseFile);
  if (text === undefined) return undefined;
  const passphrase = text.trim();
  if (passphrase === '')
    throw wrongUsageFailure(
      passphraseFile === undefined
        ? `${variable} is set and empty`
        : `there is no passphrase in ${passphraseFile}: it is empty`,
      'Give one, or leave it out.',
    );
  return passphrase;
};

/** The same; where it is given by neither and a person sits, it is asked for. */
export const readOrAskBackupPassphrase = async (
  shell: CommandLineStreamsAndEnv,
  options: PassphraseOptions,
): Promise<string | undefined> =>
  readBackupPassphrase(shell, options) ??
  (
    await askForSecrets(
      shell,
      [{ name: 'passphrase', question: 'Passphrase of the backup', variable }],
      false,
    )
  )['passphrase'];

const contentOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw wrongUsageFailure(`the passphrase cannot be read from ${path}: ${(error as Error).message}`);
  }
};

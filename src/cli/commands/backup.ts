/** `ramal backup`: everything of this installation in one archive, while the service goes on. */
import { existsSync, statSync } from 'node:fs';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import type { BackupReport } from '../../backup/takeBackup.ts';
import { cliRefusedFailure, wrongUsageFailure } from '../failure.ts';
import { formatHelpExamples } from '../help.ts';
import type { WrapCommandAction } from '../commandActionWrapper.ts';
import { readBackupPassphrase, type PassphraseOptions } from '../passphrase.ts';
import { readPackageManifest } from '../packageRoot.ts';
import { openProgressDisplay } from '../progress.ts';
import type { CommandLineStreamsAndEnv } from '../shell.ts';
import { isAbortError, abortOnInterrupt } from '../signals.ts';
import { formatDateTimeAndZone } from '../times.ts';
import { formatThousands, formatByteSize } from '../format.ts';

export const backupCommand = (program: Command, act: WrapCommandAction): void => {
  program
    .command('backup')
    .description('copy databases, media and secrets to an archive')
    .argument('<folder>', 'where the archive goes; - for standard output, a pipe')
    .option('--passphrase-file <file>', 'seals the secrets; else RAMAL_BACKUP_PASSPHRASE')
    .addHelpText(
      'after',
      `
It works on the databases with the settings of this environment, beside a
service that runs or without one, and reads each database as it stood at one
moment. Without a passphrase the secrets (SECRET_KEY, ADMIN_TOKEN) are left out.
The archive is closed to other users, but not encrypted: it holds numbers and
texts of people. docs/guides/back-up-and-restore.md says more.
${formatHelpExamples('backup /var/backups/ramal --passphrase-file /etc/ramal/passphrase', 'backup - | ssh vault "cat > ramal.tar.gz"')}`,
    )
    .action(
      act<PassphraseOptions>(async ({ shell, out }, options, folder) => {
        const to = targetOf(shell, folder, out.json);
        const passphrase = readBackupPassphrase(shell, options);
        const [{ takeBackup }, { readConfig }, { MIN_BACKUP_PASSPHRASE_LENGTH: LEAST_CHARACTERS }] =
          await Promise.all([
            import('../../backup/takeBackup.ts'),
            import('../../config.ts'),
            import('../../backup/sealedSecrets.ts'),
          ]);
        if (passphrase !== undefined && passphrase.length < LEAST_CHARACTERS)
          throw wrongUsageFailure(`a passphrase has at least ${LEAST_CHARACTERS} characters`);
        const progress = openProgressDisplay(shell, out.json);
        const interrupted = abortOnInterrupt();
        try {
          const report = await takeBackup(readConfig(shell.env), {
            ...{ to, passphrase, release: readPackageManifest().version, signal: interrupted.signal },
            listener: {
              progress: progress.step,
              table: (place, table, { rows, bytes }) => {
                if (rows > 0)
                  progress.line(
                    `${place}: ${table}, ${formatThousands(rows)} rows, ${formatByteSize(bytes)}`,
                  );
              },
            },
          });
          progress.end();
          out.tell(report);
          const tell = 'pipe' in to ? out.note : out.say;
          for (const line of said(report)) tell(line);
        } catch (error) {
          progress.end();
          throw isAbortError(error)
            ? cliRefusedFailure('the backup was interrupted; there is no archive of it')
            : error;
        } finally {
          interrupted.stop();
        }
      }),
    );
};

const targetOf = (
  shell: CommandLineStreamsAndEnv,
  given: string,
  json: boolean,
): { folder: string } | { pipe: Writable } => {
  if (given !== '-') {
    if (existsSync(given) && !statSync(given).isDirectory())
      throw wrongUsageFailure(
        `${given} is no folder: name one, in which the archive gets a name by its time`,
      );
    return { folder: given };
  }
  if (json) throw wrongUsageFailure('standard output is either the archive or JSON: leave - or --json away');
  if (shell.stdout.isTTY)
    throw wrongUsageFailure('a terminal is no place for an archive: name a folder, or a pipe');
  if (!(shell.stdout instanceof Writable)) throw wrongUsageFailure('standard output is no pipe');
  return { pipe: shell.stdout };
};

const said = ({ file, bytes, places, media, secrets }: BackupReport): string[] => [
  `${file ?? 'The archive'}: ${formatByteSize(bytes)}.`,
  ...places.map(
    ({ name, at, rows }) => `  ${name}: ${formatThousands(rows)} rows, as of ${formatDateTimeAndZone(at)}`,
  ),
  media === 'bucket'
    ? '  media: in the bucket (S3_BUCKET), and not in the archive; keep copies of the bucket'
    : `  media: ${formatThousands(media.files)} files, ${formatByteSize(media.bytes)}`,
  secrets
    ? '  secrets: sealed with the passphrase; without it they cannot be opened'
    : '  secrets: left out, for there is no passphrase. Keep SECRET_KEY (the file secret-key in DATA_DIR) elsewhere: without it a restored service does not start, and credentials that are kept sealed are lost',
];

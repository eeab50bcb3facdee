/** `ramal restore`: an archive of `ramal backup` into databases and a folder that hold nothing. */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { JournalReconciliationReport } from '../../recovery/reconcileFromJournals.ts';
import type { RestoreReport } from '../../backup/restore.ts';
import type { Config } from '../../config.ts';
import { cliRefusedFailure, wrongUsageFailure } from '../failure.ts';
import { formatHelpExamples } from '../help.ts';
import type { WrapCommandAction } from '../commandActionWrapper.ts';
import { npxRamalPrefix } from '../pasted.ts';
import { readOrAskBackupPassphrase, type PassphraseOptions } from '../passphrase.ts';
import { openProgressDisplay } from '../progress.ts';
import type { CommandLineStreamsAndEnv } from '../shell.ts';
import { isAbortError, abortOnInterrupt } from '../signals.ts';
import { formatDateTimeAndZone } from '../times.ts';
import { formatThousands, formatByteSize } from '../format.ts';
import {
  areReconciledRowsWhole,
  isReconciledShardOpen,
  reconciledShardReportLines,
  reconciledRowsReportLines,
} from './reconcileFromJournals.ts';

interface Options extends PassphraseOptions {
  withoutSecrets?: boolean;
}

export const restoreCommand = (program: Command, act: WrapCommandAction): void => {
  program
    .command('restore')
    .description('restore an archive of ramal backup, into an empty place')
    .argument('<archive>', 'the file; - for standard input, a pipe')
    .option('--passphrase-file <file>', 'opens the secrets; else RAMAL_BACKUP_PASSPHRASE')
    .option('--without-secrets', 'leave out the secrets that the archive holds')
    .addHelpText(
      'after',
      `
Where it goes is said by the settings of this environment: a new DATA_DIR, or
databases (DATABASE_URL, SHARDS) that hold no rows, and no service on them. All
of the archive is looked over first; a damaged one changes nothing. A pipe is
kept in a file meanwhile (TMPDIR). What was done after the backup is written
again from the journals in OUTGOING_DIR; without them the shards stay closed.
Exit code 1: nothing was restored, or the journals there cannot all be read.
docs/guides/back-up-and-restore.md says more.
${formatHelpExamples('restore ramal-2026-11-24T02-00-00.000Z.tar.gz --without-secrets')}
  $ ssh vault cat ramal.tar.gz | DATA_DIR=/srv/ramal npx ramal restore -`,
    )
    .action(
      act<Options>(async ({ shell, out }, options, given) => {
        const [{ restoreBackup }, { readConfig }] = await Promise.all([
          import('../../backup/restore.ts'),
          import('../../config.ts'),
        ]);
        const config = readConfig(shell.env);
        const progress = openProgressDisplay(shell, out.json);
        const interrupted = abortOnInterrupt();
        let report: RestoreReport;
        try {
          report = await withFile(shell, given, interrupted.signal, (path) =>
            restoreBackup(config, {
              ...{ path, withoutSecrets: options.withoutSecrets === true, progress: progress.step },
              passphrase: async () => {
                progress.end();
                return readOrAskBackupPassphrase(shell, options);
              },
              signal: interrupted.signal,
            }),
          );
        } catch (error) {
          throw isAbortError(error)
            ? cliRefusedFailure('the restore was interrupted; there are no rows of it')
            : error;
        } finally {
          progress.end();
          interrupted.stop();
        }
        const brought = report.closed ? await reconciled(config, shell) : NOTHING;
        out.tell({ ...report, ...(brought instanceof Error ? NOTHING : brought) });
        out.say(...said({ report, config, brought, npx: npxRamalPrefix(shell) }));
        return !(brought instanceof Error) && areReconciledRowsWhole(brought) ? 0 : 1;
      }),
    );
};

/** What was brought from the journals; an error where that could not be found out. */
type Brought = JournalReconciliationReport | Error;

const NOTHING: JournalReconciliationReport = { shards: [], rows: [] };

/** What the journals of OUTGOING_DIR have and the backup lacks; an error where that could not be found out. */
const reconciled = async (config: Config, shell: CommandLineStreamsAndEnv): Promise<Brought> => {
  const [{ reconcileWithJournals: reconcile }, { openStderrErrorLog: commandLog }] = await Promise.all([
    import('../../compose/reconcileWithJournals.ts'),
    import('../openCliErrorLog.ts'),
  ]);
  // The rows are restored, whatever becomes of this.
  return reconcile(config, commandLog(shell), { folders: [], progress: () => {} }).catch(
    (error: unknown) => error as Error,
  );
};

/** What comes through a pipe is kept in a file of ours, for it is read twice. */
const withFile = async <T>(
  shell: CommandLineStreamsAndEnv,
  given: string,
  signal: AbortSignal,
  use: (path: string) => Promise<T>,
): Promise<T> => {
  if (given !== '-') return use(given);
  if (shell.stdin.isTTY) throw wrongUsageFailure('a terminal is no archive: name a file, or a pipe');
  const folder = mkdtempSync(join(tmpdir(), 'ramal-restore-'));
  try {
    const path = join(folder, 'the archive');
    await pipeline(shell.stdin, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
    return await use(path).catch((error: unknown) => {
      if (error instanceof Error) error.message = error.message.replaceAll(path, 'standard input');
      throw error;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

interface Restored {
  report: RestoreReport;
  config: Config;
  brought: Brought;
  /** What stands before the words of a command. */
  npx: string;
}

const said = (restored: Restored): string[] => {
  const { dataDir } = restored.config;
  const { release, at, places, media, secrets } = restored.report;
  return [
    `Restored: the backup of ${formatDateTimeAndZone(at)}, made by release ${release}. Every row was read back and compared.`,
    ...places.map(
      (place) =>
        `  ${place.name}: ${formatThousands(place.rows)} rows in ${place.tables} tables, as of ${formatDateTimeAndZone(place.at)}`,
    ),
    media === 'bucket'
      ? '  media: none; they lived in a bucket (S3_BUCKET)'
      : `  media: ${formatThousands(media.files)} files, ${formatByteSize(media.bytes)}`,
    secrets.length > 0 ? `  secrets: ${secrets.join(', ')} in ${dataDir}` : '  secrets: none',
    '',
    ...journalsSaid(restored),
    ...afterwards(restored),
  ];
};

const journalsSaid = ({ brought, config: { outgoingDir }, npx }: Restored): string[] =>
  brought instanceof Error
    ? [`The journals in ${outgoingDir} could not be read: ${brought.message}. ${npx} reconcile tries again.`]
    : [
        ...reconciledRowsReportLines(brought),
        ...brought.shards.flatMap((shard) => reconciledShardReportLines(shard, npx)),
      ];

const afterwards = ({ report, config: { dataDir }, brought, npx }: Restored): string[] => {
  const { closed, secretKey, media } = report;
  const shards = brought instanceof Error ? [] : brought.shards;
  const keys = {
    fits: [],
    another: [
      'SECRET_KEY is not the one that the rows were sealed with: the service does not start with it. Set that of the old service.',
    ],
    absent: [
      `SECRET_KEY is missing: set that of the old service, or put its file secret-key into ${dataDir}, before the first start.`,
    ],
  };
  const areOpen = shards.length > 0 && shards.every(isReconciledShardOpen);
  const standing = {
    open: 'What was done after the backup is written again from the journals, as far as they reach.',
    closed:
      'A shard that is closed dials and sends nothing until it is opened. What was done after the backup is not in its rows.',
    unknown:
      'What was done after the backup is not in its rows: it may be done again as soon as the service is started.',
  }[areOpen ? 'open' : closed ? 'closed' : 'unknown'];
  const start = {
    open: `Start it (${npx} start).`,
    closed: `Bring the journals of the old service (its OUTGOING_DIR, of each host): ${npx} reconcile <folder> opens the shards. Start it (${npx} start) before or after; ${npx} shard ls says how they stand.`,
    unknown: `Start it (${npx} start), when you know what became of the calls since.`,
  }[areOpen ? 'open' : closed ? 'closed' : 'unknown'];
  return [
    standing,
    'What to do now:',
    ...[
      'Stop the old service for good, and keep it from its carriers: two of them dial the same numbers.',
      ...keys[secretKey],
      ...(media === 'bucket' ? ['Set S3_BUCKET and what goes with it, as the old service had it.'] : []),
      start,
    ].map((sentence, i) => `  ${i + 1}. ${sentence}`),
  ];
};

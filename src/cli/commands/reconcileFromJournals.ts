/** `ramal reconcile`: writes again what a database that went back has forgotten, from the journals at hand. */
import type { Command } from 'commander';
import type {
  NodeWithoutJournal,
  JournalReconciliationReport,
  ReconciledShardReport,
  RowsRestoredFromJournalsReport,
} from '../../recovery/reconcileFromJournals.ts';
import { cliRefusedFailure } from '../failure.ts';
import { formatHelpExamples } from '../help.ts';
import type { WrapCommandAction } from '../commandActionWrapper.ts';
import { isAbortError, abortOnInterrupt } from '../signals.ts';
import { npxRamalPrefix } from '../pasted.ts';
import { formatDateTimeAndZone } from '../times.ts';
import { formatThousands } from '../format.ts';
import { readExistingInstallationConfig } from '../installation.ts';

export const reconcileFromJournalsCommand = (program: Command, act: WrapCommandAction): void => {
  program
    .command('reconcile')
    .description('write again, from journals, what a database that went back lacks')
    .argument('[folder...]', 'journals of other hosts: copies of their OUTGOING_DIR')
    .addHelpText(
      'after',
      `
A standby was promoted that lacked the last commits, or a backup was restored.
What was acknowledged since stands in the journals that each process keeps in
OUTGOING_DIR. Those of this environment are read, and those in the folders; what
the databases lack is written again in the order of before, and a shard opens
where no journal is missing. Say it when these are all journals there are:
a backup that was restored waits for that word. It works beside a service that
runs or without one, and may be run as often as you like. Exit code 1: a shard
stays closed, or a journal of rows cannot be read; it says which.
docs/guides/after-a-failover.md has more.
${formatHelpExamples('reconcile', 'reconcile /mnt/node-b/outgoing /mnt/node-c/outgoing')}`,
    )
    .action(
      act(async ({ shell, out }, _options, ...folders) => {
        const config = await readExistingInstallationConfig(shell);
        const [{ reconcileWithJournals: reconcile }, { openStderrErrorLog: commandLog }] = await Promise.all([
          import('../../compose/reconcileWithJournals.ts'),
          import('../openCliErrorLog.ts'),
        ]);
        const interrupted = abortOnInterrupt();
        let last = '';
        try {
          const report = await reconcile(config, commandLog(shell), {
            folders,
            progress: (shard, text) => {
              const line = `shard ${shard} ${text}`;
              if (line !== last) out.note((last = line));
            },
            signal: interrupted.signal,
          });
          out.tell(report);
          out.say(
            ...reconciledRowsReportLines(report),
            ...report.shards.flatMap((shard) => reconciledShardReportLines(shard, npxRamalPrefix(shell))),
          );
          return report.shards.every(isReconciledShardOpen) && areReconciledRowsWhole(report) ? 0 : 1;
        } catch (error) {
          throw isAbortError(error)
            ? cliRefusedFailure(
                'it was interrupted; what was written stays. Run it again, or start the service',
              )
            : error;
        } finally {
          interrupted.stop();
        }
      }),
    );
};

export const isReconciledShardOpen = ({ outcome }: ReconciledShardReport): boolean =>
  outcome === 'opened' || outcome === 'wasOpen';

/** Rows that were written again outside of machines' commits, for people. */
export const reconciledRowsReportLines = ({ rows: databases }: JournalReconciliationReport): string[] =>
  databases.flatMap((report) => [...rowsAgainOf(report), ...rowsLackingOf(report)]);

const databaseOf = ({ database }: RowsRestoredFromJournalsReport): string =>
  database === 'control' ? 'the control database' : `the database of shard ${database}`;

const rowsAgainOf = (report: RowsRestoredFromJournalsReport): string[] => {
  const { rows, counters } = report;
  const lines = [
    ...Object.entries(rows).map(([table, count]) => `  ${of(count, 'row')} of ${table}`),
    ...(counters > 0 ? [`  ${of(counters, 'counter')} of small ids, raised`] : []),
  ];
  return lines.length === 0 ? [] : [`${databaseOf(report)} has again, from the journals:`, ...lines];
};

const rowsLackingOf = (report: RowsRestoredFromJournalsReport): string[] => {
  const { refused, problems } = report;
  if (refused.length + problems.length === 0) return [];
  return [
    `${databaseOf(report)} may lack rows still (accounts, tokens that were revoked, settings):`,
    ...[...problems, ...refused].map((sentence) => `  ${sentence}`),
    ...(problems.length > 0
      ? [
          '  Lines that are whole are used. Put a whole copy in the place of the file, or name a folder that has one;',
          '  where there is none, look through what was changed lately, and revoke again the tokens and keys that were revoked',
        ]
      : []),
  ];
};

/** Whether all that the journals hold of rows stands. */
export const areReconciledRowsWhole = ({ rows }: JournalReconciliationReport): boolean =>
  rows.every(({ refused, problems }) => refused.length + problems.length === 0);

/** What became of a shard, for people. `npx`: what stands before the words of a command (`npxRamalPrefix`). */
export const reconciledShardReportLines = (report: ReconciledShardReport, npx: string): string[] => [
  ...headOf(report),
  ...broughtOf(report),
  ...report.destinations.map(
    ({ account, id, name, destinations }) =>
      `  campaign ${id} (${name}) of account ${account} lacks ${formatThousands(destinations)} destinations: they were chosen after what the database still has`,
  ),
  ...report.otherInstallation.map(
    (folder) => `  the journals in ${folder} belong to another installation: nothing of them is used`,
  ),
  ...report.missing.flatMap(missingLines),
  ...(isReconciledShardOpen(report) ? [] : todoOf(report, npx)),
];

const headOf = ({ shard, outcome, reason }: ReconciledShardReport): string[] => {
  switch (outcome) {
    case 'wasOpen':
      return [`shard ${shard} is open, and lacks no commit that is in the journals at hand.`];
    case 'opened':
      return [`shard ${shard} is open.`];
    case 'closed':
    case 'checking':
      return [`shard ${shard} is ${outcome}: ${reason}.`];
  }
};

const broughtOf = (report: ReconciledShardReport): string[] => {
  const { nodes, machines, calls } = report;
  if (nodes.length === 0) return [];
  const verb = isReconciledShardOpen(report) ? 'written again' : 'brought, and not written yet';
  return [
    ...nodes.map(
      ({ incarnation, name, commits }) =>
        `  ${of(commits, 'commit')} of node ${incarnation} (${name}): ${verb}`,
    ),
    `  machines in them: ${Object.entries(machines)
      .map(([kind, count]) => `${formatThousands(count)} ${kind}`)
      .join(', ')}`,
    `  ${of(calls, 'call')} in them ${calls === 1 ? 'was' : 'were'} dialled; the records have ${calls === 1 ? 'it' : 'them'} ${isReconciledShardOpen(report) ? 'now' : 'then'}`,
  ];
};

const missingLines = ({
  incarnation,
  name,
  joinedAt,
  lives,
  machines,
  campaigns,
  calls,
}: NodeWithoutJournal): string[] => {
  const since = `joined ${formatDateTimeAndZone(joinedAt)}`;
  if (name === '')
    return [`  missing: the journal of node ${incarnation}, of which nothing else is known (${since})`];
  const what = lives ? 'does not confirm its writes, though it is alive' : 'its journal is missing';
  return [
    `  node ${incarnation} (${name}, ${since}): ${what}. It held`,
    ...machines.map((held) => `    account ${held.account}: ${of(held.machines, held.kind)}`),
    ...campaigns.map((held) => `    campaign ${held.id} (${held.name}) of account ${held.account}`),
    `    as many as ${of(calls, 'call')} of these may have been made since, and those that were asked for since`,
  ];
};

const todoOf = ({ shard, missing }: ReconciledShardReport, npx: string): string[] => {
  const nodes = missing.filter(({ lives }) => !lives);
  const names = nodes.map(({ incarnation }) => `${incarnation}.*.journal*`).join(', ');
  const bring =
    nodes.length > 0
      ? `Bring the journals (${names}) of their hosts' OUTGOING_DIR/${shard}, and name the copy: ${npx} reconcile <folder>`
      : `Bring the journals of all hosts (OUTGOING_DIR), and name the copies: ${npx} reconcile <folder>`;
  return [
    `  ${bring}`,
    `  If they are gone for good: ${npx} shard open ${shard} --redial opens it as it stands; numbers that were called since may be called again`,
  ];
};

const of = (count: number, what: string): string =>
  `${formatThousands(count)} ${what}${count === 1 ? '' : 's'}`;

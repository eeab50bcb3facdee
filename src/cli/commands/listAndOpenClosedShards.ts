/** `ramal shard`: how the shards stand, and what an operator decides of one whose database lacks commits. */
import type { Command } from 'commander';
import { wrongUsageFailure } from '../failure.ts';
import { formatHelpExamples } from '../help.ts';
import type { ShardStateReport } from '../../compose/shardStates.ts';
import type { WrapCommandAction } from '../commandActionWrapper.ts';
import { formatThousands } from '../format.ts';
import { readExistingInstallationConfig } from '../installation.ts';
import { npxRamalPrefix } from '../pasted.ts';

export const shardCommand = (program: Command, act: WrapCommandAction): void => {
  const shard = program.command('shard').description('how the shards of this service stand');
  shard
    .command('ls')
    .description('list the shards: open, checking or closed, and why')
    .addHelpText(
      'after',
      `
It reads the databases with the settings of this environment, beside a
service that runs or without one.
${formatHelpExamples('shard ls', 'shard ls --json')}`,
    )
    .action(
      act(async ({ shell, out }) => {
        const config = await readExistingInstallationConfig(shell);
        const [{ readShardStates }, { openStderrErrorLog: commandLog }] = await parts();
        const states = await readShardStates(config, commandLog(shell));
        out.tell(states);
        out.say(...states.flatMap((one) => standingLines(one, npxRamalPrefix(shell))));
        return states.every(({ state }) => state === 'open') ? 0 : 1;
      }),
    );
  shard
    .command('open <name>')
    .description('open a closed shard as its database stands')
    .option('--redial', 'people who were called by commits that are gone may be called again')
    .addHelpText(
      'after',
      `
A shard is closed when its database lacks commits that were acknowledged: a
standby was promoted that had not received them, or a backup was restored.
First bring the journals of all hosts (ramal reconcile): those commits are in
them. Where they are gone for good, calls that those commits made are not on
record, so their numbers would be called again. --redial says that this is
accepted.
${formatHelpExamples('shard open a --redial')}`,
    )
    .action(
      act(async ({ shell, out }, { redial = false }: { redial?: boolean }, name: string) => {
        if (!redial)
          throw wrongUsageFailure(
            `shard ${name} is not opened: numbers that were called by lost commits would be called again`,
            'Say --redial when that is accepted.',
          );
        const config = await readExistingInstallationConfig(shell);
        const [{ openShardDespiteLostCommits }, { openStderrErrorLog: commandLog }] = await parts();
        const outcome = await openShardDespiteLostCommits(config, commandLog(shell), name);
        out.tell({ shard: name, outcome });
        if (outcome === 'unknown')
          throw wrongUsageFailure(`there is no shard ${name}`, 'ramal shard ls lists them.');
        out.say(
          outcome === 'opened'
            ? `shard ${name} is open: its nodes take up what stands.`
            : `shard ${name} was open.`,
        );
      }),
    );
};

const standingLines = ({ shard, state, reason, waiting }: ShardStateReport, npx: string): string[] => {
  const commits = waiting === 1 ? '1 commit waits' : `${formatThousands(waiting)} commits wait`;
  return [
    `${shard}  ${state}  ${reason}`.trimEnd(),
    ...(waiting > 0 ? [`   ${commits} to be written again`] : []),
    ...(state === 'closed'
      ? [`   bring the journals (${npx} reconcile <folder>), or decide: ${npx} shard open ${shard} --redial`]
      : []),
  ];
};

const parts = () => Promise.all([import('../../compose/shardStates.ts'), import('../openCliErrorLog.ts')]);

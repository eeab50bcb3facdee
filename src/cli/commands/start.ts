/** `ramal start`: the service itself, in this process, so that signals reach it. */
import type { Command } from 'commander';
import { formatHelpExamples } from '../help.ts';
import type { WrapCommandAction } from '../commandActionWrapper.ts';

export const startCommand = (program: Command, act: WrapCommandAction): void => {
  program
    .command('start')
    .description('start the service, with the settings of the environment')
    .option(
      '--restored',
      'this machine was restored with its journals: nothing is dialled until an operator decides',
    )
    .addHelpText(
      'after',
      `
Without any settings it runs a PostgreSQL of its own in ./data and a sandbox
carrier; nothing leaves this machine. Ctrl-C (or SIGTERM) stops it in order,
a second one at once.
${formatHelpExamples('start', 'start > ramal.log &')}
  $ PORT=8090 SANDBOX_SPEED=10 npx ramal start`,
    )
    .action(
      act(async () => {
        process.setSourceMapsEnabled(true);
        await import('../../main.ts');
      }),
    );
};

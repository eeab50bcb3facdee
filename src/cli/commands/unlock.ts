/** `ramal unlock`: lets an address in again that is kept out because wrong tokens came from it. */
import type { Command } from 'commander';
import { formatHelpExamples } from '../help.ts';
import type { WrapCommandAction } from '../commandActionWrapper.ts';

export const unlockCommand = (program: Command, act: WrapCommandAction): void => {
  program
    .command('unlock <address>')
    .description('let an address in again that showed too many wrong tokens')
    .addHelpText(
      'after',
      `
The log and npx ramal doctor name the addresses that are kept out; programs of
the machine of the service are loopback. There it works from loopback too while
that is kept out.
${formatHelpExamples('unlock 203.0.113.7', 'unlock loopback')}`,
    )
    .action(
      act(async ({ client, out }, _: object, address) => {
        const unlocked = await client.admin('DELETE /lockouts/:address', { path: { address } });
        out.tell(unlocked);
        out.say(
          unlocked.was === 'free'
            ? `${address} was not kept out; what it had failed is forgotten.`
            : `${address} was ${unlocked.was} and is let in again.`,
        );
      }),
    );
};

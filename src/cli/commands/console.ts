/** `ramal console`: an address that signs a browser in to the console. */
import type { Command } from 'commander';
import type { WrapCommandAction } from '../commandActionWrapper.ts';
import { formatHelpExamples } from '../help.ts';

export const consoleSignInLinkCommand = (program: Command, act: WrapCommandAction): void => {
  program
    .command('console')
    .description('print an address that signs a browser in to the console')
    .addHelpText(
      'after',
      `
The address signs in once, within ten minutes, as who owns the key that made it.
Operators with a key may open /admin and type the key instead.
${formatHelpExamples('console', 'console --admin-token "$KEY_OF_ANA"')}`,
    )
    .action(
      act(async ({ client, out }) => {
        const made = await client.admin('POST /sign-in-codes', {});
        out.tell(made);
        out.say(made.address);
        out.note('It signs in once, within ten minutes. The first browser that opens it is signed in.');
      }),
    );
};

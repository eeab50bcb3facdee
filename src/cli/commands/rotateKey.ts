/** `ramal rotate-key`: everything that an older key of SECRET_KEY sealed is sealed with the first one. */
import type { Command } from 'commander';
import { formatHelpExamples } from '../help.ts';
import type { WrapCommandAction } from '../commandActionWrapper.ts';
import { readExistingInstallationConfig } from '../installation.ts';
import { formatDateTimeAndZone } from '../times.ts';

export const rotateKeyCommand = (program: Command, act: WrapCommandAction): void => {
  program
    .command('rotate-key')
    .description('seal all credentials with the first key of SECRET_KEY')
    .option('--lost', 'the key of before is lost for good: go on without what it sealed')
    .addHelpText(
      'after',
      `
It works on the databases with the settings of this environment, beside a
service that runs or without one. Give all nodes SECRET_KEY=<old>,<new> first,
then SECRET_KEY=<new>,<old>, and run it then. It may be stopped and run again.
${formatHelpExamples('rotate-key', 'rotate-key --json')}
  $ SECRET_KEY=<new>,<old> npx ramal rotate-key`,
    )
    .action(
      act(async ({ shell, out }, { lost = false }: { lost?: boolean }) => {
        const config = await readExistingInstallationConfig(shell);
        const [{ rotateSecretKey }, { openStderrErrorLog: commandLog }] = await Promise.all([
          import('../../compose/secretKey.ts'),
          import('../openCliErrorLog.ts'),
        ]);
        const rotation = await rotateSecretKey(config, commandLog(shell), { lost });
        out.tell(rotation);
        const { resealed, current, unopened, oldKeysUntil } = rotation;
        const tables = Object.entries(resealed).filter(([, count]) => count > 0);
        const all = tables.reduce((sum, [, count]) => sum + count, 0);
        out.say(
          ...tables.map(([table, count]) => `${table.padEnd(20)}${count}`),
          `${all} sealed anew; ${current} had been sealed with the first key already.`,
        );
        if (unopened.length > 0) {
          out.say(
            `${unopened.length} cannot be opened by any key: set them again${lost ? '' : ', or name the key that sealed them in SECRET_KEY and run this again'}.`,
            ...unopened.map((place) => `  ${place}`),
          );
          return lost ? 0 : 1;
        }
        out.say(
          `Keep the older keys behind the first until ${formatDateTimeAndZone(oldKeysUntil)}: links to recordings that they signed are good for 8 days, and deliveries that were asked for with a login of their own may be sent again until then.`,
        );
        return 0;
      }),
    );
};

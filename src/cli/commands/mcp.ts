/** `ramal mcp config`: what an assistant's configuration needs to use this service. */
import { Option, type Command } from 'commander';
import { formatHelpExamples } from '../help.ts';
import type { WrapCommandAction } from '../commandActionWrapper.ts';

/** Stands where the token goes: the printed text may end up in a repository. */
const placeholder = '<token of the account>';

export const mcpConfigCommands = (program: Command, act: WrapCommandAction): void => {
  program
    .command('mcp')
    .description('the service as tools for an assistant')
    .command('config')
    .description("print the JSON to paste into an assistant's configuration")
    .option('--name <name>', 'what the assistant calls it', 'ramal')
    .addOption(new Option('--with-token', 'put the token of the account that acts into it').default(false))
    .addHelpText(
      'after',
      `
The token stands in the header Authorization. npx ramal token create makes one;
what opens tools is set by its permissions (docs/guides/who-may-do-what.md).
${formatHelpExamples('mcp config', 'mcp config --with-token > .mcp.json')}`,
    )
    .action(
      act(({ out, connection }, { name, withToken }: { name: string; withToken: boolean }) => {
        const token = (withToken ? connection.accountToken : undefined) ?? placeholder;
        const server = {
          type: 'http',
          url: `${connection.url}/mcp`,
          headers: { Authorization: `Bearer ${token}` },
        };
        const config = { mcpServers: { [name]: server } };
        out.tell(config);
        out.say(JSON.stringify(config, null, 2));
        if (token === placeholder)
          out.note(
            `Put the account's token where it says "${placeholder}"; --with-token does it for the one that acts here.`,
          );
      }),
    );
};

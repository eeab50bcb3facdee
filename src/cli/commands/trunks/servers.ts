/** `ramal trunks server`: what trunks are on. */
import type { Command } from 'commander';
import type { AdminRouteAnswer, AdminBody } from '../../../admin/client.ts';
import type { WrapCommandAction, CommandContext } from '../../commandActionWrapper.ts';
import { cliRefusedFailure, wrongUsageFailure } from '../../failure.ts';
import { formatHelpExamples } from '../../help.ts';
import { askForSecrets, type PromptedSecret } from '../../readCommandSecrets.ts';
import { type TerminalTableColumn, formatTerminalTable } from '../../formatTerminalTable.ts';
import { trunkStateCell, trunkStateCommands } from './findTrunkByName.ts';

type Server = AdminRouteAnswer<'GET /trunk-servers'>['trunk_servers'][number];
type ServerBody = AdminBody<'POST /trunk-servers'>;

interface NewServer {
  ari: string;
  username: string;
  sipPattern?: string;
  chatPattern?: string;
  passwordStdin?: boolean;
}

const password: PromptedSecret = {
  name: 'password',
  question: 'Password of its ARI user',
  variable: 'RAMAL_TRUNK_SERVER_PASSWORD',
};

export const trunkServerCommands = (trunks: Command, act: WrapCommandAction): void => {
  const server = trunks.command('server').description('what trunks are on: an Asterisk, or the sandbox');
  server
    .command('ls')
    .description('list all servers')
    .addHelpText('after', formatHelpExamples('trunks server ls'))
    .action(
      act(async (job) => {
        const found = await serversOf(job);
        job.out.tell({ trunk_servers: found });
        job.out.say(...formatTerminalTable(found, columns, { paint: job.out.paint, width: job.out.columns }));
      }),
    );
  addCommand(server, act);
  for (const { word, state, says } of trunkStateCommands)
    server
      .command(`${word} <server>`)
      .description(`${says} by a server`)
      .addHelpText('after', formatHelpExamples(`trunks server ${word} asterisk`))
      .action(
        act(async (job, _: object, text) => {
          const path = { id: (await serverNamed(job, text)).server_id };
          const changed = await job.client.admin('PATCH /trunk-servers/:id', { path, body: { state } });
          job.out.tell(changed);
          job.out.say(`Server ${changed.name} is ${changed.state}.`);
        }),
      );
};

const addCommand = (server: Command, act: WrapCommandAction): void => {
  server
    .command('add <name>')
    .description('connect another Asterisk')
    .requiredOption('--ari <url>', 'where its ARI is, like http://10.0.0.5:8088/ari')
    .requiredOption('--username <user>', 'of ARI')
    .option('--sip-pattern <pattern>', 'how it dials SIP addresses, with {uri}')
    .option('--chat-pattern <pattern>', 'how it dials the chat app, with {number}')
    .option('--password-stdin', 'read the password from standard input')
    .addHelpText(
      'after',
      `
The password never stands on the line. It is asked for where a person sits, or
comes from RAMAL_TRUNK_SERVER_PASSWORD, or with --password-stdin as one line
  password=…
${formatHelpExamples('trunks server add asterisk-b --ari http://10.0.0.5:8088/ari\n--username ramal')}`,
    )
    .action(
      act(async (job, options: NewServer, name) => {
        const made = await job.client.admin('POST /trunk-servers', {
          body: await bodyOf(job, options, name),
        });
        job.out.tell(made);
        job.out.say(`Server ${made.name} is there, and ${made.state}.`);
      }),
    );
};

const bodyOf = async (
  { shell }: CommandContext,
  { ari: url, username, sipPattern, chatPattern, passwordStdin = false }: NewServer,
  name: string | undefined,
): Promise<ServerBody> => {
  const { password: given } = await askForSecrets(shell, [password], passwordStdin);
  if (given === undefined)
    throw wrongUsageFailure('the password is missing: RAMAL_TRUNK_SERVER_PASSWORD, or --password-stdin');
  return {
    ...{ name: name ?? '', url, username, password: given },
    ...(sipPattern !== undefined && { sip_pattern: sipPattern }),
    ...(chatPattern !== undefined && { chat_pattern: chatPattern }),
  };
};

const serversOf = async ({ client }: CommandContext): Promise<Server[]> =>
  (await client.admin('GET /trunk-servers')).trunk_servers;

const serverNamed = async (job: CommandContext, text: string): Promise<Server> => {
  const found = (await serversOf(job)).find(
    ({ name, server_id }) => name === text || String(server_id) === text,
  );
  if (found) return found;
  throw cliRefusedFailure(
    `there is no trunk server ${JSON.stringify(text)}`,
    'npx ramal trunks server ls shows all of them.',
  );
};

const columns: TerminalTableColumn<Server>[] = [
  { title: 'id', cell: ({ server_id }) => String(server_id), right: true },
  { title: 'name', cell: ({ name }) => name },
  { title: 'kind', cell: ({ kind }) => kind },
  { title: 'state', cell: trunkStateCell },
  { title: 'connection', cell: ({ connection }) => connection?.detail ?? '' },
];

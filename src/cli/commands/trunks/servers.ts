/** `ramal trunks server`: what trunks are on. */
import type { Command } from 'commander';
import type { AdminAnswer } from '../../../admin/client.ts';
import type { Acting, ActionContext } from '../../action.ts';
import { refused } from '../../failure.ts';
import { examples } from '../../help.ts';
import { type Column, table } from '../../table.ts';
import { stateCell, states } from './named.ts';

type Server = AdminAnswer<'GET /trunk-servers'>['trunk_servers'][number];

export const serverCommands = (trunks: Command, act: Acting): void => {
  const server = trunks.command('server').description('what trunks are on: an Asterisk, or the sandbox');
  server
    .command('ls')
    .description('list all servers')
    .addHelpText('after', examples('trunks server ls'))
    .action(
      act(async (job) => {
        const found = await serversOf(job);
        job.out.tell({ trunk_servers: found });
        job.out.say(...table(found, columns, { paint: job.out.paint, width: job.out.columns }));
      }),
    );
  for (const { word, state, says } of states)
    server
      .command(`${word} <server>`)
      .description(`${says} by a server`)
      .addHelpText('after', examples(`trunks server ${word} asterisk`))
      .action(
        act(async (job, _: object, text) => {
          const path = { id: (await serverNamed(job, text)).server_id };
          const changed = await job.client.admin('PATCH /trunk-servers/:id', { path, body: { state } });
          job.out.tell(changed);
          job.out.say(`Server ${changed.name} is ${changed.state}.`);
        }),
      );
};

const serversOf = async ({ client }: ActionContext): Promise<Server[]> =>
  (await client.admin('GET /trunk-servers')).trunk_servers;

const serverNamed = async (job: ActionContext, text: string): Promise<Server> => {
  const found = (await serversOf(job)).find(
    ({ name, server_id }) => name === text || String(server_id) === text,
  );
  if (found) return found;
  throw refused(
    `there is no trunk server ${JSON.stringify(text)}`,
    'npx ramal trunks server ls shows all of them.',
  );
};

const columns: Column<Server>[] = [
  { title: 'id', cell: ({ server_id }) => String(server_id), right: true },
  { title: 'name', cell: ({ name }) => name },
  { title: 'kind', cell: ({ kind }) => kind },
  { title: 'state', cell: stateCell },
  { title: 'connection', cell: ({ connection }) => connection?.detail ?? '' },
];

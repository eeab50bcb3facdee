/** `ramal trunks route`: which trunks carry which numbers, and in which order. */
import { Option, type Command } from 'commander';
import type { AdminRouteAnswer, AdminBody } from '../../../admin/client.ts';
import {
  type WrapCommandAction,
  type CommandContext,
  idOf,
  parseWholeNumberOption,
} from '../../commandActionWrapper.ts';
import { wrongUsageFailure } from '../../failure.ts';
import { formatHelpExamples } from '../../help.ts';
import { type TerminalTableColumn, formatTerminalTable } from '../../formatTerminalTable.ts';

type Route = AdminRouteAnswer<'GET /trunk-routes/:id'>;
type RouteBody = AdminBody<'POST /trunk-routes'>;

interface NewRoute {
  order?: RouteBody['order'];
  prefix?: string;
  line?: RouteBody['line'];
  region?: string;
  account?: string;
  campaign?: string;
  position?: string;
}

export const trunkRouteCommands = (trunks: Command, act: WrapCommandAction): void => {
  const route = trunks.command('route').description('which trunks carry which numbers');
  route
    .command('ls')
    .description('list all routes')
    .addHelpText('after', formatHelpExamples('trunks route ls'))
    .action(
      act(async (job) => {
        const found = await routesOf(job);
        job.out.tell({ trunk_routes: found });
        job.out.say(...formatTerminalTable(found, columns, { paint: job.out.paint, width: job.out.columns }));
      }),
    );
  addCommand(route, act);
  for (const [word, active] of [
    ['on', true],
    ['off', false],
  ] as const)
    route
      .command(`${word} <id>`)
      .description(active ? 'let calls go by a route again' : 'let no call go by a route')
      .addHelpText('after', formatHelpExamples(`trunks route ${word} 7`))
      .action(
        act(async (job, _: object, id) => {
          const path = { id: idOf(id, 'a trunk route') };
          const changed = await job.client.admin('PATCH /trunk-routes/:id', { path, body: { active } });
          job.out.tell(changed);
          job.out.say(`Route ${changed.route_id} is switched ${word}.`);
        }),
      );
  route
    .command('rm <id>')
    .description('delete a route')
    .addHelpText('after', formatHelpExamples('trunks route rm 7'))
    .action(
      act(async (job, _: object, id) => {
        const path = { id: idOf(id, 'a trunk route') };
        await job.client.admin('DELETE /trunk-routes/:id', { path });
        job.out.tell({ route_id: path.id });
        job.out.say(`Route ${path.id} is deleted.`);
      }),
    );
};

const addCommand = (route: Command, act: WrapCommandAction): void => {
  route
    .command('add <trunks...>')
    .description('make a route of trunks in order; with shares as name=percent')
    .addOption(
      new Option('--order <order>', 'of the trunks (default fixed)').choices(['fixed', 'share', 'leastCost']),
    )
    .option('--prefix <digits>', 'first digits of the numbers (default all)')
    .addOption(new Option('--line <line>', 'of the numbers').choices(['any', 'mobile', 'fixed']))
    .option('--region <state>', 'of the numbers, like SP')
    .option('-a, --account <id>', 'of this account only')
    .option('--campaign <id>', 'of this campaign of the account only')
    .option('--position <n>', 'the lowest counts where two are alike (default 0)')
    .addHelpText(
      'after',
      formatHelpExamples(
        'trunks route add carrier-b asterisk --prefix 5511 --line mobile',
        'trunks route add asterisk=70 carrier-b=30 --order share',
      ),
    )
    .action(
      act(async (job, options: NewRoute, ...trunks) => {
        const made = await job.client.admin('POST /trunk-routes', { body: bodyOf(options, trunks) });
        job.out.tell(made);
        job.out.say(`Route ${made.route_id} is there: ${trunksIn(made)}.`);
      }),
    );
};

const routesOf = async ({ client }: CommandContext): Promise<Route[]> =>
  (await client.admin('GET /trunk-routes')).trunk_routes;

const bodyOf = (options: NewRoute, trunks: readonly string[]): RouteBody => {
  const { order, prefix, line, region, account, campaign, position } = options;
  return {
    ...{ order, prefix, line, region, trunks: trunks.map(shareOf) },
    ...(account !== undefined && { cdcs_id: idOf(account, 'an account') }),
    ...(campaign !== undefined && { cp_id: idOf(campaign, 'a campaign') }),
    ...(position !== undefined && { position: parseWholeNumberOption(position, '--position') }),
  };
};

/** `carrier-b`, `carrier-b=30`. */
const shareOf = (text: string): RouteBody['trunks'][number] => {
  const [trunk = '', share, ...more] = text.split('=');
  if (share === undefined) return { trunk };
  if (more.length > 0 || !/^\d{1,3}$/.test(share))
    throw wrongUsageFailure(`a trunk with its share is like carrier-b=30; it is ${JSON.stringify(text)}`);
  return { trunk, share: Number(share) };
};

const trunksIn = ({ trunks, order }: Route): string =>
  trunks
    .map(({ trunk, share }) => (order === 'share' && share !== undefined ? `${trunk} ${share} %` : trunk))
    .join(', ');

const columns: TerminalTableColumn<Route>[] = [
  { title: 'id', cell: ({ route_id }) => String(route_id), right: true },
  { title: 'account', cell: ({ cdcs_id }) => (cdcs_id === null ? 'all' : String(cdcs_id)), right: true },
  { title: 'campaign', cell: ({ cp_id }) => (cp_id === null ? 'all' : String(cp_id)), right: true },
  { title: 'prefix', cell: ({ prefix }) => prefix || 'all' },
  { title: 'line', cell: ({ line }) => line },
  { title: 'region', cell: ({ region }) => region || 'all' },
  { title: 'order', cell: ({ order }) => order },
  { title: 'active', cell: ({ active }) => (active ? 'yes' : { text: 'no', style: 'yellow' }) },
  { title: 'trunks', cell: trunksIn },
];

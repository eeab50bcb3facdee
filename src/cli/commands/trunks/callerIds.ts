/** `ramal trunks caller-ids`: what calls of an account show where the request names no caller id. */
import { Option, type Command } from 'commander';
import type { AdminRouteAnswer, AdminBody } from '../../../admin/client.ts';
import {
  resolveAccountOption,
  type WrapCommandAction,
  idOf,
  parseWholeNumberOption,
  accountOption,
} from '../../commandActionWrapper.ts';
import { formatHelpExamples } from '../../help.ts';
import { type TerminalTableColumn, formatTerminalTable } from '../../formatTerminalTable.ts';

type Pool = AdminRouteAnswer<'GET /accounts/:account/caller-id-pools/:id'>;
type PoolBody = AdminBody<'POST /accounts/:account/caller-id-pools'>;
type Hour = AdminRouteAnswer<'GET /accounts/:account/caller-id-pools/:id/hour'>['caller_ids'][number];

interface OfAccount {
  account?: string;
}

interface NewPool extends OfAccount {
  order?: PoolBody['order'];
  campaign?: string;
  callsPerHour?: string;
  restBelow?: string;
  samePerson?: boolean;
}

export const callerIdCommands = (trunks: Command, act: WrapCommandAction): void => {
  const pools = trunks.command('caller-ids').description('what calls show where they name no caller id');
  pools
    .command('ls')
    .description('list the pools of an account')
    .option(...accountOption)
    .addHelpText('after', formatHelpExamples('trunks caller-ids ls', 'trunks caller-ids ls --account 100'))
    .action(
      act(async (job, options: OfAccount) => {
        const { client, out } = job;
        const path = { account: await resolveAccountOption(job, options) };
        const found = await client.admin('GET /accounts/:account/caller-id-pools', { path });
        out.tell(found);
        out.say(
          ...formatTerminalTable(found.caller_id_pools, columns, { paint: out.paint, width: out.columns }),
        );
      }),
    );
  addCommand(pools, act);
  pools
    .command('hour <pool>')
    .description('how often each was shown in the last hour, and how many answered')
    .option(...accountOption)
    .addHelpText('after', formatHelpExamples('trunks caller-ids hour 4'))
    .action(
      act(async (job, options: OfAccount, pool) => {
        const { client, out } = job;
        const path = {
          account: await resolveAccountOption(job, options),
          id: idOf(pool, 'a pool of caller ids'),
        };
        const found = await client.admin('GET /accounts/:account/caller-id-pools/:id/hour', { path });
        out.tell(found);
        out.say(
          ...formatTerminalTable(found.caller_ids, hourColumns, { paint: out.paint, width: out.columns }),
        );
      }),
    );
  pools
    .command('rm <pool>')
    .description('delete a pool: its calls show the default of the account')
    .option(...accountOption)
    .addHelpText('after', formatHelpExamples('trunks caller-ids rm 4'))
    .action(
      act(async (job, options: OfAccount, pool) => {
        const { client, out } = job;
        const path = {
          account: await resolveAccountOption(job, options),
          id: idOf(pool, 'a pool of caller ids'),
        };
        await client.admin('DELETE /accounts/:account/caller-id-pools/:id', { path });
        out.tell({ pool_id: path.id });
        out.say(`Pool ${path.id} is deleted.`);
      }),
    );
};

const addCommand = (pools: Command, act: WrapCommandAction): void => {
  pools
    .command('add <numbers...>')
    .description('make a pool of caller ids')
    .option(...accountOption)
    .addOption(
      new Option('--order <order>', 'which is shown (default turns)').choices(['areaCode', 'turns', 'fixed']),
    )
    .option('--campaign <id>', 'for this campaign only')
    .option('--calls-per-hour <n>', 'of each caller id (default as many as there are)')
    .option('--rest-below <percent>', 'leave one out that is answered by fewer')
    .option('--same-person', 'show a person the same one again')
    .addHelpText(
      'after',
      formatHelpExamples(
        'trunks caller-ids add 1130001000 2130001000 --order areaCode',
        'trunks caller-ids add 1130001000 1130001001 --calls-per-hour 60\n--rest-below 15',
      ),
    )
    .action(
      act(async (job, options: NewPool, ...callerIds) => {
        const { client, out } = job;
        const path = { account: await resolveAccountOption(job, options) };
        const body = bodyOf(options, callerIds);
        const made = await client.admin('POST /accounts/:account/caller-id-pools', { path, body });
        out.tell(made);
        out.say(`Pool ${made.pool_id} is there: ${made.caller_ids.join(', ')}.`);
      }),
    );
};

const bodyOf = (options: NewPool, caller_ids: string[]): PoolBody => {
  const { order, campaign, callsPerHour, restBelow, samePerson } = options;
  return {
    ...{ caller_ids, order },
    ...(samePerson && { same_for_person: true }),
    ...(campaign !== undefined && { cp_id: idOf(campaign, 'a campaign') }),
    ...(callsPerHour !== undefined && {
      calls_per_hour: parseWholeNumberOption(callsPerHour, '--calls-per-hour'),
    }),
    ...(restBelow !== undefined && { rest_below: parseWholeNumberOption(restBelow, '--rest-below') }),
  };
};

const columns: TerminalTableColumn<Pool>[] = [
  { title: 'id', cell: ({ pool_id }) => String(pool_id), right: true },
  { title: 'campaign', cell: ({ cp_id }) => (cp_id === null ? 'all' : String(cp_id)), right: true },
  { title: 'order', cell: ({ order }) => order },
  { title: 'an hour', cell: ({ calls_per_hour }) => String(calls_per_hour ?? '-'), right: true },
  { title: 'active', cell: ({ active }) => (active ? 'yes' : { text: 'no', style: 'yellow' }) },
  { title: 'caller ids', cell: ({ caller_ids }) => caller_ids.join(', ') },
];

const hourColumns: TerminalTableColumn<Hour>[] = [
  { title: 'caller id', cell: ({ caller_id }) => caller_id },
  { title: 'calls', cell: ({ calls }) => String(calls), right: true },
  { title: 'ended', cell: ({ ended }) => String(ended), right: true },
  { title: 'answered', cell: ({ answered }) => String(answered), right: true },
];

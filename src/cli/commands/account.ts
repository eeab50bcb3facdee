/** `ramal account`: accounts (cdcs) of the service. */
import type { Command } from 'commander';
import type { AdminRouteAnswer } from '../../admin/client.ts';
import { formatHelpExamples } from '../help.ts';
import {
  type WrapCommandAction,
  resolveAccountOption,
  idOf,
  type CommandContext,
} from '../commandActionWrapper.ts';
import { type TerminalTableColumn, formatTerminalTable } from '../formatTerminalTable.ts';
import { formatNameValueLines } from '../formatNameValueLines.ts';
import { dateAndTime, formatDateTimeAndZone, columnTitleWithZone } from '../times.ts';
import { omitSecretFields } from '../format.ts';

type Account = AdminRouteAnswer<'GET /accounts/:account'>;

interface NewAccount {
  timeZone?: string;
  balance?: string;
  reseller?: string;
}

export const accountCommands = (program: Command, act: WrapCommandAction): void => {
  const account = program.command('account').description('accounts: those who call, and pay');
  account
    .command('create <name>')
    .description('make an account')
    .option('--time-zone <zone>', 'IANA time zone of its dates (default America/Sao_Paulo)')
    .option('--balance <amount>', 'what it can spend, e.g. 100.50 (default 0)')
    .option('--reseller <id>', 'account that pays with it')
    .addHelpText(
      'after',
      formatHelpExamples('account create Shop --time-zone America/Sao_Paulo --balance 100'),
    )
    .action(
      act(async (job, options: NewAccount, name) => {
        const body = {
          name,
          ...(options.timeZone !== undefined && { time_zone: options.timeZone }),
          ...(options.balance !== undefined && { balance: options.balance }),
          ...(options.reseller !== undefined && { reseller_id: idOf(options.reseller, 'an account') }),
        };
        const made = omitSecretFields(await job.client.admin('POST /accounts', { body }));
        job.out.tell(made);
        job.out.say(
          `Account ${made.cdcs_id} (${made.name}) is there.`,
          `It needs a token to call: npx ramal token create --account ${made.cdcs_id}`,
        );
      }),
    );
  account
    .command('ls')
    .description('list accounts')
    .addHelpText('after', formatHelpExamples('account ls', 'account ls --json'))
    .action(act((job) => list(job)));
  account
    .command('show [id]')
    .description('show an account')
    .option('-a, --account <id>', 'instead of the argument; default RAMAL_ACCOUNT')
    .option('--webhook-secret', 'the secret that signs its callbacks, and nothing else')
    .addHelpText('after', formatHelpExamples('account show 3', 'account show 3 --webhook-secret > secret'))
    .action(act((job, options: ShowOptions, id) => show(job, options, id)));
};

interface ShowOptions {
  account?: string;
  webhookSecret?: boolean;
}

const show = async (job: CommandContext, options: ShowOptions, id: string | undefined): Promise<void> => {
  const { client, out } = job;
  const asked = await resolveAccountOption(job, id === undefined ? options : { account: id });
  const found = await client.admin('GET /accounts/:account', { path: { account: asked } });
  if (options.webhookSecret) {
    out.tell({ webhook_secret: found.webhook_secret });
    out.say(String(found.webhook_secret));
    return;
  }
  const shown = omitSecretFields(found);
  out.tell(shown);
  out.say(...formatNameValueLines({ ...shown, created_at: formatDateTimeAndZone(found.created_at) }, out));
};

const columns: TerminalTableColumn<Account>[] = [
  { title: 'id', cell: ({ cdcs_id }) => String(cdcs_id), right: true },
  { title: 'name', cell: ({ name }) => name },
  { title: 'balance', cell: ({ balance }) => balance.toFixed(2), right: true },
  { title: 'time zone', cell: (account) => account.time_zone },
  { title: 'active', cell: ({ active }) => (active ? 'yes' : { text: 'no', style: 'yellow' }) },
  { title: columnTitleWithZone('since'), cell: ({ created_at }) => dateAndTime(created_at) },
];

const list = async ({ client, out }: CommandContext): Promise<void> => {
  const accounts: Account[] = [];
  for (let cursor: string | null = '0'; cursor !== null;) {
    const page: AdminRouteAnswer<'GET /accounts'> = await client.admin('GET /accounts', {
      query: { cursor },
    });
    accounts.push(...page.accounts.map(omitSecretFields));
    ({ cursor } = page);
  }
  out.tell({ accounts });
  out.say(...formatTerminalTable(accounts, columns, { paint: out.paint, width: out.columns }));
};

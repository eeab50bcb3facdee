/** `ramal token`: what opens the REST interface and the tools for an account. */
import type { Command } from 'commander';
import type { AdminRouteAnswer, AdminBody } from '../../admin/client.ts';
import { formatHelpExamples } from '../help.ts';
import {
  resolveAccountOption,
  type WrapCommandAction,
  collectRepeatedOption,
  idOf,
  parseWholeNumberOption,
  accountOption,
} from '../commandActionWrapper.ts';
import { type TerminalTableColumn, formatTerminalTable } from '../formatTerminalTable.ts';
import { wrongUsageFailure } from '../failure.ts';
import { dateAndTime, columnTitleWithZone } from '../times.ts';
import { parseTimeOption } from '../format.ts';

type Token = AdminRouteAnswer<'GET /accounts/:account/tokens'>['tokens'][number];

interface NewToken {
  account?: string;
  label?: string;
  allow?: string[];
  perSecond?: string;
  expires?: string;
}

export const tokenCommands = (program: Command, act: WrapCommandAction): void => {
  const token = program.command('token').description('tokens: what opens the interface for an account');
  token
    .command('create')
    .description('make a token; it is shown once')
    .option(...accountOption)
    .option('--label <text>', 'what it is for')
    .option(
      '--allow <network>',
      'address or network it may be used from; may be repeated',
      collectRepeatedOption,
    )
    .option('--per-second <n>', 'requests a second')
    .option('--expires <when>', 'last moment, e.g. 2027-01-01 (default never)')
    .addHelpText(
      'after',
      formatHelpExamples(
        'token create --account 100 --label shop',
        'token create -a 100 --allow 10.0.0.0/8 --json',
      ),
    )
    .action(
      act(async (job, options: NewToken) => {
        const account = await resolveAccountOption(job, options);
        const body = bodyOf(options);
        const made = await job.client.admin('POST /accounts/:account/tokens', { path: { account }, body });
        job.out.tell(made);
        job.out.say(made.token);
        job.out.note(
          `This is token ${made.token_id} of account ${account}. It is shown this once: keep it. To use it here:\n  export RAMAL_TOKEN=${made.token}`,
        );
      }),
    );
  token
    .command('ls')
    .description('list the tokens of an account, without their secrets')
    .option(...accountOption)
    .addHelpText('after', formatHelpExamples('token ls --account 100'))
    .action(
      act(async (job, options: { account?: string }) => {
        const account = await resolveAccountOption(job, options);
        const found = await job.client.admin('GET /accounts/:account/tokens', { path: { account } });
        job.out.tell(found);
        job.out.say(
          ...formatTerminalTable(found.tokens, columns, { paint: job.out.paint, width: job.out.columns }),
        );
      }),
    );
  token
    .command('revoke <token-id>')
    .description('close a token for good')
    .option(...accountOption)
    .addHelpText('after', formatHelpExamples('token revoke 7 --account 100'))
    .action(
      act(async (job, options: { account?: string }, id) => {
        const path = { account: await resolveAccountOption(job, options), token: idOf(id, 'a token') };
        const revoked = await job.client.admin('DELETE /accounts/:account/tokens/:token', { path });
        job.out.tell(revoked);
        job.out.say(`Token ${revoked.token_id} is revoked; other nodes refuse it within three seconds.`);
      }),
    );
};

const bodyOf = ({
  label,
  allow,
  perSecond,
  expires,
}: NewToken): AdminBody<'POST /accounts/:account/tokens'> => {
  const moment = expires === undefined ? undefined : parseTimeOption(expires, Date.now());
  if (expires !== undefined && moment === undefined)
    throw wrongUsageFailure(
      `--expires ${expires} is no date`,
      'Write it like 2027-01-01 or 2027-01-01T12:00:00Z.',
    );
  return {
    ...(label !== undefined && { label }),
    ...(allow !== undefined && { allowed_ips: allow }),
    ...(perSecond !== undefined && {
      requests_per_second: parseWholeNumberOption(perSecond, '--per-second'),
    }),
    ...(moment !== undefined && { expires: moment }),
  };
};

const columns: TerminalTableColumn<Token>[] = [
  { title: 'id', cell: ({ token_id }) => String(token_id), right: true },
  { title: 'label', cell: ({ label }) => label },
  { title: columnTitleWithZone('made'), cell: (token) => dateAndTime(token.created_at) },
  { title: 'last used', cell: ({ last_used_at: at }) => (at === null ? 'never' : dateAndTime(at)) },
  {
    title: 'state',
    cell: ({ revoked_at, expires }) => {
      if (revoked_at !== null) return { text: 'revoked', style: 'red' };
      if (expires === null) return { text: 'good', style: 'green' };
      return expires > Date.now() ? `until ${dateAndTime(expires)}` : { text: 'expired', style: 'red' };
    },
  },
];

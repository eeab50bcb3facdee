/** `ramal list`: destination lists (cdlc). */
import { openAsBlob, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { AdminRouteAnswer } from '../../admin/client.ts';
import { wrongUsageFailure } from '../failure.ts';
import { formatHelpExamples } from '../help.ts';
import {
  resolveAccountOption,
  type WrapCommandAction,
  idOf,
  type CommandContext,
  parseWholeNumberOption,
  accountOption,
} from '../commandActionWrapper.ts';
import { formatNameValueLines } from '../formatNameValueLines.ts';
import { type TerminalTableColumn, formatTerminalTable } from '../formatTerminalTable.ts';
import { dateAndTime, formatDateTimeAndZone, columnTitleWithZone } from '../times.ts';
import { formatThousands } from '../format.ts';

interface Uploaded {
  cdlc_id: string;
  num_dest: string;
  base_size: string;
  rejected: number;
}

export const destinationListCommands = (program: Command, act: WrapCommandAction): void => {
  const list = program.command('list').description('destination lists');
  list
    .command('upload <file>')
    .description('upload a CSV or JSON file of destinations')
    .option('--name <text>', 'name of the list (default the name of the file)')
    .option('--ctid <id>', 'your own id of the list')
    .addHelpText(
      'after',
      `
The first line of a CSV file names its columns: phone, name, cod_cli, extra1 to
extra4, separated by ; or , as you like.
${formatHelpExamples('list upload people.csv --name Customers')}`,
    )
    .action(
      act(async (job, options: { name?: string; ctid?: string }, file) => {
        const form = new FormData();
        form.set('name', options.name ?? basename(file).replace(/\.[^.]+$/, ''));
        if (options.ctid !== undefined) form.set('ctid', options.ctid);
        form.set('file', await openFile(file), basename(file));
        const { return: loaded } = await job.client.rest<{ return: Uploaded }>('CreateDestinationBase', form);
        const { status: _, status_code: __, ...fields } = loaded;
        if (loaded.warning !== undefined) job.out.note(`Warning: ${loaded.warning}`);
        job.out.tell(fields);
        job.out.say(
          `List ${loaded.cdlc_id} has ${loaded.num_dest} destinations.`,
          ...(loaded.rejected > 0 ? [rejectedSentence(loaded)] : []),
          'A campaign of it:',
          `  npx ramal campaign create Reminders --list ${loaded.cdlc_id} --text "Hello <NOME>" --start`,
        );
      }),
    );
  list
    .command('ls')
    .description('list the lists of an account, newest first; needs the admin token')
    .option(...accountOption)
    .option('--limit <n>', 'at most so many', '20')
    .addHelpText('after', formatHelpExamples('list ls', 'list ls --limit 100 --json'))
    .action(act((job, options: { account?: string; limit: string }) => showLists(job, options)));
  list
    .command('show <id>')
    .description('show a list; needs the admin token')
    .option(...accountOption)
    .addHelpText('after', formatHelpExamples('list show 12'))
    .action(act((job, options: { account?: string }, id) => showList(job, options, id)));
  list
    .command('rejects <id>')
    .description('records of a list that were refused, and why; needs the admin token')
    .option(...accountOption)
    .addHelpText('after', formatHelpExamples('list rejects 12 --account 3'))
    .action(act((job, options: { account?: string }, id) => showRejects(job, options, id)));
  list
    .command('remove <id>')
    .description('delete a list that no campaign needs any more; needs the admin token')
    .option(...accountOption)
    .addHelpText('after', formatHelpExamples('list remove 12'))
    .action(
      act(async (job, options: { account?: string }, id) => {
        const path = { account: await resolveAccountOption(job, options), list: idOf(id, 'a list') };
        await job.client.admin('DELETE /accounts/:account/lists/:list', { path });
        job.out.tell({ cdlc_id: Number(id), removed: true });
        job.out.say(`List ${id} is deleted, with its records.`);
      }),
    );
};

type List = AdminRouteAnswer<'GET /accounts/:account/lists/:list'>;

const showLists = async (
  job: CommandContext,
  options: { account?: string; limit: string },
): Promise<void> => {
  const { client, out } = job;
  const limit = parseWholeNumberOption(options.limit, '--limit');
  const path = { account: await resolveAccountOption(job, options) };
  const found: List[] = [];
  let cursor: number | null | undefined;
  while (cursor !== null && found.length < limit) {
    const page: AdminRouteAnswer<'GET /accounts/:account/lists'> = await client.admin(
      'GET /accounts/:account/lists',
      { path, query: { cursor } },
    );
    found.push(...page.lists);
    ({ cursor } = page);
  }
  const lists = found.slice(0, limit);
  const more = found.length > limit || cursor !== null;
  out.tell({ lists, more });
  out.say(...formatTerminalTable(lists, listColumns, { paint: out.paint, width: out.columns }));
  if (more) out.note(`There are more: --limit ${limit * 5} shows more of them.`);
};

const showList = async (job: CommandContext, options: { account?: string }, id: string): Promise<void> => {
  const path = { account: await resolveAccountOption(job, options), list: idOf(id, 'a list') };
  const list = await job.client.admin('GET /accounts/:account/lists/:list', { path });
  job.out.tell(list);
  job.out.say(
    ...formatNameValueLines({ ...list, created_at: formatDateTimeAndZone(list.created_at) }, job.out),
    ...(list.rejected > 0 ? [rejectedSentence({ ...list, cdlc_id: String(list.cdlc_id) })] : []),
  );
};

const listColumns: TerminalTableColumn<List>[] = [
  { title: 'id', cell: ({ cdlc_id }) => String(cdlc_id), right: true },
  { title: 'name', cell: ({ cdlc_name }) => cdlc_name },
  { title: 'destinations', cell: ({ cdlc_num }) => formatThousands(cdlc_num), right: true },
  { title: 'refused', cell: ({ rejected }) => formatThousands(rejected), right: true },
  { title: 'active', cell: ({ active }) => (active ? 'yes' : { text: 'no', style: 'yellow' }) },
  { title: columnTitleWithZone('since'), cell: ({ created_at }) => dateAndTime(created_at) },
];

const rejectedSentence = ({ rejected, cdlc_id }: Pick<Uploaded, 'rejected' | 'cdlc_id'>): string =>
  `${rejected} ${rejected === 1 ? 'record was' : 'records were'} refused: npx ramal list rejects ${cdlc_id}`;

type Rejects = AdminRouteAnswer<'GET /accounts/:account/lists/:list/rejects'>;

const showRejects = async (job: CommandContext, options: { account?: string }, id: string): Promise<void> => {
  const { client, out } = job;
  const path = { account: await resolveAccountOption(job, options), list: idOf(id, 'a list') };
  const rejects: Rejects['rejects'] = [];
  for (let cursor: number | null = 0; cursor !== null;) {
    const page: Rejects = await client.admin('GET /accounts/:account/lists/:list/rejects', {
      path,
      query: { cursor },
    });
    rejects.push(...page.rejects);
    ({ cursor } = page);
  }
  out.tell({ rejects });
  out.say(...formatTerminalTable(rejects, rejectColumns, { paint: out.paint, width: out.columns }));
};

const rejectColumns: TerminalTableColumn<Rejects['rejects'][number]>[] = [
  { title: 'row', cell: ({ row }) => String(row), right: true },
  { title: 'reason', cell: ({ reason }) => reason },
  { title: 'record', cell: ({ content }) => content },
];

/** A file to be sent, which is read while it is sent. */
const openFile = (path: string): Promise<Blob> => {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw wrongUsageFailure(`there is no file ${path}`);
  return openAsBlob(path);
};

/** `ramal list`: destination lists (cdlc). */
import { openAsBlob, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { wrongUsage } from '../failure.ts';
import { examples } from '../help.ts';
import { type Acting, accountOf, idOf, type Job } from '../job.ts';
import { type Column, table } from '../table.ts';

interface Uploaded {
  cdlc_id: string;
  num_dest: string;
  base_size: string;
  rejected: number;
}

export const listCommands = (program: Command, act: Acting): void => {
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
${examples('list upload people.csv --name Customers')}`,
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
          `  npx ramal campaign create <name> --list ${loaded.cdlc_id} --text <text> --start`,
        );
      }),
    );
  list
    .command('rejects <id>')
    .description('records of a list that were refused, and why; needs the admin token')
    .option('-a, --account <id>', 'whose; default RAMAL_ACCOUNT')
    .addHelpText('after', examples('list rejects 12 --account 3'))
    .action(act((job, options: { account?: string }, id) => showRejects(job, options, id)));
};

const rejectedSentence = ({ rejected, cdlc_id }: Uploaded): string =>
  `${rejected} ${rejected === 1 ? 'record was' : 'records were'} refused: npx ramal list rejects ${cdlc_id}`;

interface Reject {
  row: number;
  reason: string;
  content: string;
}

const showRejects = async (job: Job, options: { account?: string }, id: string): Promise<void> => {
  const { client, out } = job;
  const path = `/accounts/${accountOf(job, options)}/lists/${idOf(id, 'a list')}/rejects`;
  const rejects: Reject[] = [];
  for (let cursor: number | null = 0; cursor !== null;) {
    const page: { rejects: Reject[]; cursor: number | null } = await client.admin(
      'GET',
      `${path}?cursor=${cursor}`,
    );
    rejects.push(...page.rejects);
    ({ cursor } = page);
  }
  out.tell({ rejects });
  out.say(...table(rejects, rejectColumns, { paint: out.paint, width: out.columns }));
};

const rejectColumns: Column<Reject>[] = [
  { title: 'row', cell: ({ row }) => String(row), right: true },
  { title: 'reason', cell: ({ reason }) => reason },
  { title: 'record', cell: ({ content }) => content },
];

/** A file to be sent, which is read while it is sent. */
const openFile = (path: string): Promise<Blob> => {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw wrongUsage(`there is no file ${path}`);
  return openAsBlob(path);
};

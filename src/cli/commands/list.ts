/** `ramal list`: destination lists (cdlc). */
import { openAsBlob, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { wrongUsage } from '../failure.ts';
import { examples } from '../help.ts';
import { type Acting } from '../job.ts';

interface Uploaded {
  cdlc_id: string;
  num_dest: string;
  base_size: string;
  rejected: number;
}

export const listCommands = (program: Command, act: Acting): void => {
  program
    .command('list')
    .description('destination lists')
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
          `A campaign of it: npx ramal campaign create <name> --list ${loaded.cdlc_id} --text <text> --start`,
        );
      }),
    );
};

const rejectedSentence = ({ rejected, cdlc_id }: Uploaded): string =>
  `${rejected} of its records ${rejected === 1 ? 'was' : 'were'} refused: GET /admin/api/accounts/<id>/lists/${cdlc_id}/rejects says why.`;

/** A file to be sent, which is read while it is sent. */
const openFile = (path: string): Promise<Blob> => {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw wrongUsage(`there is no file ${path}`);
  return openAsBlob(path);
};

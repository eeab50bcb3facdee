/** `ramal audio`: audio assets (cdw). */
import type { Command } from 'commander';
import type { AdminRouteAnswer } from '../../admin/client.ts';
import { wrongUsageFailure } from '../failure.ts';
import { formatHelpExamples } from '../help.ts';
import { resolveAccountOption, type WrapCommandAction, accountOption } from '../commandActionWrapper.ts';
import { type TerminalTableColumn, formatTerminalTable } from '../formatTerminalTable.ts';
import { dateAndTime, columnTitleWithZone } from '../times.ts';

type Audio = AdminRouteAnswer<'GET /accounts/:account/audios'>['audios'][number];

export const audioCommands = (program: Command, act: WrapCommandAction): void => {
  const audio = program.command('audio').description('audio that calls play');
  audio
    .command('ls')
    .description('list the newest audio of an account; needs the admin token')
    .option(...accountOption)
    .addHelpText('after', formatHelpExamples('audio ls', 'audio ls --json'))
    .action(
      act(async (job, options: { account?: string }) => {
        const path = { account: await resolveAccountOption(job, options) };
        const found = await job.client.admin('GET /accounts/:account/audios', { path });
        job.out.tell({ audios: found.audios, more: found.cursor !== null });
        job.out.say(
          ...formatTerminalTable(found.audios, columns, { paint: job.out.paint, width: job.out.columns }),
        );
        if (found.cursor !== null) job.out.note('There are more.');
      }),
    );
  audio
    .command('remove <id>')
    .description('delete an audio with its files; needs the admin token')
    .option(...accountOption)
    .option('--force', 'also one of a paused campaign or of a call that waits, which then is not dialled')
    .addHelpText('after', formatHelpExamples('audio remove tf12'))
    .action(
      act(async (job, options: { account?: string; force?: boolean }, id) => {
        if (!/^(tf)?\d{1,10}$/.test(id))
          throw wrongUsageFailure(`${JSON.stringify(id)} is not the id of an audio`);
        const path = { account: await resolveAccountOption(job, options), audio: id };
        const query = options.force === true ? { force: 1 } : {};
        await job.client.admin('DELETE /accounts/:account/audios/:audio', { path, query });
        job.out.tell({ cdw_file: id, removed: true });
        job.out.say(`Audio ${id} is deleted.`);
      }),
    );
};

const columns: TerminalTableColumn<Audio>[] = [
  { title: 'id', cell: ({ cdw_file }) => cdw_file },
  { title: 'name', cell: ({ name }) => name },
  { title: 'type', cell: ({ type }) => type },
  { title: 'seconds', cell: ({ seconds }) => String(seconds), right: true },
  { title: columnTitleWithZone('expires'), cell: ({ expires_at }) => dateAndTime(expires_at) },
];

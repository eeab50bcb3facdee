/** `ramal campaign`: campaigns (cp) of the account whose token acts. */
import type { Command } from 'commander';
import { watchCampaign } from '../campaign/watch.ts';
import { formatHelpExamples } from '../help.ts';
import {
  type WrapCommandAction,
  collectRepeatedOption,
  idOf,
  type CommandContext,
} from '../commandActionWrapper.ts';
import { invokeOperationFromCli } from '../invokeOperation.ts';
import { type TerminalTableColumn, formatTerminalTable } from '../formatTerminalTable.ts';

/** Of spec 2.3, with its odd keys. */
interface Campaign {
  cp_id: number;
  cp_name: string;
  cp_state: string;
  cp_destinations: number;
  cp_made: number;
  cp_answered: number;
  cp_lig_min: string;
  cp_date_start: string;
  cp_date_end: string;
  cp_time_start: string;
  cp_time_end: string;
}

interface NewCampaign {
  list?: string;
  text?: string;
  audio?: string;
  voice?: string;
  start?: boolean;
  callsPerMinute?: string;
  retries?: string;
  retryMinutes?: string;
  from?: string;
  to?: string;
  between?: string;
  set?: string[];
  watch?: boolean;
}

export const campaignCommands = (program: Command, act: WrapCommandAction): void => {
  const campaign = program.command('campaign').description('campaigns: every number of a list is called');
  campaign
    .command('create <name>')
    .description('make a campaign; without --start it waits, paused')
    .option('--list <id>', 'destination list')
    .option('--text <text>', 'what is said; <NOME> and others are filled in for each record')
    .option('--audio <id>', 'an audio of the account instead of a text')
    .option('--voice <voice>', 'who says it')
    .option('--calls-per-minute <n>', '1 to 100, or max')
    .option('--retries <n>', 'after a failure, 0 to 3')
    .option('--retry-minutes <n>', 'between them')
    .option('--from <date>', 'first day, YYYY-MM-DD (default today)')
    .option('--to <date>', 'last day (default the first)')
    .option('--between <time-time>', "hours on the destination's clock, e.g. 09:00-18:00")
    .option(
      '-s, --set <name=value>',
      'any other parameter of CreateCampaign; may be repeated',
      collectRepeatedOption,
    )
    .option('--start', 'dial at once')
    .option('--watch', 'follow it to its end')
    .addHelpText(
      'after',
      formatHelpExamples(
        'campaign create Reminders --list 1 --text "Hello <NOME>"\n--calls-per-minute 60 --start --watch',
        'campaign create Poll --list 1 --audio 1 -s cp_type=4 -s cont1=tf2',
      ),
    )
    .action(act((job, options: NewCampaign, name) => create(job, options, name)));
  campaign
    .command('ls')
    .description('list campaigns, newest first')
    .option('--limit <n>', 'at most so many', '20')
    .addHelpText('after', formatHelpExamples('campaign ls', 'campaign ls --json'))
    .action(
      act(async (job, { limit }: { limit: string }) => {
        const asked = { maxreg: idOf(limit, 'campaigns') };
        const { campaigns } = await job.client.rest<{ campaigns: Campaign[] }>('GetCampaignsList', asked);
        job.out.tell({ campaigns });
        job.out.say(
          ...formatTerminalTable(campaigns, columns, { paint: job.out.paint, width: job.out.columns }),
        );
      }),
    );
  campaign
    .command('pause <id>')
    .description('no new dials; calls that are up go on to their end')
    .addHelpText('after', formatHelpExamples('campaign pause 12'))
    .action(act((job, _: object, id) => change(job, id, 0)));
  campaign
    .command('resume <id>')
    .description('dial (again)')
    .addHelpText('after', formatHelpExamples('campaign resume 12'))
    .action(act((job, _: object, id) => change(job, id, 1)));
  campaign
    .command('watch <id>')
    .description('follow a campaign to its end; needs the admin token')
    .option('-a, --account <id>', 'whose; found by itself while the campaign is not long over')
    .addHelpText(
      'after',
      `
Drawn anew every second in a terminal, a line for every change elsewhere. Exit
code 0 when it was completed or has reached max_answered, 1 when it expired or
failed. Ctrl-C leaves it, and it goes on.
${formatHelpExamples('campaign watch 12', 'campaign watch 12 --json | jq -c "[.made, .answered]"')}`,
    )
    .action(
      act((job, options: { account?: string }, id) => watchCampaign(job, idOf(id, 'a campaign'), options)),
    );
};

const create = async (job: CommandContext, options: NewCampaign, name: string) => {
  const [timeStart, timeEnd] = options.between?.split('-') ?? [];
  const made = await invokeOperationFromCli<{ return: { cp_id: string } }>(job, {
    operation: 'CreateCampaign',
    params: {
      name,
      cdlc_id: options.list,
      text: options.text,
      content: options.audio,
      voice: options.voice,
      vel: options.callsPerMinute,
      resends: options.retries,
      time_resends: options.retryMinutes,
      date_start: options.from,
      date_end: options.to,
      time_start: timeStart,
      time_end: timeEnd,
      cp_ativo: options.start ? 1 : 0,
    },
    set: options.set,
    typed,
  });
  const { cp_id, warning } = made.return;
  job.out.tell({ cp_id, ...(warning !== undefined && { warning }) });
  job.out.say(`Campaign ${cp_id} (${name}) ${options.start ? 'dials' : 'is there, paused'}.`);
  if (options.watch) return watchCampaign(job, Number(cp_id), {});
  job.out.say(
    options.start
      ? `How it goes: npx ramal campaign watch ${cp_id}`
      : `Begin with npx ramal campaign resume ${cp_id}`,
  );
};

/** What is typed for the parameters of CreateCampaign. */
const typed = {
  name: 'the name',
  cdlc_id: '--list',
  text: '--text',
  content: '--audio',
  voice: '--voice',
  vel: '--calls-per-minute',
  resends: '--retries',
  time_resends: '--retry-minutes',
  date_start: '--from',
  date_end: '--to',
  time_start: 'the beginning of --between',
  time_end: 'the end of --between',
  cp_ativo: '--start',
};

const change = async (job: CommandContext, id: string, active: 0 | 1): Promise<void> => {
  const asked = { cp_id: idOf(id, 'a campaign'), active };
  const { campaigns } = await job.client.rest<{ campaigns: Campaign[] }>('ChangeCampaign', asked);
  job.out.tell({ campaigns });
  job.out.say(`Campaign ${id} is ${active ? 'switched on' : 'paused'}.`);
};

const columns: TerminalTableColumn<Campaign>[] = [
  { title: 'id', cell: ({ cp_id }) => String(cp_id), right: true },
  { title: 'name', cell: ({ cp_name }) => (cp_name.length > 24 ? `${cp_name.slice(0, 23)}…` : cp_name) },
  { title: 'state', cell: ({ cp_state }) => ({ text: cp_state, style: styleOf(cp_state) }) },
  { title: 'numbers', cell: (campaign) => String(campaign.cp_destinations), right: true },
  { title: 'called', cell: ({ cp_made }) => String(cp_made), right: true },
  { title: 'answered', cell: ({ cp_answered }) => String(cp_answered), right: true },
  { title: 'a minute', cell: ({ cp_lig_min }) => cp_lig_min, right: true },
  { title: 'last day', cell: ({ cp_date_end }) => cp_date_end },
];

const styleOf = (state: string) => {
  if (state === 'active' || state === 'completed') return 'green' as const;
  return state === 'failed' || state === 'expired' ? ('red' as const) : ('yellow' as const);
};

/** `ramal machines`: whatever takes time here, found, read, explained and moved on. */
import type { Command } from 'commander';
import type { AdminRouteAnswer } from '../../admin/client.ts';
import { wrongUsageFailure } from '../failure.ts';
import { formatHelpExamples } from '../help.ts';
import {
  type WrapCommandAction,
  collectRepeatedOption,
  idOf,
  type CommandContext,
  parseWholeNumberOption,
  parseKeyValuePairs,
} from '../commandActionWrapper.ts';
import type { MachineHistoryEntry, MachineDetails } from '../machine.ts';
import type { CommandOutput } from '../output.ts';
import { formatNameValueLines } from '../formatNameValueLines.ts';
import { type TerminalTableColumn, formatTerminalTable } from '../formatTerminalTable.ts';
import { dateAndTime, columnTitleWithZone, fetchAccountTimeZoneFromService } from '../times.ts';
import { wrapTextLines } from '../format.ts';

type Page = AdminRouteAnswer<'GET /machines'>;
type Row = Page['machines'][number];

interface Filter {
  kind?: string;
  state?: string;
  account?: string;
  find?: string;
  limit: string;
}

interface OfAccount {
  account?: string;
}

const ofAccount = ['-a, --account <id>', 'whose; needed for ids that several accounts have'] as const;

export const machineCommands = (program: Command, act: WrapCommandAction): void => {
  const machines = program
    .command('machines')
    .alias('machine')
    .description('calls, campaigns, messages, deliveries … as the machines they are');
  machines
    .command('ls')
    .description('list machines, newest first within an account')
    .option('--kind <kind>', 'call, campaign, message, template, delivery, line')
    .option('--state <state>', 'its state, or the beginning of it')
    .option('-a, --account <id>', 'whose')
    .option('--find <text>', 'an id, or the number or ctid of a call')
    .option('--limit <n>', 'at most so many', '20')
    .addHelpText(
      'after',
      formatHelpExamples(
        'machines ls --kind call --state postponed',
        'machines ls --find 5511987650000 --json',
      ),
    )
    .action(act((job, filter: Filter) => list(job, filter)));
  machines
    .command('show <id>')
    .description('state, what it remembers, what it waits for, what happened to it')
    .option(...ofAccount)
    .option('--history <n>', 'the last so many events', '20')
    .addHelpText(
      'after',
      formatHelpExamples('machines show a_746512037707776', 'machines show a_1 --account 3 --history 200'),
    )
    .action(act((job, options: OfAccount & { history: string }, id) => show(job, options, id)));
  machines
    .command('explain <id>')
    .description('why it waits, or did not do what one might have expected')
    .option(...ofAccount)
    .option('--lang <language>', 'en or pt', 'en')
    .addHelpText(
      'after',
      formatHelpExamples(
        'machines explain a_746512037707776',
        'machines explain a_746512037707776 --lang pt',
      ),
    )
    .action(
      act(async (job, options: OfAccount & { lang: string }, id) => {
        if (!['en', 'pt'].includes(options.lang)) throw wrongUsageFailure('--lang must be en or pt');
        const query = { account: accountIn(options), lang: options.lang };
        const explanation = await job.client.admin('GET /machines/:id/explain', { path: { id }, query });
        job.out.tell(explanation);
        job.out.say(...explanation.sentences.flatMap((sentence) => wrapTextLines(sentence, job.out.columns)));
      }),
    );
  machines
    .command('send <id> <event>')
    .description('send it an event that operators may send, e.g. cancel, retryNow, replay')
    .option(...ofAccount)
    .option('-s, --set <name=value>', 'what the event says; may be repeated', collectRepeatedOption)
    .addHelpText(
      'after',
      formatHelpExamples(
        'machines send a_746512037707776 cancel',
        'machines send a_7 resolveUnknown -s outcome=busy',
      ),
    )
    .action(
      act(async (job, options: OfAccount & { set?: string[] }, id, event) => {
        const heard = await job.client.admin('POST /machines/:id/events', {
          path: { id },
          query: { account: accountIn(options) },
          body: { ...readValues(options.set), type: event },
        });
        job.out.tell(heard);
        job.out.say(becameOf(heard));
      }),
    );
};

const becameOf = ({ outcome, state, ignored }: AdminRouteAnswer<'POST /machines/:id/events'>): string => {
  if (outcome === 'left') return 'Another node holds it and will hear it in a moment.';
  return ignored ? `It changed nothing: it is in ${state}.` : `Done: it is in ${state}.`;
};

const accountIn = ({ account }: OfAccount): number | undefined =>
  account === undefined ? undefined : idOf(account, 'an account');

/** Values as JSON where they are some: `sent=true` says true. */
const readValues = (given: readonly string[] | undefined): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(parseKeyValuePairs(given)).map(([name, value]) => [name, asJson(String(value))]),
  );

const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const list = async ({ client, out }: CommandContext, filter: Filter): Promise<void> => {
  const limit = parseWholeNumberOption(filter.limit, '--limit');
  if (limit === 0) throw wrongUsageFailure('--limit must be at least 1');
  const asked = { kind: filter.kind, state: filter.state, account: filter.account, q: filter.find };
  const machines: Row[] = [];
  let cursor: string | null = '';
  while (cursor !== null && machines.length < limit) {
    const page: Page = await client.admin('GET /machines', { query: { ...asked, cursor } });
    machines.push(...page.machines);
    ({ cursor } = page);
  }
  const shown = machines.slice(0, limit);
  const more = cursor !== null || machines.length > limit;
  out.tell({ machines: shown, more });
  out.say(...formatTerminalTable(shown, rowColumns, { paint: out.paint, width: out.columns }));
  if (more) out.note(`There are more: --limit ${limit * 5} shows more of them.`);
};

const rowColumns: TerminalTableColumn<Row>[] = [
  { title: 'id', cell: ({ id }) => id },
  { title: 'account', cell: ({ account }) => String(account), right: true },
  { title: 'kind', cell: ({ kind }) => kind },
  {
    title: 'state',
    cell: ({ state, ended_at }) => ({ text: state, style: ended_at === null ? 'cyan' : 'dim' }),
  },
  { title: columnTitleWithZone('since'), cell: (row) => dateAndTime(row.created_at) },
  { title: 'attention', cell: ({ attention }) => ({ text: attention ?? '', style: 'red' }) },
];

const pageSize = 500;

const show = async (
  { client, out }: CommandContext,
  options: OfAccount & { history: string },
  id: string,
): Promise<void> => {
  const wanted = parseWholeNumberOption(options.history, '--history');
  const account = accountIn(options);
  const machine = await client.admin('GET /machines/:id', { path: { id }, query: { account } });
  let history = machine.history;
  for (let page = history; page.length === pageSize;) {
    const query = { account, after: page.at(-1)!.revision };
    ({ history: page } = await client.admin('GET /machines/:id', { path: { id }, query }));
    history = [...history, ...page].slice(-Math.max(wanted, 1));
  }
  history = wanted === 0 ? [] : history.slice(-wanted);
  out.tell({ ...machine, history });
  if (!out.json) draw(out, machine, history, await fetchAccountTimeZoneFromService(client, machine.account));
};

/** Its record is written on its account's clock; so is all of it. */
const draw = (
  out: CommandOutput,
  machine: MachineDetails,
  history: readonly MachineHistoryEntry[],
  zone: string,
): void => {
  const style = { paint: out.paint, width: out.columns };
  const part = (title: string, lines: readonly string[]): string[] =>
    lines.length > 0 ? ['', out.paint('bold', title), ...lines] : [];
  out.say(
    `${out.paint('bold', machine.id)}  ${machine.kind} of account ${machine.account}, ${standingOf(machine, zone)}`,
    out.paint('dim', `Times are those of ${zone}.`),
    ...(machine.attention === null ? [] : [out.paint('red', `Needs attention: ${machine.attention}`)]),
    ...part('What it remembers', formatNameValueLines(summaryOf(machine.context, zone), out)),
    ...part('Its record', formatNameValueLines(summaryOf(machine.record ?? {}, zone), out)),
    ...part(
      'What it waits for',
      machine.agenda.length > 0 ? formatTerminalTable(machine.agenda, agendaColumns(zone), style) : [],
    ),
    ...part(
      'What happened',
      history.length > 0 ? formatTerminalTable(history, historyColumns(zone), style) : [],
    ),
  );
};

const standingOf = ({ state, endedAt }: MachineDetails, zone: string): string =>
  endedAt === null ? `in ${state}` : `ended at ${dateAndTime(endedAt, zone)} in ${state}`;

/** Values at the top as they are; of what lies deeper the names. */
const summaryOf = (context: Record<string, unknown>, zone: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(context).map(([name, value]) => {
      if (Array.isArray(value))
        return [
          name,
          value.length === 0 ? '' : `${value.length} ${value.length === 1 ? 'entry' : 'entries'}`,
        ];
      if (typeof value === 'object' && value !== null) return [name, JSON.stringify(value)];
      return [
        name,
        typeof value === 'number' && value > 1e12 && /at$/i.test(name) ? dateAndTime(value, zone) : value,
      ];
    }),
  );

const agendaColumns = (zone: string): TerminalTableColumn<MachineDetails['agenda'][number]>[] => [
  { title: 'due', cell: ({ dueAt }) => dateAndTime(dueAt, zone) },
  { title: 'what', cell: ({ what }) => what },
  { title: 'name', cell: ({ name }) => /^xstate\.after\.([^.]+)\./.exec(name)?.[1] ?? name },
  { title: 'tries', cell: ({ tries }) => String(tries ?? ''), right: true },
];

const historyColumns = (zone: string): TerminalTableColumn<MachineHistoryEntry>[] => [
  { title: 'rev', cell: ({ revision }) => String(revision), right: true },
  { title: 'at', cell: ({ at }) => dateAndTime(at, zone) },
  { title: 'event', cell: ({ event }) => /^xstate\.after\.([^.]+)\./.exec(event)?.[1] ?? event },
  { title: 'state after it', cell: ({ state }) => ({ text: state, style: 'cyan' }) },
  { title: 'asked for', cell: ({ asked }) => asked.join(' ') },
];

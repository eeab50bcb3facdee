/** `ramal trunks`: ways to the telephone network, their servers, prices and routes. */
import type { Command } from 'commander';
import type { AdminBody } from '../../../admin/client.ts';
import {
  type WrapCommandAction,
  type CommandContext,
  parseWholeNumberOption,
} from '../../commandActionWrapper.ts';
import { wrongUsageFailure } from '../../failure.ts';
import { formatHelpExamples } from '../../help.ts';
import { type TerminalTableColumn, formatTerminalTable } from '../../formatTerminalTable.ts';
import {
  findTrunkByName,
  trunkStateCell,
  trunkStateCommands,
  type TrunkAnswer,
  fetchTrunksFromService,
} from './findTrunkByName.ts';
import { trunkPriceCommands } from './prices.ts';
import { callerIdCommands } from './callerIds.ts';
import { trunkRouteCommands } from './routes.ts';
import { trunkServerCommands } from './servers.ts';
import { sipPasswordHelp, type SipTrunkOptions, readSipCommandOptions, addSipOptions } from './sipOptions.ts';

type TrunkBody = AdminBody<'POST /trunks'>;

interface Changes extends SipTrunkOptions {
  dial?: string;
  callsPerSecond?: string;
  legs?: string;
  format?: TrunkBody['number_format'];
  callerIds?: string;
  spendPerDay?: string;
  failover?: string;
  simulates?: TrunkBody['simulates'];
}

type NewTrunk = Changes & { server: string; state?: TrunkBody['state'] };

export const trunkCommands = (program: Command, act: WrapCommandAction): void => {
  const trunks = program
    .command('trunks')
    .description('carriers of calls: trunks, their servers, prices and routes');
  trunks
    .command('ls')
    .description('list all trunks')
    .addHelpText('after', formatHelpExamples('trunks ls', 'trunks ls --json'))
    .action(
      act(async (job) => {
        const found = await fetchTrunksFromService(job);
        job.out.tell({ trunks: found });
        job.out.say(...formatTerminalTable(found, columns, { paint: job.out.paint, width: job.out.columns }));
      }),
    );
  addCommand(trunks, act);
  for (const { word, state, says } of trunkStateCommands)
    trunks
      .command(`${word} <trunk>`)
      .description(`${says} by a trunk`)
      .addHelpText('after', formatHelpExamples(`trunks ${word} carrier-b`))
      .action(
        act(async (job, _: object, text) => {
          const { trunk_id } = await findTrunkByName(job, text);
          const path = { id: trunk_id };
          const changed = await job.client.admin('PATCH /trunks/:id', { path, body: { state } });
          job.out.tell(changed);
          job.out.say(`Trunk ${changed.name} is ${changed.state}.`);
        }),
      );
  trunks
    .command('rm <trunk>')
    .description('delete a trunk that no route names, with its prices')
    .addHelpText('after', formatHelpExamples('trunks rm carrier-b'))
    .action(
      act(async (job, _: object, text) => {
        const { trunk_id, name } = await findTrunkByName(job, text);
        await job.client.admin('DELETE /trunks/:id', { path: { id: trunk_id } });
        job.out.tell({ trunk_id, name });
        job.out.say(`Trunk ${name} is deleted.`);
      }),
    );
  for (const add of [trunkServerCommands, trunkPriceCommands, trunkRouteCommands, callerIdCommands])
    add(trunks, act);
};

const addCommand = (trunks: Command, act: WrapCommandAction): void => {
  addSipOptions(withChanges(trunks.command('add <name>').description('make a trunk')))
    .requiredOption('--server <name>', 'the server that it is on')
    .option('--state <state>', 'on (default), draining or off')
    .addHelpText(
      'after',
      `
Where no route matches a call, every trunk that is on may carry it: begin with
--state off, or with a route.
${sipPasswordHelp}
${formatHelpExamples(
  'trunks add carrier-b --server asterisk --calls-per-second 10\n--legs 60 --sip-host sip.example.net --sip-user 5511400 --state off',
  'trunks add carrier-c --server asterisk --calls-per-second 10\n--legs 60 --dial "PJSIP/{number}@carrier-c" --state off',
)}`,
    )
    .action(act((job, options: NewTrunk, name) => add(job, options, name)));
  addSipOptions(withChanges(trunks.command('set <trunk>').description('change a trunk')))
    .addHelpText(
      'after',
      `${sipPasswordHelp}\n${formatHelpExamples('trunks set asterisk --calls-per-second 10 --legs 60', 'trunks set carrier-b --caller-ids ""')}`,
    )
    .action(act((job, options: Changes, text) => change(job, options, text)));
};

/** What is said of a trunk, when it is made and later. */
const withChanges = (command: Command): Command =>
  command
    .option('--calls-per-second <n>', 'new legs a second')
    .option('--legs <n>', 'legs at a time')
    .option('--dial <pattern>', 'how Asterisk dials, with {number}')
    .option('--format <format>', 'of numbers: e164, plus or national')
    .option('--caller-ids <list>', 'what it may show, commas between; * ends a prefix')
    .option('--spend-per-day <amount>', 'what its calls may cost in a day; empty: no matter')
    .option('--failover <list>', 'SIP statuses after which another trunk is tried')
    .option('--simulates <which>', 'of the sandbox: first or second');

const add = async (job: CommandContext, options: NewTrunk, name: string): Promise<void> => {
  const { server, state } = options;
  // What is missing is refused by the service.
  const body = { name, server, state, ...(await changesOf(job, options)) } as TrunkBody;
  const made = await job.client.admin('POST /trunks', { body });
  job.out.tell(made);
  job.out.say(`Trunk ${made.name} is there, and ${made.state}.`, ...closedOf(made));
};

const change = async (job: CommandContext, options: Changes, text: string): Promise<void> => {
  const body = await changesOf(job, options);
  if (Object.values(body).every((value) => value === undefined))
    throw wrongUsageFailure(
      `what of ${text} is to change is not said`,
      'npx ramal trunks set --help names what can',
    );
  const path = { id: (await findTrunkByName(job, text)).trunk_id };
  const changed = await job.client.admin('PATCH /trunks/:id', { path, body });
  job.out.tell(changed);
  job.out.say(`Trunk ${changed.name} is changed.`);
};

/** What is none of the words that there are is refused by the service. */
const changesOf = async (job: CommandContext, options: Changes): Promise<AdminBody<'PATCH /trunks/:id'>> => {
  const { dial, callsPerSecond, legs, format, callerIds, spendPerDay, failover, simulates } = options;
  return {
    ...(await readSipCommandOptions(job, options)),
    ...{ dial_pattern: dial, number_format: format, simulates },
    ...(callsPerSecond !== undefined && {
      calls_per_second: parseWholeNumberOption(callsPerSecond, '--calls-per-second'),
    }),
    ...(legs !== undefined && { legs: parseWholeNumberOption(legs, '--legs') }),
    ...(callerIds !== undefined && { caller_ids: partsOf(callerIds) }),
    ...(spendPerDay !== undefined && { spend_per_day: spendPerDay === '' ? null : spendPerDay }),
    ...(failover !== undefined && {
      failover: partsOf(failover).map((status) => parseWholeNumberOption(status, '--failover')),
    }),
  };
};

const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Which numbers it does not carry. */
const closedOf = ({ closed_prefixes: { open, closed } }: TrunkAnswer): string[] => [
  ...(open.length > 0 ? [`It carries numbers that begin with ${open.join(', ')} only.`] : []),
  ...(closed.length > 0 ? [`It carries none that begin with ${closed.join(', ')}.`] : []),
];

const columns: TerminalTableColumn<TrunkAnswer>[] = [
  { title: 'id', cell: ({ trunk_id }) => String(trunk_id), right: true },
  { title: 'name', cell: ({ name }) => name },
  { title: 'server', cell: ({ server }) => server },
  { title: 'state', cell: trunkStateCell },
  { title: 'a second', cell: ({ calls_per_second }) => String(calls_per_second), right: true },
  { title: 'legs', cell: ({ legs }) => String(legs), right: true },
  { title: 'dials', cell: ({ dial_pattern, sip_host }) => dial_pattern || sip_host },
  { title: 'registration', cell: ({ registration }) => registration?.state ?? '' },
];

/** `ramal status`: what runs, in a screenful. */
import type { Command } from 'commander';
import type { AdminRouteAnswer } from '../../admin/client.ts';
import type { ExitCode } from '../failure.ts';
import { formatHelpExamples } from '../help.ts';
import type { WrapCommandAction, CommandContext } from '../commandActionWrapper.ts';
import { type Cell, fit, formatTerminalTable } from '../formatTerminalTable.ts';
import { dateAndTime, columnTitleWithZone } from '../times.ts';
import { span } from '../format.ts';

type Node = AdminRouteAnswer<'GET /nodes'>['nodes'][number];
type Troubled = AdminRouteAnswer<'GET /machines'>['machines'][number];

export const statusCommand = (program: Command, act: WrapCommandAction): void => {
  program
    .command('status')
    .description('what runs: the service, its nodes and providers, and what needs a look')
    .addHelpText(
      'after',
      `
Exit code 0 when all is well, 1 when something is not, or needs a look;
npx ramal doctor looks closer.
${formatHelpExamples('status', 'status --json | jq .attention')}`,
    )
    .action(act((job) => show(job)));
};

/** More of them fit no screen. */
const mostTroubled = 10;
const mostNodes = 10;

const show = async ({ client, out }: CommandContext): Promise<ExitCode> => {
  const [health, { nodes }, found] = await Promise.all([
    client.health(),
    client.admin('GET /nodes'),
    client.admin('GET /machines', { query: { attention: 1 } }),
  ]);
  const attention = found.machines.slice(0, mostTroubled);
  const more = found.machines.length > mostTroubled || found.cursor !== null;
  out.tell({ ...health, nodes, attention, more });
  const frame = { paint: out.paint, width: out.columns };
  const line = (cells: Cell[]): string => fit(cells, frame);
  const isWell = health.status === 'ok' && Object.values(health.checks).every(({ ok }) => ok);
  out.say(
    line([
      { text: `Ramal ${health.version} at ${client.url}: ` },
      { text: health.status, style: isWell ? 'green' : 'red' },
      { text: `, up for ${span(health.uptime_s * 1_000)}` },
    ]),
    ...Object.entries(health.checks).map(([name, { ok, detail }]) =>
      line([
        { text: `  ${ok ? 'ok    ' : 'failed'}  `, style: ok ? 'green' : 'red' },
        { text: `${name.padEnd(10)}  ${detail}` },
      ]),
    ),
    '',
    ...formatTerminalTable(nodes.slice(0, mostNodes), nodeColumns, frame),
    ...(nodes.length > mostNodes ? [`and ${nodes.length - mostNodes} more nodes`] : []),
    '',
    ...(attention.length === 0
      ? ['Nothing needs a look.']
      : [out.paint('bold', 'Needs a look'), ...formatTerminalTable(attention, troubledColumns, frame)]),
    ...(more ? ['There are more of them: npx ramal status --json, and npx ramal machines ls.'] : []),
  );
  return isWell && attention.length === 0 ? 0 : 1;
};

const nodeColumns = [
  { title: 'node', cell: ({ name }: Node) => name },
  { title: 'shard', cell: ({ shard }: Node) => shard },
  { title: columnTitleWithZone('since'), cell: ({ started_at }: Node) => dateAndTime(started_at) },
  { title: 'last heartbeat', cell: ({ beat_at }: Node) => dateAndTime(beat_at) },
];

const troubledColumns = [
  { title: 'id', cell: ({ id }: Troubled) => id },
  { title: 'account', cell: ({ account }: Troubled) => String(account), right: true },
  { title: 'kind', cell: ({ kind }: Troubled) => kind },
  { title: 'state', cell: ({ state }: Troubled) => state },
  { title: 'why', cell: ({ attention }: Troubled): Cell => ({ text: attention ?? '', style: 'red' }) },
];

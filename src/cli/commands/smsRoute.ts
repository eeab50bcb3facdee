/** `ramal sms-route`: by which carriers an account's SMS go. Credentials go in and are never shown. */
import { readFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import type { AdminRouteAnswer, AdminBody } from '../../admin/client.ts';
import { cliRefusedFailure, wrongUsageFailure } from '../failure.ts';
import { formatHelpExamples } from '../help.ts';
import {
  resolveAccountOption,
  type WrapCommandAction,
  idOf,
  type CommandContext,
  accountOption,
} from '../commandActionWrapper.ts';
import { askForSecrets, type PromptedSecret } from '../readCommandSecrets.ts';
import { type TerminalTableColumn, formatTerminalTable } from '../formatTerminalTable.ts';

type Route = AdminRouteAnswer<'GET /accounts/:account/sms-routes/:id'>;
type RouteBody = AdminBody<'POST /accounts/:account/sms-routes'>;

interface NewRoute {
  account?: string;
  kind: RouteBody['kind'];
  prefix?: string;
  position?: string;
  settings?: string;
  secretStdin?: boolean;
}

/** The credentials of a route as JSON, as the guide shows them. */
const secret: PromptedSecret = {
  name: 'secret',
  question: 'Credentials as JSON, e.g. {"password":"…"} (Enter for none)',
  variable: 'RAMAL_SMS_ROUTE_SECRET',
};

export const smsRouteCommands = (program: Command, act: WrapCommandAction): void => {
  const route = program.command('sms-route').description('carriers of SMS, and to which numbers each goes');
  route
    .command('ls')
    .description('list the routes of an account, without their credentials')
    .option(...accountOption)
    .addHelpText('after', formatHelpExamples('sms-route ls', 'sms-route ls --account 100 --json'))
    .action(
      act(async (job, options: { account?: string }) => {
        const found = await routesOf(job, await resolveAccountOption(job, options));
        job.out.tell({ sms_routes: found });
        job.out.say(...formatTerminalTable(found, columns, { paint: job.out.paint, width: job.out.columns }));
      }),
    );
  route
    .command('add <name>')
    .description('make a route')
    .option(...accountOption)
    .addOption(
      new Option('--kind <kind>', 'what it is').choices(['smpp', 'http', 'sandbox']).makeOptionMandatory(),
    )
    .option('--settings <json>', 'its settings as JSON, or @file')
    .option('--prefix <digits>', 'first digits of the numbers it takes (default all)')
    .option('--position <n>', 'the lowest is tried first (default 0)')
    .option('--secret-stdin', 'read the credentials from standard input')
    .addHelpText(
      'after',
      `
The credentials never stand on the line. They are asked for where a person sits,
or come as JSON from RAMAL_SMS_ROUTE_SECRET, or with --secret-stdin as one line
  secret={"password":"…"}
docs/guides/connect-an-sms-provider.md tells all settings.
${formatHelpExamples('sms-route add "Carrier A" --kind smpp\n--settings \'{"host":"smsc.example.net","system_id":"ramal"}\'', 'sms-route add "Gateway B" --kind http --settings @gateway.json')}`,
    )
    .action(act((job, options: NewRoute, name) => add(job, options, name)));
  for (const [word, active] of [
    ['on', true],
    ['off', false],
  ] as const)
    route
      .command(`${word} <id>`)
      .description(active ? 'let messages go by a route again' : 'let no message go by a route')
      .option(...accountOption)
      .addHelpText('after', formatHelpExamples(`sms-route ${word} 7`))
      .action(act((job, options: { account?: string }, id) => turn(job, options, id, active)));
};

const routesOf = async ({ client }: CommandContext, account: number): Promise<Route[]> =>
  (await client.admin('GET /accounts/:account/sms-routes', { path: { account } })).sms_routes;

const add = async (job: CommandContext, options: NewRoute, name: string): Promise<void> => {
  const account = await resolveAccountOption(job, options);
  // What is no object is refused by the service.
  const settings =
    options.settings === undefined ? undefined : (readSettings(options.settings) as RouteBody['settings']);
  const given =
    options.kind === 'sandbox' ? {} : await askForSecrets(job.shell, [secret], options.secretStdin === true);
  const body = {
    ...{ name, kind: options.kind, settings, prefix: options.prefix },
    ...(options.position !== undefined && { position: positionOf(options.position) }),
    ...(given['secret'] !== undefined && { secret: readJson('the credentials', given['secret']) }),
  };
  const made = await job.client.admin('POST /accounts/:account/sms-routes', { path: { account }, body });
  job.out.tell(made);
  job.out.say(`Route ${made.route_id} (${made.name}) is there.`, 'How it fares: npx ramal sms-route ls');
};

const turn = async (
  job: CommandContext,
  options: { account?: string },
  id: string,
  active: boolean,
): Promise<void> => {
  const account = await resolveAccountOption(job, options);
  const path = { account, id: idOf(id, 'an SMS route') };
  const body = { active };
  const changed = await job.client.admin('PATCH /accounts/:account/sms-routes/:id', { path, body });
  job.out.tell(changed);
  job.out.say(`Route ${changed.route_id} (${changed.name}) is switched ${active ? 'on' : 'off'}.`);
  const left = active ? [] : await routesOf(job, account);
  if (!active && !left.some((one) => one.active))
    job.out.note(
      `Account ${account} has no active route any more: its SMS go by its reseller's, if it has one.`,
    );
};

/** JSON as it stands, or `@file` with it. */
const readSettings = (written: string): unknown => {
  if (!written.startsWith('@')) return readJson('--settings', written);
  const file = written.slice(1);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw cliRefusedFailure(
      `${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`,
    );
  }
  return readJson(file, text);
};

/** What is wrong with it is not shown: it may be a secret. */
const readJson = (what: string, text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw wrongUsageFailure(`${what} must be JSON`);
  }
};

const positionOf = (text: string): number => {
  if (/^-?\d{1,7}$/.test(text)) return Number(text);
  throw wrongUsageFailure(`--position must be a whole number; it is ${JSON.stringify(text)}`);
};

const columns: TerminalTableColumn<Route>[] = [
  { title: 'id', cell: (route) => String(route.route_id), right: true },
  { title: 'name', cell: ({ name }) => name },
  { title: 'kind', cell: ({ kind }) => kind },
  { title: 'prefix', cell: ({ prefix }) => prefix || 'all' },
  { title: 'position', cell: ({ position }) => String(position), right: true },
  { title: 'active', cell: ({ active }) => (active ? 'yes' : { text: 'no', style: 'yellow' }) },
  {
    title: 'link',
    cell: ({ link }) => (link === null ? '' : { text: link.detail, style: link.ok ? 'green' : 'red' }),
  },
];

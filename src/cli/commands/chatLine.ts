/** `ramal line`: chat lines (v8l) and the credentials of their upstream. */
import { Option, type Command } from 'commander';
import type { AdminRouteAnswer, AdminBody } from '../../admin/client.ts';
import { wrongUsageFailure } from '../failure.ts';
import { wrapTextLines } from '../format.ts';
import { formatHelpExamples } from '../help.ts';
import {
  resolveAccountOption,
  type WrapCommandAction,
  idOf,
  accountOption,
} from '../commandActionWrapper.ts';
import { askForSecrets, type PromptedSecret } from '../readCommandSecrets.ts';
import { type TerminalTableColumn, formatTerminalTable } from '../formatTerminalTable.ts';

type Line = AdminRouteAnswer<'GET /accounts/:account/lines/:id'>;
type LineBody = AdminBody<'POST /accounts/:account/lines'>;

interface NewLine {
  account?: string;
  class: LineBody['v8l_class'];
  provider?: LineBody['v8l_wa_provider'];
  phoneNumberId?: string;
  number?: string;
  businessId?: string;
  pageId?: string;
  photoAccountId?: string;
  forwardUrl?: string;
  secretsStdin?: boolean;
}

/** By the names of the admin API. */
const secrets: readonly PromptedSecret[] = [
  { name: 'v8l_wa_api_key', question: 'Access token of the upstream', variable: 'RAMAL_LINE_API_KEY' },
  { name: 'app_secret', question: 'App secret, which signs its hooks', variable: 'RAMAL_LINE_APP_SECRET' },
  { name: 'verify_token', question: 'Verify token of its hooks', variable: 'RAMAL_LINE_VERIFY_TOKEN' },
];

const secretsHelp = `
The access token, the app secret and the verify token never stand on the line.
They are asked for where a person sits (Enter leaves one out), or come from
RAMAL_LINE_API_KEY, RAMAL_LINE_APP_SECRET and RAMAL_LINE_VERIFY_TOKEN, or with
--secrets-stdin as lines on standard input:
  v8l_wa_api_key=…
  app_secret=…
  verify_token=…
`;

export const chatLineCommands = (program: Command, act: WrapCommandAction): void => {
  const line = program.command('line').description('chat lines: numbers, pages and photo accounts');
  line
    .command('add')
    .description('make a chat line')
    .option(...accountOption)
    .addOption(
      new Option('--class <class>', 'what it is')
        .choices(['msgapp', 'pagechat', 'photodm'])
        .makeOptionMandatory(),
    )
    .option('--provider <name>', 'of a msgapp line: cloud')
    .option('--phone-number-id <id>', 'of a msgapp line, at the upstream')
    .option('--number <digits>', 'of a msgapp line, international, e.g. 5511900000000')
    .option('--business-id <id>', 'of a msgapp line: the business account')
    .option('--page-id <id>', 'of a pagechat line')
    .option('--photo-account-id <id>', 'of a photodm line')
    .option('--forward-url <url>', 'where what people write goes')
    .option('--secrets-stdin', 'read the secrets from standard input')
    .addHelpText(
      'after',
      `${secretsHelp}${formatHelpExamples(
        'line add -a 3 --class msgapp --provider cloud\n--number 5511900000000 --phone-number-id 123456\n--business-id 654321',
        'line add -a 3 --class pagechat --page-id 77\n--secrets-stdin < secrets',
      )}`,
    )
    .action(
      act(async (job, options: NewLine) => {
        const account = await resolveAccountOption(job, options);
        const given = await askForSecrets(job.shell, secrets, options.secretsStdin === true);
        const body = { ...bodyOf(options), ...given };
        const made = await job.client.admin('POST /accounts/:account/lines', { path: { account }, body });
        job.out.tell(made);
        job.out.say(
          `Line ${made.v8l_id} is there.`,
          `Hooks of its upstream come to <PUBLIC_URL>/hooks/${made.v8l_class}/${made.v8l_id}`,
          ...lacking(made),
        );
      }),
    );
  line
    .command('ls')
    .description('list the chat lines of an account, without their secrets')
    .option(...accountOption)
    .addHelpText('after', formatHelpExamples('line ls --account 100'))
    .action(
      act(async (job, options: { account?: string }) => {
        const path = { account: await resolveAccountOption(job, options) };
        const found = await job.client.admin('GET /accounts/:account/lines', { path });
        job.out.tell(found);
        job.out.say(
          ...formatTerminalTable(found.lines, columns, { paint: job.out.paint, width: job.out.columns }),
        );
      }),
    );
  line
    .command('explain <id>')
    .description('why it does not send, or does not receive, and what to do')
    .option(...accountOption)
    .option('--lang <language>', 'en or pt', 'en')
    .addHelpText('after', formatHelpExamples('line explain 1', 'line explain 1 --lang pt'))
    .action(
      act(async (job, options: { account?: string; lang: string }, id: string) => {
        if (!['en', 'pt'].includes(options.lang)) throw wrongUsageFailure('--lang must be en or pt');
        const path = { account: await resolveAccountOption(job, options), line: idOf(id, 'line') };
        const query = { lang: options.lang };
        const told = await job.client.admin('GET /accounts/:account/lines/:line/explain', { path, query });
        job.out.tell(told);
        job.out.say(...told.sentences.flatMap((sentence) => wrapTextLines(sentence, job.out.columns)));
      }),
    );
};

/** What was given, under the names of the admin API. */
const bodyOf = (options: NewLine): LineBody => ({
  v8l_class: options.class,
  ...given({
    v8l_wa_provider: options.provider,
    v8l_wa_app_name: options.phoneNumberId,
    v8l_wa_number: options.number,
    v8l_wa_business_id: options.businessId,
    v8l_fb_page_id: options.pageId,
    v8l_ig_account_id: options.photoAccountId,
    forward_url: options.forwardUrl,
  }),
});

const given = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;

const lacking = (line: Line): string[] => {
  const missing = missingOf(line);
  return missing.length > 0
    ? [`It lacks ${missing.join(', ')}: what needs them is refused until they are there.`]
    : [];
};

const missingOf = (line: Line): string[] => [
  ...(line.has_api_key ? [] : ['access token']),
  ...(line.has_app_secret ? [] : ['app secret']),
  ...(line.has_verify_token ? [] : ['verify token']),
  // Nothing is sent by a msgapp line without its number.
  ...(line.v8l_class === 'msgapp' && line.v8l_wa_number === '' ? ['number'] : []),
];

const columns: TerminalTableColumn<Line>[] = [
  { title: 'id', cell: ({ v8l_id }) => String(v8l_id), right: true },
  { title: 'class', cell: ({ v8l_class }) => v8l_class },
  {
    title: 'upstream id',
    cell: (line) => line.v8l_wa_app_name || line.v8l_fb_page_id || line.v8l_ig_account_id,
  },
  { title: 'number', cell: (line) => line.v8l_wa_number },
  { title: 'active', cell: ({ active }) => (active ? 'yes' : { text: 'no', style: 'yellow' }) },
  { title: 'quality', cell: ({ quality }) => quality },
  { title: 'limit', cell: ({ messaging_limit }) => messaging_limit },
  {
    title: 'lacks',
    cell: (line) => ({ text: missingOf(line).join(', '), style: 'yellow' }),
  },
];

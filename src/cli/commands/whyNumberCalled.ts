/** `ramal why`: why a number was called, or was not, and when it may be. */
import type { Command } from 'commander';
import type { AdminRouteAnswer } from '../../admin/client.ts';
import {
  type CommandContext,
  type WrapCommandAction,
  idOf,
  parseWholeNumberOption,
} from '../commandActionWrapper.ts';
import { wrongUsageFailure } from '../failure.ts';
import { wrapTextLines } from '../format.ts';
import { formatHelpExamples } from '../help.ts';
import type { CommandOutput } from '../output.ts';
import { dateAndTime } from '../times.ts';

type Story = AdminRouteAnswer<'GET /why/:number'>;
type Happened = Story['happened'][number];

interface Options {
  account?: string;
  lang: string;
  limit: string;
  rules?: true;
}

export const whyNumberCalledCommand = (program: Command, act: WrapCommandAction): void => {
  program
    .command('why <number>')
    .description('why a number was called, or was not, and when it may be')
    .option('-a, --account <id>', 'only calls of this account')
    .option('--lang <language>', 'en or pt', 'en')
    .option('--rules', 'with what each rule answered before each dial')
    .option('--limit <n>', 'of at most so many calls', '20')
    .addHelpText(
      'after',
      `
The number as you write it; the cd_id or ctid of a call works as well.
${formatHelpExamples('why 11987650000', 'why a_746512037707776 --rules', 'why 11987650000 --account 3 --lang pt')}`,
    )
    .action(act((job, options: Options, number) => why(job, options, number)));
};

const why = async ({ client, out }: CommandContext, options: Options, number: string): Promise<void> => {
  if (!['en', 'pt'].includes(options.lang)) throw wrongUsageFailure('--lang must be en or pt');
  const limit = parseWholeNumberOption(options.limit, '--limit');
  if (limit === 0) throw wrongUsageFailure('--limit must be at least 1');
  const account = options.account === undefined ? undefined : idOf(options.account, 'an account');
  const asked = { account, lang: options.lang };
  const first = await client.admin('GET /why/:number', { path: { number }, query: asked });
  const happened = [...first.happened];
  const zones = { ...first.zones };
  let { cursor } = first;
  while (cursor !== null && callsIn(happened) < limit) {
    const query = { ...asked, cursor };
    const page: Story = await client.admin('GET /why/:number', { path: { number }, query });
    happened.push(...page.happened);
    Object.assign(zones, page.zones);
    ({ cursor } = page);
  }
  out.tell({ ...first, happened, zones, cursor });
  if (!out.json) draw(out, { ...first, zones }, happened, options.rules === true);
  if (cursor !== null) out.note(`There are older calls: --limit ${limit * 5} shows more of them.`);
};

const callsIn = (happened: readonly Happened[]): number => new Set(happened.map(({ call }) => call)).size;

/** Each moment on the clock of its account. */
const draw = (
  out: CommandOutput,
  { number, region, answer, zones }: Story,
  happened: readonly Happened[],
  withRules: boolean,
): void => {
  const where = region === null ? '' : `, ${region}`;
  out.say(
    `${out.paint('bold', number)}${where}`,
    ...answer.flatMap((said) => wrapTextLines(said, out.columns)),
  );
  for (const one of happened) {
    const id = one.call === null ? '' : `  ${out.paint('dim', one.call)}`;
    out.say('', `${out.paint('dim', dateAndTime(one.at, zones[one.account]))}${id}`);
    out.say(...wrapTextLines(one.sentence, out.columns));
    if (withRules && one.statement) drawStatement(out, one.statement);
  }
  const clocks = [...new Set(Object.values(zones))];
  if (clocks.length > 0) out.say('', out.paint('dim', `Times are those of ${clocks.join(', ')}.`));
};

const drawStatement = (out: CommandOutput, { text }: NonNullable<Happened['statement']>): void => {
  // Its first line names the call, which stands above it.
  out.say(...text.split('\n').slice(1).flatMap((line) => wrapTextLines(line, out.columns)).map((line) => `  ${line}`)); // prettier-ignore
};

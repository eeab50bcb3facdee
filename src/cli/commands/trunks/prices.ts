/** `ramal trunks price`: what the carrier of a trunk asks for a minute. */
import type { Command } from 'commander';
import type { AdminBody } from '../../../admin/client.ts';
import type { WrapCommandAction, CommandContext } from '../../commandActionWrapper.ts';
import { cliRefusedFailure, wrongUsageFailure } from '../../failure.ts';
import { formatHelpExamples } from '../../help.ts';
import { type TerminalTableColumn, formatTerminalTable } from '../../formatTerminalTable.ts';
import { findTrunkByName, type TrunkAnswer } from './findTrunkByName.ts';

type Price = TrunkAnswer['prices'][number];
type NewPrice = NonNullable<AdminBody<'PATCH /trunks/:id'>['prices']>[number];

export const trunkPriceCommands = (trunks: Command, act: WrapCommandAction): void => {
  const price = trunks.command('price').description('what the carrier of a trunk asks for a minute');
  price
    .command('ls <trunk>')
    .description('list the prices of a trunk')
    .addHelpText('after', formatHelpExamples('trunks price ls carrier-b'))
    .action(
      act(async (job, _: object, text) => {
        const { prices } = await findTrunkByName(job, text);
        job.out.tell({ prices });
        job.out.say(
          ...formatTerminalTable(prices, columns, { paint: job.out.paint, width: job.out.columns }),
        );
      }),
    );
  price
    .command('add <trunk> <per-minute>')
    .description('say what the carrier asks for a minute')
    .option('--prefix <digits>', 'first digits of the numbers (default all)')
    .option('--step <first+step>', 'what is paid for at least, and in which steps, seconds')
    .addHelpText('after', formatHelpExamples('trunks price add carrier-b 0.045 --prefix 55 --step 30+6'))
    .action(
      act((job, options: { prefix?: string; step?: string }, text, perMinute) =>
        add(job, text, { per_minute: perMinute, prefix: options.prefix, ...stepsOf(options.step) }),
      ),
    );
  price
    .command('rm <trunk> [prefix]')
    .description('delete the price of a prefix; without one, that of every number')
    .addHelpText('after', formatHelpExamples('trunks price rm carrier-b 55'))
    .action(act((job, _: object, text, prefix = '') => remove(job, text, prefix)));
};

const add = async (job: CommandContext, text: string, price: NewPrice): Promise<void> => {
  const trunk = await findTrunkByName(job, text);
  const { prefix = '' } = price;
  const others = trunk.prices.filter((one) => one.prefix !== prefix);
  const made = (await write(job, trunk, [...others, price])).find((one) => one.prefix === prefix)!;
  job.out.tell(made);
  job.out.say(`A minute by ${trunk.name} to ${made.prefix || 'every number'} costs ${made.per_minute}.`);
};

const remove = async (job: CommandContext, text: string, prefix: string): Promise<void> => {
  const trunk = await findTrunkByName(job, text);
  const left = trunk.prices.filter((one) => one.prefix !== prefix);
  const which = prefix || 'every number';
  if (left.length === trunk.prices.length)
    throw cliRefusedFailure(
      `${trunk.name} has no price for ${which}`,
      `npx ramal trunks price ls ${trunk.name} shows those that it has.`,
    );
  await write(job, trunk, left);
  job.out.tell({ trunk_id: trunk.trunk_id, prefix });
  job.out.say(`The price of ${trunk.name} for ${which} is deleted.`);
};

const write = async (
  { client }: CommandContext,
  { trunk_id: id }: TrunkAnswer,
  prices: readonly NewPrice[],
): Promise<readonly Price[]> =>
  (await client.admin('PATCH /trunks/:id', { path: { id }, body: { prices: [...prices] } })).prices;

/** `30+6`: 30 seconds at least, then whole steps of 6. */
const stepsOf = (text: string | undefined): Pick<NewPrice, 'first_seconds' | 'step_seconds'> => {
  if (text === undefined) return {};
  const [, first, step] = /^(\d{1,4})\+(\d{1,4})$/.exec(text) ?? [];
  if (first === undefined || step === undefined)
    throw wrongUsageFailure(`--step must be like 30+6; it is ${JSON.stringify(text)}`);
  return { first_seconds: Number(first), step_seconds: Number(step) };
};

const columns: TerminalTableColumn<Price>[] = [
  { title: 'prefix', cell: ({ prefix }) => prefix || 'all' },
  { title: 'a minute', cell: ({ per_minute }) => per_minute, right: true },
  { title: 'step', cell: ({ first_seconds, step_seconds }) => `${first_seconds}+${step_seconds}` },
];

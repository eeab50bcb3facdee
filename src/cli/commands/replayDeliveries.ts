/** `ramal replay`: what could not be delivered to a customer's system is sent again. */
import type { Command } from 'commander';
import { wrongUsageFailure } from '../failure.ts';
import { formatHelpExamples } from '../help.ts';
import {
  resolveAccountOption,
  type WrapCommandAction,
  type CommandContext,
  accountOption,
} from '../commandActionWrapper.ts';
import { formatDateTimeAndZone } from '../times.ts';
import { parseTimeOption } from '../format.ts';

interface ReplayOptions {
  account?: string;
  since?: string;
  all?: boolean;
}

export const replayDeliveriesCommand = (program: Command, act: WrapCommandAction): void => {
  program
    .command('replay [delivery]')
    .description('send dead letters again: one, or all of an account since a moment')
    .option(...accountOption)
    .option('--since <when>', 'those of that moment or later: 2h, 1d, 2026-11-20, ISO 8601')
    .option('--all', 'all of the account')
    .addHelpText(
      'after',
      formatHelpExamples(
        'replay a_746512037707776',
        'replay --account 3 --since 2h',
        'replay --account 3 --all',
      ),
    )
    .action(
      act((job, options: ReplayOptions, delivery) =>
        delivery === undefined ? replayAll(job, options) : replayOne(job, options, delivery),
      ),
    );
};

const replayOne = async (
  { client, out }: CommandContext,
  { since, all }: ReplayOptions,
  delivery: string,
): Promise<void> => {
  if (since !== undefined || all) throw wrongUsageFailure('either one delivery, or --since, or --all');
  const body = { type: 'replay' };
  const heard = await client.admin('POST /machines/:id/events', { path: { id: delivery }, body });
  out.tell(heard);
  out.say(
    `Delivery ${delivery} is sent again.`,
    `What becomes of it: npx ramal machines explain ${delivery}`,
  );
};

const replayAll = async (job: CommandContext, options: ReplayOptions): Promise<void> => {
  const body = sinceOf(options);
  const account = await resolveAccountOption(job, options);
  const asked = { path: { account }, body };
  const { replayed, more } = await job.client.admin('POST /accounts/:account/deliveries/replay', asked);
  job.out.tell({ replayed, more });
  job.out.say(
    `${replayed} ${replayed === 1 ? 'dead letter is' : 'dead letters are'} sent again${body.since === undefined ? '' : `, of those since ${formatDateTimeAndZone(body.since)}`}.`,
    ...(more ? ['There are more than one request takes: run it again.'] : []),
  );
};

const sinceOf = ({ since, all }: ReplayOptions): { since?: number } => {
  if (since === undefined && !all)
    throw wrongUsageFailure('which dead letters?', 'Name one, or say --since <when>, or --all.');
  if (since === undefined) return {};
  const asked = parseTimeOption(since, Date.now());
  if (asked === undefined)
    throw wrongUsageFailure(
      `--since ${since} is no moment`,
      'Write it like 2h, 1d, 2026-11-20 or 2026-11-20T17:00:00Z.',
    );
  return { since: asked };
};

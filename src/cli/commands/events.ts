/** `ramal events`: what happens to an account's calls and messages, a line each. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { AdminRouteAnswer } from '../../admin/client.ts';
import { CommandFailure, exitCodes, wrongUsageFailure } from '../failure.ts';
import { formatHelpExamples } from '../help.ts';
import {
  resolveAccountOption,
  type WrapCommandAction,
  type CommandContext,
  parseWholeNumberOption,
  accountOption,
} from '../commandActionWrapper.ts';
import { abortOnInterrupt } from '../signals.ts';
import { type Cell, fit } from '../formatTerminalTable.ts';
import { formatTimeWithDayUnlessToday, localTimeZone } from '../times.ts';
import { parseTimeOption } from '../format.ts';

interface EventsOptions {
  account?: string;
  follow?: boolean;
  since?: string;
  count?: string;
}

type Page = AdminRouteAnswer<'GET /accounts/:account/events'>;
type Happened = Page['events'][number];

export const accountEventsCommand = (program: Command, act: WrapCommandAction): void => {
  program
    .command('events')
    .description('what happens to calls and messages of an account, a line each')
    .option(...accountOption)
    .option('-f, --follow', 'go on until Ctrl-C')
    .option('--since <when>', 'from when on: 10m, 2h, a date, or a cursor; a day at most')
    .option('--count <n>', 'end after so many')
    .addHelpText(
      'after',
      `
Without --follow, the last ten minutes. When it ends it says with which --since
it goes on where it was; with --json every line has it as "cursor". It looks at
the 2,000 newest calls and messages of the account.
${formatHelpExamples('events --follow', 'events --follow --json | jq -r \'select(.state == "ended").id\'')}`,
    )
    .action(act((job, options: EventsOptions) => show(job, options)));
};

const usualMs = 600_000;
const soonMs = 200;
const lateMs = 1_000;

const show = async (job: CommandContext, options: EventsOptions): Promise<void> => {
  const { out } = job;
  const account = await resolveAccountOption(job, options);
  const most = options.count === undefined ? Infinity : parseWholeNumberOption(options.count, '--count');
  const interrupted = abortOnInterrupt();
  out.say(out.paint('dim', `Times are those of ${localTimeZone()}.`));
  const seen = new Recent();
  let start = startOf(options);
  let after = start;
  let resume = start;
  let said = 0;
  try {
    while (!interrupted.signal.aborted && said < most) {
      const page = await ask(job, account, after, options.follow === true);
      const news = page ? page.events.filter((one) => seen.isNew(one)).slice(0, most - said) : [];
      for (const one of news) tell(job, one);
      said += news.length;
      start ??= page?.cursor;
      resume = news.at(-1)?.cursor ?? resume ?? start;
      if (page?.more) {
        after = page.cursor;
        continue;
      }
      if (!options.follow) break;
      if (page && start !== undefined) after = aBitBefore(page.cursor, start);
      await rest(news.length > 0 ? soonMs : lateMs, interrupted.signal);
    }
  } finally {
    interrupted.stop();
  }
  if (resume !== undefined) out.note(`To go on from here: npx ramal events --follow --since ${resume}`);
};

const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal }).catch(() => undefined);

/** A service that is away for a moment is asked again by who follows it. */
const ask = async (
  { client, out }: CommandContext,
  account: number,
  after: string | undefined,
  follow: boolean,
): Promise<Page | undefined> => {
  try {
    const asked = { path: { account }, query: { after } };
    return await client.admin('GET /accounts/:account/events', asked);
  } catch (error) {
    const isAway = error instanceof CommandFailure && error.exit === exitCodes.unreachable;
    if (!isAway || !follow || after === undefined) throw error;
    out.note(`${error.message}; it is asked again.`);
    return undefined;
  }
};

/** Two nodes write at once, and who wrote first need not be seen first, milliseconds. */
const overlapMs = 1_500;

/** What came in between is seen once more, and told once; never what was before the start. */
const aBitBefore = (cursor: string, start: string): string => {
  const at = momentIn(cursor) - overlapMs;
  return at <= momentIn(start) ? start : String(at);
};

const momentIn = (cursor: string): number => Number(cursor.split('_', 1)[0]);

const startOf = ({ since, follow }: EventsOptions): string | undefined => {
  if (since === undefined) return follow ? undefined : String(Date.now() - usualMs);
  if (/^\d{1,15}_\d{1,16}_\d{1,9}$/.test(since)) return since;
  const moment = parseTimeOption(since, Date.now());
  if (moment === undefined)
    throw wrongUsageFailure(
      `--since ${since} is no moment`,
      'Write it like 10m, 2h, 2026-11-20T17:00:00Z, or a cursor.',
    );
  return String(moment);
};

/** The entries that were told lately; it holds a bounded number of them. */
class Recent {
  readonly #keys = new Set<string>();

  isNew({ id, revision }: Happened): boolean {
    const key = `${id} ${revision}`;
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    if (this.#keys.size > mostKept) this.#keys.delete(this.#keys.values().next().value!);
    return true;
  }
}

const mostKept = 20_000;

const tell = ({ out }: CommandContext, one: Happened): void => {
  out.tell(one);
  const isOver = one.state === 'ended' || /^(delivered|read|failed|undelivered)$/.test(one.state);
  const cells: Cell[] = [
    { text: `${formatTimeWithDayUnlessToday(one.at)}  `, style: 'dim' },
    { text: `${(one.channel || one.kind).padEnd(8)}  ${one.destination.padEnd(14)}  ` },
    { text: one.state.padEnd(22), style: isOver ? 'bold' : 'cyan' },
    { text: `  ${isOver && one.outcome ? one.outcome : one.event}`.padEnd(20), style: 'dim' },
    { text: `  ${one.id}`, style: 'dim' },
  ];
  out.say(fit(cells, { paint: out.paint, width: out.columns }));
};

/** `ramal callback`: where an account's callbacks go, a trial, and a receiver on this machine. */
import type { Command } from 'commander';
import { listenForCallbacks } from '../callback/listen.ts';
import { cliRefusedFailure, wrongUsageFailure } from '../failure.ts';
import { formatHelpExamples } from '../help.ts';
import {
  resolveAccountOption,
  type WrapCommandAction,
  type CommandContext,
  accountOption,
} from '../commandActionWrapper.ts';
import { formatNameValueLines } from '../formatNameValueLines.ts';

interface OfAccount {
  account?: string;
}

interface SetOptions extends OfAccount {
  events?: string;
  off?: boolean;
}

export const callbackCommands = (program: Command, act: WrapCommandAction): void => {
  const callback = program.command('callback').description('callbacks: what the service tells your system');
  callback
    .command('set [url]')
    .description('say where the callbacks of an account go')
    .option(...accountOption)
    .option('--events <names>', 'all, or names with commas between; the final one comes always')
    .option('--off', 'send none')
    .addHelpText(
      'after',
      formatHelpExamples('callback set https://shop.example/calls --events all', 'callback set --off'),
    )
    .action(act((job, options: SetOptions, url) => set(job, options, url)));
  callback
    .command('test [url]')
    .description("send a signed test event now, there or to the account's own address")
    .option(...accountOption)
    .addHelpText('after', formatHelpExamples('callback test', 'callback test https://shop.example/calls'))
    .action(act((job, options: OfAccount, url) => test(job, options, url)));
  callback
    .command('listen')
    .description('receive callbacks on this machine and print each, its signature looked at')
    .option(...accountOption)
    .option('--port <n>', 'where it listens, on 127.0.0.1; 0: at any free one', '9096')
    .option('--use', "make it the account's address while it runs, for all events")
    .option('--count <n>', 'end after so many')
    .addHelpText(
      'after',
      `
The service calls no private address by itself. It is asked to admit this one
host and port while the command runs, which it does for its own machine only.
Ctrl-C ends it; --use then restores what the account had.
${formatHelpExamples('callback listen --use', 'callback listen --port 9100 --count 1 --json')}`,
    )
    .action(act(listenForCallbacks));
};

const set = async (
  job: CommandContext,
  { events, off, ...options }: SetOptions,
  url?: string,
): Promise<void> => {
  if ((url === undefined) === (off !== true))
    throw wrongUsageFailure('where do they go?', 'Name an address, or say --off.');
  const account = await resolveAccountOption(job, options);
  const changed = await job.client.admin('PATCH /accounts/:account', {
    path: { account },
    body: { callback_url: url ?? '', ...(events !== undefined && { callback_events: events }) },
  });
  const { callback_url, callback_events } = changed;
  job.out.tell({ account, callback_url, callback_events });
  job.out.say(
    ...(off
      ? [`Account ${account} is sent no callbacks.`]
      : [
          `Callbacks of account ${account} go to ${callback_url}: ${callback_events || 'the final event'}.`,
          'Try it: npx ramal callback test',
        ]),
  );
};

const test = async (job: CommandContext, options: OfAccount, url?: string): Promise<void> => {
  const account = await resolveAccountOption(job, options);
  const trial = await job.client.admin('POST /accounts/:account/callback-test', {
    path: { account },
    body: url === undefined ? {} : { url },
  });
  const { delivered, message, http_status, took_ms } = trial;
  if (!delivered)
    throw cliRefusedFailure(`it was not delivered: ${message ?? `HTTP ${http_status}`}`, undefined, {
      ...trial,
    });
  job.out.tell(trial);
  job.out.say(
    `Delivered in ${took_ms} ms.`,
    ...formatNameValueLines({ http_status, answer: trial.answer }, job.out),
  );
};

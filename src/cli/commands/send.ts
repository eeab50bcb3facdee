/** `ramal send`: one message, by SMS or by a chat line. `ramal sms send` is an older name of the first. */
import { Option, type Command } from 'commander';
import type { AdminRouteAnswer } from '../../admin/client.ts';
import { cliRefusedFailure } from '../failure.ts';
import { formatHelpExamples } from '../help.ts';
import {
  resolveAccountOption,
  type WrapCommandAction,
  collectRepeatedOption,
  idOf,
  type CommandContext,
  accountOption,
} from '../commandActionWrapper.ts';
import { invokeOperationFromCli } from '../invokeOperation.ts';

interface MessageOptions {
  text: string;
  ctid?: string;
  set?: string[];
}

interface SmsOptions extends MessageOptions {
  from?: string;
}

interface ChatOptions extends MessageOptions {
  account?: string;
  line?: string;
  class?: ChatClass;
}

export const messageSendingCommands = (program: Command, act: WrapCommandAction): void => {
  const send = program.command('send').description('send one message');
  addSms(send.command('sms <number>'), 'send sms', act);
  send
    .command('chat <recipient>')
    .description('send a message by a chat line')
    .requiredOption('--text <text>', 'the message')
    .option('--line <id>', 'by which line (default the first active one)')
    .addOption(new Option('--class <class>', 'what the line is').choices(Object.keys(operations)))
    .option(...accountOption)
    .option('--ctid <id>', 'your own id of the message')
    .option(
      '-s, --set <name=value>',
      'any other parameter of its operation; may be repeated',
      collectRepeatedOption,
    )
    .addHelpText(
      'after',
      `
The recipient is a number with its country code, or the id that a page or photo
account knows the person by. The admin token finds the line; with --line and
--class it is not needed.
${formatHelpExamples('send chat 5511987650000 --text "Hello from Ramal"', 'send chat 7015550100 --text Hello --class pagechat --line 2')}`,
    )
    .action(act((job, options: ChatOptions, recipient) => sendChat(job, options, recipient)));
};

export const smsSendCommands = (program: Command, act: WrapCommandAction): void => {
  const sms = program.command('sms').description('short messages: the same as send sms');
  addSms(sms.command('send <number>'), 'sms send', act);
};

const addSms = (command: Command, words: string, act: WrapCommandAction): Command =>
  command
    .description('send an SMS')
    .requiredOption('--text <text>', 'the message, at most 160 characters')
    .option('--from <sender>', 'sender, where the carrier lets it be chosen')
    .option('--ctid <id>', 'your own id of the message')
    .option(
      '-s, --set <name=value>',
      'any other parameter of MakeSMS; may be repeated',
      collectRepeatedOption,
    )
    .addHelpText('after', formatHelpExamples(`${words} 11987650000 --text "Hello from Ramal"`))
    .action(
      act((job, { text, from, ctid, set }: SmsOptions, number) =>
        deliver(job, number, {
          operation: 'MakeSMS',
          params: { dest: number, message: text, from, ctid },
          set,
          typed: { dest: 'the number', message: '--text', from: '--from', ctid: '--ctid' },
        }),
      ),
    );

type ChatClass = keyof typeof operations;

const operations = { msgapp: 'MakeMsgapp', pagechat: 'MakePageChat', photodm: 'MakePhotoDm' } as const;

const sendChat = async (job: CommandContext, options: ChatOptions, recipient: string): Promise<void> => {
  const line = await lineOf(job, options);
  const { text, ctid, set } = options;
  const hasCtid = line.v8l_class === 'msgapp' && ctid !== undefined;
  await deliver(job, recipient, {
    operation: operations[line.v8l_class],
    params: { app_id: line.v8l_id, dest: recipient, mdata: text, ...(hasCtid && { ctid }) },
    set,
    typed: { app_id: '--line', dest: 'the recipient', mdata: '--text', ctid: '--ctid' },
  });
};

type Line = AdminRouteAnswer<'GET /accounts/:account/lines/:id'>;

const lineOf = async (
  job: CommandContext,
  options: ChatOptions,
): Promise<Pick<Line, 'v8l_id' | 'v8l_class'>> => {
  const id = options.line === undefined ? undefined : idOf(options.line, 'a line');
  if (id !== undefined && options.class) return { v8l_id: id, v8l_class: options.class };
  const account = await resolveAccountOption(job, options);
  const { lines } = await job.client.admin('GET /accounts/:account/lines', { path: { account } });
  const found = lines
    .filter((line) => (id === undefined ? line.active : line.v8l_id === id))
    .filter((line) => options.class === undefined || line.v8l_class === options.class)
    .toSorted((a, b) => a.v8l_id - b.v8l_id)[0];
  if (found) return found;
  const wanted = `${options.class ? `${options.class} ` : ''}line${id === undefined ? '' : ` ${id}`}`;
  throw cliRefusedFailure(
    `account ${account} has no such line: ${wanted}`,
    'npx ramal line ls shows those it has.',
  );
};

/** Sends it, and says what became of it so far. */
const deliver = async (
  job: CommandContext,
  recipient: string,
  call: Parameters<typeof invokeOperationFromCli>[1],
): Promise<void> => {
  const sent = await invokeOperationFromCli<{ return: { cdls_id: string | number } }>(job, call);
  const { cdls_id, warning, status, sandbox } = sent.return;
  job.out.tell({
    ...{ cdls_id: String(cdls_id), status },
    ...(sandbox && { sandbox }),
    ...(warning !== undefined && { warning }),
  });
  job.out.say(
    `Message ${cdls_id} to ${recipient} is accepted (${status}).`,
    `What becomes of it: npx ramal machines show ${cdls_id}`,
  );
};

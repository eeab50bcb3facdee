/** `ramal sms`: sends one SMS. */
import type { Command } from 'commander';
import { examples } from '../help.ts';
import { sandboxNote } from '../words.ts';
import { type Acting, collect, readPairs } from '../job.ts';

interface SmsOptions {
  text: string;
  from?: string;
  ctid?: string;
  set?: string[];
}

export const smsCommands = (program: Command, act: Acting): void => {
  program
    .command('sms')
    .description('short messages')
    .command('send <number>')
    .description('send an SMS')
    .requiredOption('--text <text>', 'the message, at most 160 characters')
    .option('--from <sender>', 'sender, where the carrier lets it be chosen')
    .option('--ctid <id>', 'your own id of the message')
    .option('-s, --set <name=value>', 'any other parameter of MakeSMS; may be repeated', collect)
    .addHelpText('after', examples('sms send 11987650000 --text "Hello from Ramal"'))
    .action(
      act(async (job, options: SmsOptions, number) => {
        const sent = await job.client.rest<{ return: { cdls_id: string } }>('MakeSMS', {
          dest: number,
          message: options.text,
          from: options.from,
          ctid: options.ctid,
          ...readPairs(options.set),
        });
        const { cdls_id, warning, status, sandbox } = sent.return;
        if (warning !== undefined) job.out.note(`Warning: ${warning}`);
        if (sandbox) job.out.note(sandboxNote);
        job.out.tell({
          cdls_id,
          status,
          ...(sandbox && { sandbox }),
          ...(warning !== undefined && { warning }),
        });
        job.out.say(
          `Message ${cdls_id} to ${number} is accepted (${status}).`,
          `What becomes of it: npx ramal machines show ${cdls_id}`,
        );
      }),
    );
};

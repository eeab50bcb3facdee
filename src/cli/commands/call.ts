/** `ramal call`: places one call, and follows it to its end. */
import type { Command } from 'commander';
import { cliRefusedFailure, wrongUsageFailure } from '../failure.ts';
import { formatHelpExamples } from '../help.ts';
import {
  type WrapCommandAction,
  collectRepeatedOption,
  type CommandContext,
} from '../commandActionWrapper.ts';
import { followMachineHistory, type MachineHistoryEntry } from '../machine.ts';
import { invokeOperationFromCli } from '../invokeOperation.ts';
import { formatNameValueLines } from '../formatNameValueLines.ts';
import { fit } from '../formatTerminalTable.ts';
import { formatTimeWithDayUnlessToday, fetchAccountTimeZoneFromService } from '../times.ts';

interface CallOptions {
  ctid?: string;
  text?: string;
  voice?: string;
  audio?: string;
  set?: string[];
  watch?: boolean;
}

export const placeCallCommand = (program: Command, act: WrapCommandAction): void => {
  program
    .command('call <number>')
    .description('place a call')
    .option('--text <text>', 'what is said')
    .option('--voice <voice>', 'who says it, e.g. "Espeak|pt-br"')
    .option('--audio <id>', 'an audio of the account instead of a text')
    .option('--ctid <id>', 'your own id of the call')
    .option(
      '-s, --set <name=value>',
      'any other parameter of MakeTTSCall; may be repeated',
      collectRepeatedOption,
    )
    .option('--watch', 'follow it to its end; exit code 1 unless it was answered')
    .addHelpText(
      'after',
      formatHelpExamples(
        'call 11987650000 --text "Hello from Ramal" --watch',
        'call 11987650012 --text "Press two" -s type=3\n-s text2=More -s dtmf2=text2 --watch',
        'call 11987650021 --text Hello -s "repeat=2|1" --watch --json',
      ),
    )
    .action(
      act(async (job, options: CallOptions, number) => {
        if (!options.text && !options.audio && options.set === undefined)
          throw wrongUsageFailure('the call has nothing to say', 'Give --text "Hello", or --audio <id>.');
        const placed = await invokeOperationFromCli<{ return: { cd_id: string } }>(job, {
          operation: 'MakeTTSCall',
          params: {
            dest: number,
            text: options.text,
            voice: options.voice,
            content: options.audio,
            ctid: options.ctid,
          },
          set: options.set,
          typed: { dest: 'the number', text: '--text', voice: '--voice', content: '--audio', ctid: '--ctid' },
        });
        const { cd_id, warning, sandbox } = placed.return;
        job.out.tell({ cd_id, ...(sandbox && { sandbox }), ...(warning !== undefined && { warning }) });
        job.out.say(`Call ${cd_id} to ${number} is placed.`);
        if (options.watch) return watchCall(job, cd_id);
        job.out.say(`What becomes of it: npx ramal machines show ${cd_id}`);
      }),
    );
};

/** Tells every state as it comes, then the call's record. 1 when it was not answered. */
const watchCall = async (job: CommandContext, id: string): Promise<0 | 1> => {
  // Its record is written on its account's clock; so are its states.
  const { account } = await job.client.admin('GET /machines/:id', { path: { id } });
  const zone = await fetchAccountTimeZoneFromService(job.client, account);
  job.out.say(job.out.paint('dim', `Times are those of ${zone}.`));
  const teller = tellerOf(job, id, zone);
  const steps = followMachineHistory(job.client, id, teller.quiet);
  for (let next = await steps.next(); !next.done; next = await steps.next()) teller.entry(next.value);
  const { calls } = await job.client.rest<{ calls: Record<string, unknown>[] }>('GetCallStatus', {
    cd_id: id,
  });
  const record = calls[0];
  if (!record)
    throw cliRefusedFailure(`call ${id} has no record`, 'It belongs to another account than the token.');
  job.out.tell(record);
  job.out.say('', ...formatNameValueLines(record, job.out));
  return record['cd_status'] === 'OK' ? 0 : 1;
};

const tellerOf = ({ client, out }: CommandContext, id: string, zone: string) => {
  let state = '';
  let began: number | undefined;
  let explained = '';
  return {
    entry: ({ at, event, state: now, revision }: MachineHistoryEntry): void => {
      began ??= at;
      if (now === state) return;
      state = now;
      out.tell({ at, state: now, event, revision });
      const since = `+${((at - began) / 1000).toFixed(1)} s`;
      out.say(
        fit(
          [
            { text: `${formatTimeWithDayUnlessToday(at, at, zone)}  ${since.padStart(8)}  `, style: 'dim' },
            { text: now.padEnd(22), style: colourOf(now) },
            { text: event === 'started' ? '' : `  ${event}`, style: 'dim' },
          ],
          { paint: out.paint, width: out.columns },
        ),
      );
    },
    /** Nothing happens: why, unless that was said. */
    quiet: async (): Promise<void> => {
      const { reasons } = await client.admin('GET /machines/:id/explain', { path: { id } });
      const open = reasons.findLast((reason) => reason.open);
      if (!open || explained === `${open.at} ${open.rule}`) return;
      explained = `${open.at} ${open.rule}`;
      const until =
        open.until === undefined
          ? ''
          : `, until ${formatTimeWithDayUnlessToday(open.until, Date.now(), zone)}`;
      out.say(out.paint('yellow', `          it waits: ${open.detail}${until}`));
    },
  };
};

const colourOf = (state: string) => {
  if (state.startsWith('answered')) return 'green' as const;
  return state === 'ended' ? ('bold' as const) : ('cyan' as const);
};

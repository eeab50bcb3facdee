/** `ramal stop`: ends the service that runs on this data folder, in order, and waits until it has ended. */
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { cliRefusedFailure } from '../failure.ts';
import { formatHelpExamples } from '../help.ts';
import { type WrapCommandAction, parseWholeNumberOption } from '../commandActionWrapper.ts';

const lookMs = 100;

export const stopServiceCommand = (program: Command, act: WrapCommandAction): void => {
  program
    .command('stop')
    .description('end the service that was started on this data folder')
    .option('--within <seconds>', 'how long it is waited for', '60')
    .addHelpText(
      'after',
      `
It sends SIGTERM, as Ctrl-C does SIGINT: calls that are up are kept, and taken
up by the next start. Services in other containers are left alone.
${formatHelpExamples('stop', 'stop --within 10')}
  $ DATA_DIR=/var/lib/ramal npx ramal stop`,
    )
    .action(
      act(async ({ shell, out }, { within }: { within: string }) => {
        const seconds = parseWholeNumberOption(within, '--within');
        const dataDir = resolve(shell.env['DATA_DIR']?.trim() || './data');
        const { findRunningServices: presentOn } = await import('../../dataFolder/runningServices.ts');
        const running = presentOn(dataDir);
        if (running.length === 0)
          throw cliRefusedFailure(
            `no service runs on ${dataDir} here`,
            'DATA_DIR names the folder of another one.',
          );
        for (const { pid } of running) send(pid);
        const until = performance.now() + seconds * 1_000;
        while (running.some((one) => !one.hasEnded()) && performance.now() < until) await pause(lookMs);
        const left = running.filter((one) => !one.hasEnded()).map(({ pid }) => pid);
        const ended = running.map(({ pid }) => pid).filter((pid) => !left.includes(pid));
        if (left.length > 0)
          throw cliRefusedFailure(
            `process ${left.join(', ')} has not ended within ${seconds} s`,
            'It may still be at it; kill -9 ends it at once, and its next start takes up what it left.',
            { ended, left },
          );
        out.tell({ ended });
        out.say(`The service is stopped (process ${ended.join(', ')}).`);
      }),
    );
};

const send = (pid: number): void => {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
    throw cliRefusedFailure(
      `process ${pid} cannot be asked to end: ${(error as Error).message}`,
      'Ask as the user that started it.',
    );
  }
};

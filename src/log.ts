/** The log: JSON lines, the machine's id on every line that has one, and no secrets. */
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import type { LogLevel } from './config.ts';
import { LogOutput } from './log/nonBlockingWriter.ts';
import { formatReadableLogLine } from './log/formatReadableLogLine.ts';
import {
  type RepeatedLogLine,
  type Line,
  type LogRepeatFilterClock,
  LogRepeatFilter,
  defaultLogRepeatFilterClock,
} from './log/repeats.ts';
import { redactSecretsInAddresses, withoutSecrets } from './lib/redactSecretFields.ts';

export type Log = Logger;

/**
 * How a line is kept free of secrets: fields by their declaration, those of errors too, and addresses in any text of it.
 */
export const logRedactionOptions = {
  formatters: { log: (fields) => withoutSecrets(fields) as Record<string, unknown> },
  serializers: {
    err: (error: unknown) =>
      error instanceof Error ? withoutSecrets({ ...pino.stdSerializers.err(error) }) : error,
  },
  hooks: { streamWrite: redactSecretsInAddresses },
} satisfies LoggerOptions;

/** Opens the log. `to`: default standard output, of which there is one in a process. */
export const openLog = (
  level: LogLevel,
  to: DestinationStream = standardOutput(),
  clock: LogRepeatFilterClock = defaultLogRepeatFilterClock,
): Log => {
  const repeats = new LogRepeatFilter(clock, (again) => tell(log, again));
  const options: LoggerOptions = {
    level,
    base: null,
    serializers: logRedactionOptions.serializers,
    formatters: { ...logRedactionOptions.formatters, level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: {
      ...logRedactionOptions.hooks,
      logMethod(given, method, number) {
        if (
          number < repeated.from ||
          number > repeated.to ||
          isSummary(given) ||
          repeats.admits(lineOf(number, given))
        )
          method.apply(this, given);
      },
    },
  };
  const log = pino(options, to);
  return log;
};

/** Warnings and errors; what ends the process is always written. */
const repeated = { from: pino.levels.values['warn']!, to: pino.levels.values['error']! };

/** Out of what a method of the log was called with: fields or an error, then the message. */
const lineOf = (level: number, [first, message]: readonly unknown[]): Line => {
  if (typeof first === 'string') return { level, message: first };
  const { err, incident } = (first instanceof Error ? { err: first } : first) as {
    err?: unknown;
    incident?: unknown;
  };
  return { level, message: typeof message === 'string' ? message : '', error: err, incident };
};

const isSummary = ([first]: readonly unknown[]): boolean =>
  typeof first === 'object' && first !== null && 'again' in first;

const tell = (log: Log, { level, message, error, times, incidents }: RepeatedLogLine): void => {
  const fields = {
    again: times,
    ...(error !== undefined && { error }),
    ...(incidents.length > 0 && { incidents }),
  };
  log[level === repeated.to ? 'error' : 'warn'](
    fields,
    `${message}: again ${times} times in the last minute`,
  );
};

/** JSON lines, but for a terminal, in front of which people sit. */
const standardOutput = (): DestinationStream => {
  const outlet = new LogOutput(process.stdout.fd);
  process.on('exit', () => outlet.end());
  return process.stdout.isTTY ? forPeople(outlet) : outlet;
};

/** It flushes as the outlet does, so that the process ends after the last line. */
const forPeople = (outlet: LogOutput): DestinationStream & Pick<LogOutput, 'flush'> => ({
  write: (line) => outlet.write(formatReadableLogLine(line)),
  flush: (done) => outlet.flush(done),
});

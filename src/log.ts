/** The log: JSON lines, the machine's id on every line that has one, and no secrets. */
import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';

export type Log = Logger;

/** Names whose values nobody may read in a log, at the top and one level down. `rawPacket`: an error of Node's parser. */
const secrets = [
  ...['tsid', 'sid', 'token', 'password', 'authorization', 'secret', 'secretKey', 'adminToken'],
  'rawPacket',
];

/** Opens the log. `to`: default standard output. */
export const openLog = (level: LogLevel, to?: DestinationStream): Log => {
  const options = {
    level,
    base: null,
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' },
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return to ? pino(options, to) : pino(options);
};

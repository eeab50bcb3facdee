/** The log: JSON lines, the machine's id on every line that has one, and no secrets. */
import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';
import { Outlet } from './log/outlet.ts';

export type Log = Logger;

/** Names whose values nobody may read in a log, at the top and one level down. `rawPacket`: an error of Node's parser. */
const secrets = [
  ...['tsid', 'sid', 'token', 'password', 'authorization', 'secret', 'secretKey', 'adminToken'],
  'rawPacket',
];

/** Opens the log. `to`: default standard output, of which there is one in a process. */
export const openLog = (level: LogLevel, to: DestinationStream = standardOutput()): Log => {
  const options = {
    level,
    base: null,
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' },
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return pino(options, to);
};

const standardOutput = (): Outlet => {
  const outlet = new Outlet(process.stdout.fd);
  process.on('exit', () => outlet.end());
  return outlet;
};

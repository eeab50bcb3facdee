/** Asterisks of the bed (test/asterisk), each with a SIP carrier of its own, which outlives it. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ask } from './ask.ts';
import { switchCarrier } from './carrierSwitch.ts';
import { until } from './ports.ts';

export interface Asterisk {
  /** Its carrier has the same name. */
  name: string;
  /** As the service is told of it. */
  login: { url: string; user: string; password: string };
  /** Of its server, once the service knows it. */
  serverId: number;
  /** What its carrier was asked for and did. */
  dialsLog: string;
  /** SIGKILL; settles when it is gone. */
  kill(): Promise<void>;
  /** Starts it again, as it was set up; settles when it answers. */
  start(): Promise<void>;
  /** Whether its carrier refuses every call with 503. */
  refuse(isRefusing: boolean): Promise<void>;
  /** The channels that it has. */
  channels(): Promise<string[]>;
  /** What it and its carrier complained of last. */
  complaints(): Promise<string>;
  /** Ends both. */
  stop(): Promise<void>;
}

const run = promisify(execFile);
const bed = join(import.meta.dirname, '../../asterisk');
const cache = process.env['ASTERISK_CACHE'] ?? join(bed, '.cache');
const [user, password] = ['ramal', 'ramal'];
const startsWithinMs = 90_000;
const goesWithinMs = 10_000;

/** Starts both, on ports that are moved by `shift`; no other bed may have the same. */
export const startAsterisk = async (name: string, shift: number): Promise<Asterisk> => {
  const env = { ...process.env, BED_PORTS: String(shift), ASTERISK_CACHE: cache };
  const folder = join(cache, `run-${shift}`);
  const prompts = `/tmp/ramal-asterisk-${process.getuid?.()}-${shift}`;
  const url = `http://127.0.0.1:${8088 + shift}`;
  const headers = { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
  const answers = async (): Promise<boolean> =>
    (await ask(`${url}/ari/asterisk/ping`, { headers, timeoutMs: 2_000 })).status === 200;
  await run(join(bed, 'up'), [], { env });
  return {
    ...{
      name,
      login: { url: `${url}/ari`, user, password },
      serverId: 0,
      dialsLog: join(folder, 'dials.log'),
    },
    kill: async () => {
      const id = Number(await readFile(join(folder, 'asterisk.pid'), 'utf8'));
      process.kill(id, 'SIGKILL');
      await until(async () => !(await answers()), goesWithinMs);
    },
    start: async () => {
      await run(join(bed, 'start'), [folder, prompts], { env });
      if (!(await until(answers, startsWithinMs))) throw new Error(`Asterisk ${name} did not start`);
    },
    refuse: (isRefusing) => switchCarrier(5070 + shift, isRefusing ? 'closed' : 'open'),
    channels: async () => {
      const { text } = await ask(`${url}/ari/channels`, { headers, timeoutMs: 10_000 });
      return (JSON.parse(text) as { id: string }[]).map(({ id }) => id);
    },
    complaints: async () => {
      const logs = ['asterisk.log', 'carrier.err'].map(
        async (log) =>
          `${name} ${log}:\n${(await readFile(join(folder, log), 'utf8').catch(() => '')).slice(-4_000)}`,
      );
      return (await Promise.all(logs)).join('\n');
    },
    stop: async () => void (await run(join(bed, 'down'), [], { env })),
  };
};

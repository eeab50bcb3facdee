/** The service as its users have it: a process of its own, spoken to over HTTP, killed at will. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallRecord, Ramal } from '../../packages/client/src/index.ts';
import type { HistoryEntryView } from '../../src/engine/contract/api.ts';
import { heldFetch, holdToDeclaration } from '../helpers/answers.ts';
import { until } from '../helpers/patience.ts';

/** The service as it is shipped. */
export const builtMain = 'dist/src/main.js';

export const demoToken = 'DemoToken00000000000000000demo';
export const adminToken = 'AdminTokenOfTheServiceTests';

export interface ServiceOptions {
  databaseUrl?: string;
  /** Shared by processes that share a sandbox carrier. */
  dataDir: string;
  env?: Record<string, string>;
  /** Its tokens are made by itself and kept in its folder, as at a first start. Default false: those of the tests. */
  made?: boolean;
  /** Default: a free one. */
  port?: number;
}

export interface RunningService {
  url: string;
  pid: number;
  process: ChildProcess;
  /** Everything it wrote. */
  output(): string;
  /** The typed client of the demo account. It asks once: what a lost answer means is for the test to say. */
  ramal: Ramal;
  /**
   * An operation of the REST interface, as JSON with the demo token unless the body says otherwise. Throws what the log
   * says of a 500.
   */
  call(operation: string, body: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>;
  admin(method: string, path: string, body?: object): Promise<Answer>;
  /** SIGKILL; settles when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; settles when the process is gone. */
  stop(): Promise<void>;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, never> & { return: Record<string, string>; calls: Record<string, string>[] };
}

/** A folder for one test's service. */
export const aDataDir = (): { path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'ramal-service-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 10 }) };
};

/** Starts a process from what the test run has built (`helpers/server.ts`) and waits until it is ready. */
export const startService = async ({
  databaseUrl,
  dataDir,
  env = {},
  made = false,
  port: given,
}: ServiceOptions): Promise<RunningService> => {
  const port = given ?? (await freePort());
  const child = spawn(process.execPath, [builtMain], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      ...(!made && { DEMO_TOKEN: demoToken, ADMIN_TOKEN: adminToken }),
      LOG_LEVEL: 'warn',
      REQUESTS_PER_SECOND: '100000',
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
      ...env,
    },
  });
  let output = '';
  const hear = (data: Buffer): void => void (output = (output + String(data)).slice(-200_000));
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const url = `http://127.0.0.1:${port}`;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await gone;
  };
  /** What the log says of an internal error; it comes a moment after the answer. */
  const storyOf = (status: string): Promise<string> => {
    const incident = status.split(' ').at(-1)!;
    return until(() => output.split('\n').find((line) => line.includes(incident)));
  };
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`the service ended:\n${output}`);
    return (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200;
  });
  return {
    url,
    pid: child.pid!,
    process: child,
    output: () => output,
    ramal: new Ramal({ url, token: demoToken, retries: 0, fetch: heldFetch }),
    call: async (operation, body, headers = {}) => {
      const answer = await ask(
        `${url}/api/v2/${operation}.php`,
        'POST',
        { tsid: demoToken, ...body },
        headers,
      );
      if (answer.status === 500)
        throw new Error(`${operation}: ${await storyOf(answer.body.return['status']!)}`);
      holdToDeclaration(operation, answer.status, answer.body);
      return answer;
    },
    admin: (method, path, body) =>
      ask(`${url}/admin/api${path}`, method, body, { Authorization: `Bearer ${adminToken}` }),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
};

const ask = async (
  url: string,
  method: string,
  body: object | undefined,
  headers: Record<string, string>,
): Promise<Answer> => {
  const response = await fetch(url, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text ? JSON.parse(text) : {}) as Answer['body'],
  };
};

/** A port that nobody listens on. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const { port } = server.address() as { port: number };
        server.close(() => resolve(port));
      });
  });

/** Dials as the sandbox carrier counted them: channels by the call they belong to. */
export const dialsOf = (dataDir: string): Map<string, string[]> => {
  const dials = new Map<string, string[]>();
  for (const line of readFileSync(join(dataDir, 'sandbox/calls.log'), 'utf8').split('\n')) {
    if (!line.includes('"do":"originate"')) continue;
    const { channel, attempt } = JSON.parse(line) as { channel: string; attempt: number };
    const [shard, , id, leg] = channel.split('.');
    const call = `${shard}_${id}`;
    dials.set(call, [...(dials.get(call) ?? []), `${attempt} by leg ${leg}`]);
  }
  return dials;
};

/** How often each number was dialled, by its last eleven digits. */
export const dialledNumbers = (dataDir: string): Map<string, number> => {
  const dialled = new Map<string, number>();
  for (const line of readFileSync(join(dataDir, 'sandbox/calls.log'), 'utf8').split('\n')) {
    if (!line.includes('"do":"originate"')) continue;
    const number = (JSON.parse(line) as { number: string }).number.slice(-11);
    dialled.set(number, (dialled.get(number) ?? 0) + 1);
  }
  return dialled;
};

/** Every call's record, by `cd_id`. */
export const recordsOf = async ({ ramal }: RunningService): Promise<Map<string, CallRecord>> => {
  const { calls } = await ramal.getCallStatus({ maxreg: -1 });
  return new Map(calls.map((call) => [call.cd_id, call]));
};

/** What a machine heard and asked for, a line a step; for a test that failed. */
export const storyOf = async ({ admin }: RunningService, id: string): Promise<string[]> => {
  const { body } = await admin('GET', `/machines/${id}`);
  const { history } = body as unknown as { history: HistoryEntryView[] };
  return history.map(
    ({ at, event, payload, state, asked }) =>
      `${new Date(at).toISOString()} ${event} → ${state}, asked ${JSON.stringify(asked)}, told ${JSON.stringify(payload).slice(0, 200)}`,
  );
};

/** The way of a newcomer: a fresh folder, processes of their own, and nothing but the command line. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { aDataDir, freePort } from '../service/service.ts';
import { until } from '../helpers/patience.ts';

const launcher = join(import.meta.dirname, '../../bin/ramal.js');

const buildMs = 180_000;

let dataDir: ReturnType<typeof aDataDir>;
let env: Record<string, string>;
const started: ChildProcess[] = [];

beforeAll(async () => {
  dataDir = aDataDir();
  env = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    DATA_DIR: dataDir.path,
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    SANDBOX_SPEED: '200',
    LOG_LEVEL: 'warn',
  };
  // In a clone it compiles first.
  const built = await ramal(['--version']);
  if (built.exit !== 0) throw new Error(built.err);
}, buildMs);
afterAll(() => dataDir.remove());
afterEach(async () => {
  // One that a failed test has left would stand in the way of the next.
  for (const child of started.splice(0)) if (isRunning(child)) await ended(child, 'SIGTERM');
});

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;

interface Ended {
  exit: number | null;
  out: string;
  err: string;
}

const ramal = (words: string[], more: Record<string, string> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [launcher, ...words], { env: { ...env, ...more } });
    const said = { out: '', err: '' };
    child.stdout.on('data', (data) => (said.out += String(data)));
    child.stderr.on('data', (data) => (said.err += String(data)));
    child.stdin.end();
    child.once('close', (exit) => resolve({ exit, ...said }));
  });

/** Starts the service as `npx ramal start` does. */
const begin = (more: Record<string, string> = {}): { child: ChildProcess; said(): string } => {
  const child = spawn(process.execPath, [launcher, 'start'], { env: { ...env, ...more } });
  started.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += String(data)));
  return { child, said: () => said };
};

/** The same, and waits until it is ready. */
const start = async (port = env['PORT']!): Promise<{ child: ChildProcess; said(): string }> => {
  const { child, said } = begin({ PORT: port });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`it ended:\n${said()}`);
    // It is ready a moment before it says so.
    return (
      said().includes('Ramal is up') &&
      (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok
    );
  });
  return { child, said };
};

const ended = (child: ChildProcess, ...signals: NodeJS.Signals[]): Promise<number | null> =>
  new Promise((resolve) => {
    child.once('exit', resolve);
    for (const signal of signals) child.kill(signal);
  });

const postmaster = () => join(dataDir.path, 'postgres/data/postmaster.pid');

test('leads from nothing to a finished campaign, and a stop in order', async () => {
  const { child, said } = await start();
  expect(said()).toContain('Ramal is up');
  expect(JSON.parse((await ramal(['doctor', '--json'])).out)).toMatchObject({ ok: true });

  const { cdcs_id } = JSON.parse((await ramal(['account', 'create', 'Shop', '--json'])).out);
  const shop = {
    RAMAL_ACCOUNT: String(cdcs_id),
    RAMAL_TOKEN: (await ramal(['token', 'create', '--account', String(cdcs_id)])).out.trim(),
  };
  const file = join(dataDir.path, 'people.csv');
  writeFileSync(file, 'phone;name\n11987650000;Ana\n11987650101;Bia\n11987650200;Caio\n');
  expect((await ramal(['list', 'upload', file], shop)).out).toContain('List 2 has 3 destinations.');
  const made = await ramal(
    ['campaign', 'create', 'Spring', '--list', '2', '--text', 'Hello', '--start'],
    shop,
  );
  expect(made.out).toContain('npx ramal campaign watch 6');
  const watched = await ramal(['campaign', 'watch', '6'], shop);
  expect(watched).toMatchObject({ exit: 0, err: '' });
  expect(watched.out).toMatch(/is completed after .+\n {2}called 3 of 3 numbers, 2 answered \(67 %\)\n$/);

  const { machines } = JSON.parse((await ramal(['machines', 'ls', '--kind', 'call', '--json'], shop)).out);
  expect(machines).toHaveLength(3);
  expect((await ramal(['machines', 'show', machines[0].id])).out).toContain('What happened');
  expect(await ramal(['call', '11987650000', '--text', 'Hello', '--watch'], shop)).toMatchObject({
    exit: 0,
    out: expect.stringMatching(/cd_status +OK/),
  });
  expect((await ramal(['replay', '--all'], shop)).out).toBe('0 dead letters are sent again.\n');

  expect(await ended(child, 'SIGTERM')).toBe(0);
  expect(existsSync(postmaster())).toBe(false);
  expect(await ramal(['account', 'ls', '--json'])).toMatchObject({ exit: 3 });
});

test('a stop that comes twice at once, as Ctrl-C does under npm, is one wish: it stops in order', async () => {
  const { child, said } = await start();
  // Two of the same kind would be one before anybody hears of them.
  expect(await ended(child, 'SIGINT', 'SIGTERM')).toBe(0);
  expect(existsSync(postmaster())).toBe(false);
  expect(said()).toMatch(/every step is in the database;\n .+\. Goodbye\.\n\n$/);
});

test('a second service on the same folder says that it joined', async () => {
  const first = await start();
  const second = await start(String(await freePort()));
  await until(() => second.said().includes('Ramal is up'));
  expect(first.said()).not.toContain('joined');
  expect(second.said()).toMatch(/joined +as the second node/);
  expect(await ended(second.child, 'SIGINT')).toBe(0);
  expect(second.said()).toContain('Goodbye.');
  expect(await ended(first.child, 'SIGINT')).toBe(0);
});

test('a stop that comes in the middle of a start leaves no database behind', async () => {
  const { child } = begin();
  await until(() => existsSync(postmaster()));
  expect(await ended(child, 'SIGTERM')).toBe(0);
  expect(existsSync(postmaster())).toBe(false);
});

test('a start that fails says why and ends with 1', async () => {
  const failed = await ramal(['start'], { SANDBOX_SPEED: 'fast' });
  expect(failed).toMatchObject({ exit: 1, err: expect.stringContaining('SANDBOX_SPEED must be a number') });
});

test('a reader that has seen enough is no failure', async () => {
  const piped = spawn('sh', ['-c', `"${process.execPath}" "${launcher}" --help | head -1; echo done`], {
    env,
  });
  let out = '';
  piped.stdout.on('data', (data) => (out += String(data)));
  await new Promise((resolve) => piped.once('close', resolve));
  expect(out).toBe('Usage: ramal [options] [command]\ndone\n');
});

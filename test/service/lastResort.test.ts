/** What reaches the top of the process in spite of everything, and a log that cannot be written: the built service. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adminToken, builtMain, demoToken, freePort } from './service.ts';
import { servicesWith } from './services.ts';
import { until } from '../helpers/patience.ts';

const preload = join(import.meta.dirname, '../helpers/surprises.mjs');
const services = servicesWith({ NODE_OPTIONS: `--import ${preload}` });

const fatalLines = (output: string): { err: { message: string; stack: string }; origin: string }[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{"level":"fatal"'))
    .map((line) => JSON.parse(line));

test.each([
  ['SIGUSR2', 'thrown under nobody', 'uncaughtException'],
  ['SIGWINCH', "not an error: { refused: 'unheard' }", 'unhandledRejection'],
] as const)(
  'after %s the process says what it was, answers what is under way, and ends with 70',
  async (signal, message, origin) => {
    const service = await services.start();
    const body = JSON.stringify({ tsid: demoToken, dest: '11987650000', message: 'Oi' });
    const client = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1' });
    client.write(
      `POST /api/v2/MakeSMS.php HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
    );
    let answer = '';
    client.on('data', (piece) => (answer += String(piece)));
    // The half request is there when what came after it is answered.
    await service.call('GetCallStatus', {});

    const ended = once(service.process, 'exit');
    service.process.kill(signal);
    await until(() => service.output().includes('an error reached the top'));
    client.write(body.slice(9));
    expect(await ended).toEqual([70, null]);
    expect(answer).toMatch(/^HTTP\/1\.1 (200 OK|503 Service Unavailable)/);
    const fatal = fatalLines(service.output());
    expect(fatal.map(({ err, origin: from }) => [err.message, from])).toEqual([[message, origin]]);
  },
);

test('a service whose log cannot be written starts, serves and stops', async () => {
  const full = openSync('/dev/full', 'w');
  const port = await freePort();
  const child = spawn(process.execPath, [builtMain], {
    stdio: ['ignore', full, full],
    env: {
      ...{ PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: String(port), HOST: '127.0.0.1' },
      ...{ DATABASE_URL: services.database.url, DATA_DIR: services.dataDir },
      ...{ DEMO_TOKEN: demoToken, ADMIN_TOKEN: adminToken, LOG_LEVEL: 'trace' },
    },
  });
  closeSync(full);
  const ended = once(child, 'exit');
  try {
    await until(
      async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status === 200,
    );
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});

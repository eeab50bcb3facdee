import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { isProcessDead, ownProcessName } from '../../src/lib/processIdentity.ts';
import { until } from '../helpers/patience.ts';

const [boot, namespace, pid, start] = ownProcessName().split(':') as [string, string, string, string];
const nameOf = (id: number): string => {
  const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
  return `${boot}:${namespace}:${id}:${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
};
const aChild = () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

it('takes a process for dead when it has ended, and not before', async () => {
  const child = aChild();
  const name = nameOf(child.pid!);
  expect(isProcessDead(name)).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await until(() => isProcessDead(name));
});

it('takes one for dead whose id another has by now', () => {
  expect(isProcessDead(`${boot}:${namespace}:${pid}:${Number(start) + 1}`)).toBe(true);
});

it.each([
  ['of another boot', `00000000-0000-0000-0000-000000000000:${namespace}:${pid}:1`],
  ['of another container', `${boot}:1:${pid}:1`],
  ['whose place is unknown', `unknown:unknown:${pid}:0`],
  ['without a name', ''],
])('says nothing of a process %s', (_name, process) => {
  expect(isProcessDead(process)).toBe(false);
});

/** Runs what follows where the folder of a process in `/proc` is empty, as `hidepid` leaves it to other users. */
const hiding = (id: number): string[] => [
  '-m',
  'sh',
  '-c',
  `mount -t tmpfs tmpfs /proc/${id} && exec "$@"`,
  'sh',
];
const canHide = (): boolean => {
  try {
    execFileSync('unshare', [...hiding(process.pid), 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

it.runIf(canHide())('takes no living process for dead that /proc hides', async () => {
  const { pid: hidden } = aChild();
  const names = [nameOf(hidden!), `${boot}:${namespace}:4194303:1`];
  const file = join(import.meta.dirname, '../../src/lib/processIdentity.ts');
  const script = `import(${JSON.stringify(file)}).then(({ isProcessDead }) => console.log(${JSON.stringify(names)}.map(isProcessDead).join()))`;
  const node = [process.execPath, '--import', 'tsx', '-e', script];
  const { stdout } = await promisify(execFile)('unshare', [...hiding(hidden!), ...node]);
  expect(stdout).toBe('false,true\n');
});

/** The first command in a clone that was never built: it builds, and answers. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
/** What takes part in building; beside it a working tree holds what its runs left: a data folder with sockets, logs, pictures. */
const sources = ['bin', 'machines', 'packages', 'prisma', 'src'];
const generated = join(root, 'src/generated');
const buildMs = 180_000;

const freshClone = (): string => {
  const clone = mkdtempSync(join(tmpdir(), 'ramal-clone-'));
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
  const files = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isFile());
  for (const name of [...sources, ...files.map((file) => file.name)])
    cpSync(join(root, name), join(clone, name), { recursive: true, filter: (path) => path !== generated });
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
  return clone;
};

test(
  'builds all that the service needs, and runs the command',
  () => {
    const clone = freshClone();
    const ramal = () =>
      spawnSync(process.execPath, [join(clone, 'bin/ramal.js'), '--version'], { encoding: 'utf8' });
    const first = ramal();
    expect(first).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    expect(first.stderr).toBe('Building Ramal, because its sources are new here; this takes some seconds.\n');
    for (const built of ['dist/src/main.js', 'dist/machines/call.js', 'dist/console/index.html'])
      expect([built, existsSync(join(clone, built))]).toEqual([built, true]);
    expect(ramal()).toMatchObject({ status: 0, stderr: '' });
  },
  buildMs,
);

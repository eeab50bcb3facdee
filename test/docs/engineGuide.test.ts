/** The machine of the engine's guide runs as printed, and prints what the page says. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { blocksWith, root } from './pages.ts';

const page = 'docs/guides/engine.md';
const folder = mkdtempSync(join(tmpdir(), 'ramal-engine-guide-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fenced = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(
    readFileSync(join(root, page), 'utf8'),
  )![1]!;

test('a doorbell of under 60 lines rings once, and its history tells it', () => {
  const program = fenced('ts');
  expect(program.split('\n').length).toBeLessThan(60);
  for (const name of ['src', 'machines', 'node_modules', 'package.json'])
    symlinkSync(join(root, name), join(folder, name));
  writeFileSync(join(folder, 'doorbell.ts'), program);
  const commands = blocksWith(page, 'doorbell').map(({ script }) => script);
  expect(commands).toHaveLength(1);
  const { stdout, stderr, status } = spawnSync('bash', ['-c', commands[0]!], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect([status, stdout, stderr]).toEqual([0, fenced('text'), '']);
});

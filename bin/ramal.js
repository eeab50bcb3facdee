#!/usr/bin/env node
/**
 * Starts `ramal`. In a clone it compiles first what has changed since the last time; an installed package is compiled.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

await import('./checkNode.js');

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
/** Written by the compiler whenever it writes anything. */
const stamp = join(dist, '.tsbuildinfo');
const lock = join(dist, '.building');
const client = join(root, 'src', 'generated', 'prisma', 'client.ts');
const schema = join(root, 'prisma', 'schema.prisma');

const end = (sentence, code = 1) => {
  if (process.argv.includes('--json'))
    process.stdout.write(JSON.stringify({ error: sentence, exit: code }) + '\n');
  else process.stderr.write(`Error: ${sentence}\n`);
  process.exit(code);
};

const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The newest change below a folder, made code aside. */
const newestBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true }).reduce((newest, entry) => {
    const path = join(folder, entry.name);
    if (entry.name === 'generated') return newest;
    return Math.max(newest, entry.isDirectory() ? newestBelow(path) : changedAt(path));
  }, 0);

const isClone = () => existsSync(join(root, 'tsconfig.build.json')) && existsSync(join(root, 'src'));

const isStale = () => {
  const sources = [...['src', 'machines'].map((name) => newestBelow(join(root, name)))];
  const settings = ['package.json', 'tsconfig.json', 'tsconfig.build.json'].map((name) =>
    changedAt(join(root, name)),
  );
  return changedAt(stamp) < Math.max(...sources, ...settings) || isUngenerated();
};

const isUngenerated = () => changedAt(client) < changedAt(schema);

/** Runs a program of a package, and ends with what it said when it fails. */
const run = (name, program, args) => {
  const done = spawnSync(process.execPath, [program, ...args], { cwd: root, encoding: 'utf8' });
  if (done.status === 0) return;
  rmSync(stamp, { force: true });
  rmSync(lock, { force: true });
  end(
    `Ramal could not be built, ${name} said:\n${done.stdout ?? ''}${done.stderr ?? ''}${done.error ?? ''}`.trimEnd(),
  );
};

const programOf = (name, bin) => {
  try {
    const manifest = createRequire(join(root, 'package.json')).resolve(`${name}/package.json`);
    const { bin: bins } = JSON.parse(readFileSync(manifest, 'utf8'));
    return join(dirname(manifest), typeof bins === 'string' ? bins : bins[bin]);
  } catch {
    return end(`${name} is not installed: run npm ci in ${root}`);
  }
};

const build = () => {
  const began = Date.now();
  const tools = {
    prisma: programOf('prisma', 'prisma'),
    tsc: programOf('typescript', 'tsc'),
    vite: programOf('vite', 'vite'),
  };
  process.stderr.write('Building Ramal, because its sources are new here; this takes some seconds.\n');
  if (isUngenerated()) {
    run('prisma', tools.prisma, ['generate']);
    utimesSync(client, new Date(), new Date());
  }
  run('tsc', tools.tsc, ['-p', 'tsconfig.build.json']);
  run('vite', tools.vite, ['build', 'src/console/app', '--logLevel', 'warn']);
  // What was saved while it compiled is compiled next time.
  utimesSync(stamp, new Date(began), new Date(began));
};

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Of several that start at once one builds, and the others wait for it. */
const takeLock = () => {
  mkdirSync(dist, { recursive: true });
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isAbandoned()) rmSync(lock, { force: true });
    return false;
  }
};

/** Whether who took it has died. An empty one was made this very moment, unless it is old. */
const isAbandoned = () => {
  const builder = Number(existsSync(lock) ? readFileSync(lock, 'utf8') : 0);
  return builder > 0 ? !isAlive(builder) : Date.now() - changedAt(lock) > 10_000;
};

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const makeFresh = async () => {
  let waits = false;
  while (isStale() || existsSync(lock)) {
    if (!takeLock()) {
      if (!waits) process.stderr.write('Another process builds Ramal; this one waits for it.\n');
      waits = true;
      await pause(100);
      continue;
    }
    try {
      if (isStale()) build();
    } finally {
      rmSync(lock, { force: true });
    }
  }
};

try {
  if (isClone()) await makeFresh();
} catch (error) {
  end(`Ramal could not be built in ${root}: ${error.message}; run npm run build as the owner of that folder`);
}
if (!existsSync(join(dist, 'src', 'cli', 'main.js'))) end(`Ramal is not whole in ${root}: install it again`);
await import('../dist/src/cli/main.js');

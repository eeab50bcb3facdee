/** The sandbox carrier outlives the processes that use it. Real processes, really killed and stopped. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderMediaStore } from '../../../src/providers/media/folder.ts';
import type { Fact } from '../../../src/engine/contract/performer.ts';
import { sandboxTelephony } from '../../../src/providers/telephony/sandbox.ts';
import { channelEventsFromLog } from '../../../src/providers/telephony/sandbox/channelLife.ts';
import {
  parseSandboxCallLogLines,
  type Line,
} from '../../../src/providers/telephony/sandbox/callLogLineFormat.ts';
import { aListener, type Heard, type Listener } from '../../helpers/report.ts';
import { aWav } from '../../helpers/wav.ts';

const account = 7;
const machines = Array.from({ length: 40 }, (_, ending) => ({ shard: 'a', account, id: 1000 + ending }));

interface CarrierProcess {
  child: ChildProcess;
  /** Resolves when the process prints this key. */
  says(key: string): Promise<void>;
  /** Every fact it has printed, by machine, in order. */
  printed: { machine: number; fact: Fact }[];
}

let dataDir: string;
let listener: Listener;
let children: ChildProcess[];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sandbox-process-'));
  await folderMediaStore(join(dataDir, 'media')).put(account, 'prompt', aWav(4));
  listener = aListener();
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

const aCarrierProcess = (speed: number): CarrierProcess => {
  const script = join(import.meta.dirname, 'sandbox', 'carrierProcess.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, dataDir, String(speed)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const printed: CarrierProcess['printed'] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    const said = JSON.parse(line) as { machine?: number; fact?: Fact };
    if (said.machine === undefined || !said.fact) return;
    printed.push({ machine: said.machine, fact: said.fact });
    listener.report({ shard: 'a', account, id: said.machine }, said.fact);
  });
  const says = (key: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (line: string): void => {
        if (!(key in (JSON.parse(line) as object))) return;
        lines.off('line', look);
        resolve();
      };
      lines.on('line', look);
    });
  return { child, says, printed };
};

/** A carrier in this process that takes over everything the other one had. */
const takeOver = async (speed: number): Promise<ReturnType<typeof sandboxTelephony>> => {
  const media = folderMediaStore(join(dataDir, 'media'));
  const carrier = sandboxTelephony({ dataDir, media, report: listener.report, speed });
  await carrier.start();
  for (const machine of machines) {
    const heard = listener.of(machine);
    const performed = await carrier.performers.adopt(anEffect(heard, 'adopt', { legs: [1] }));
    for (const fact of performed?.events ?? []) heard.take(fact);
  }
  return carrier;
};

const anEffect = <Params>({ machine, seen }: Heard, name: string, params: Params) => ({
  id: `a.${account}.${machine.id}.${name}`,
  name,
  params,
  machine: { ...machine, kind: 'call' },
  attempt: 1,
  seen: { ...seen },
  signal: AbortSignal.timeout(10_000),
});

const hangUpAll = async (carrier: ReturnType<typeof sandboxTelephony>): Promise<void> => {
  for (const machine of machines) {
    const heard = listener.of(machine);
    await carrier.performers.hangUp(anEffect(heard, 'hangUp', { leg: 1, reason: 'normal' as const }));
    await heard.until({ type: 'hungUp', leg: 1 });
  }
};

const logOf = async (): Promise<Line[]> =>
  parseSandboxCallLogLines(await readFile(join(dataDir, 'sandbox', 'calls.log'), 'utf8'));

/** What happened to each call, and how often it was dialled, from the log. */
const happened = async () => {
  const log = await logOf();
  return machines.map(({ id }) => {
    const lines = log.filter(({ channel }) => channel === `a.${account}.${id}.1`);
    return {
      id,
      facts: channelEventsFromLog(lines, Date.now()).map(({ fact }) => fact),
      dials: lines.filter((line) => line.do === 'originate').length,
    };
  });
};

/** The same as an engine heard it, from both processes; every call was dialled once. */
const asHeard = () =>
  machines.map((machine) => ({
    id: machine.id,
    facts: listener.of(machine).facts.filter(({ seq }) => seq !== undefined),
    dials: 1,
  }));

const firstDigit = (): Promise<unknown> =>
  Promise.any(machines.map((machine) => listener.of(machine).until({ type: 'digitReceived' })));

describe('the sandbox carrier', () => {
  it('goes on with every call when the process that dialled is killed in the middle of a menu', async () => {
    const { child, says } = aCarrierProcess(4);
    await says('dialled');
    await firstDigit();
    child.kill('SIGKILL');
    await once(child, 'exit');

    const carrier = await takeOver(4);
    // …07 was ringing when the process died, and answers now.
    await listener.of(machines[7]!).until({ type: 'answered' });
    await hangUpAll(carrier);
    await carrier.stop();
    expect(asHeard()).toEqual(await happened());
  });

  it('tells nothing untrue after it was stopped for a while and another process took its calls', async () => {
    const { child, says, printed } = aCarrierProcess(10);
    await says('dialled');
    await firstDigit();
    child.kill('SIGSTOP');

    const carrier = await takeOver(10);
    await hangUpAll(carrier);
    await carrier.stop();
    const before = printed.length;
    child.kill('SIGCONT');
    const pong = says('pong');
    child.stdin!.write('ping\n');
    await pong;

    const stories = await happened();
    expect(asHeard()).toEqual(stories);
    // What it was just about to tell when it was stopped is true; the prompts that it thinks are playing are not.
    for (const { machine, fact } of printed.slice(before)) {
      expect(stories.find(({ id }) => id === machine)?.facts).toContainEqual(fact);
    }
  });
});

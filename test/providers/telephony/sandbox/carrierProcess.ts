/**
 * A process with a sandbox carrier, for tests that kill it: dials one number for each ending from 00 to 39, plays to
 * whoever answers, and prints every fact as it is reported. A line on standard input is answered by `pong` once
 * every prompt that it believes to be playing must be over.
 *
 *     node --import tsx carrierProcess.ts DATA_DIR SPEED
 */
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import type { Fact } from '../../../../src/engine/contract/performer.ts';
import { folderMediaStore } from '../../../../src/providers/media/folder.ts';
import { sandboxTelephony } from '../../../../src/providers/telephony/sandbox.ts';

const [dataDir = '', speed = '1'] = process.argv.slice(2);
const account = 7;
/** Longer than what it plays. */
const promptMs = 6_000 / Number(speed);

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const perform = (id: number, name: 'originate' | 'play', params: never): Promise<unknown> =>
  carrier.performers[name]({
    id: `a.${account}.${id}.${name}`,
    name,
    params,
    machine: { shard: 'a', account, id, kind: 'call' },
    attempt: 1,
    seen: {},
    signal: AbortSignal.timeout(10_000),
  });

const report = (machine: { id: number }, fact: Fact): void => {
  print({ machine: machine.id, fact });
  if (fact.type !== 'answered') return;
  const prompts = [{ silenceMs: 500 }, { media: 'prompt' }];
  void perform(machine.id, 'play', { leg: 1, playback: 'p', prompts } as never);
};

const media = folderMediaStore(join(dataDir, 'media'));
const carrier = sandboxTelephony({ dataDir, media, report, speed: Number(speed) });
await carrier.start();
await Promise.all(
  Array.from({ length: 40 }, (_, ending) => {
    const to = { kind: 'number', number: `55119999900${String(ending).padStart(2, '0')}` };
    const params = { leg: 1, to, callerId: '', ringSeconds: 30, limitSeconds: 600 };
    return perform(1000 + ending, 'originate', params as never);
  }),
);
print({ dialled: 40 });

createInterface({ input: process.stdin }).on('line', () => setTimeout(() => print({ pong: true }), promptMs));

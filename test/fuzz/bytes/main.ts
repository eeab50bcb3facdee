/** `npm run fuzz -- --bytes`: requests damaged at the level of bytes, to every door of the built service. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { escaped, judged, written } from './report.ts';
import { type Found, runCampaign } from './run.ts';
import { shrink } from './shrink.ts';
import { type BytesWorld, openWorld } from './world.ts';

/** Connections that send at a time. */
const lanes = 24;

/** Exit code: 0 when all held. */
export const fuzzBytes = async (requests: number, seed: number): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-bytes-'));
  let folders = 0;
  const open = (): Promise<BytesWorld> => openWorld(join(folder, String((folders += 1))));
  let world = await open();
  try {
    const report = await runCampaign(world, { seed, requests, lanes, told: (line) => console.log(line) });
    console.log(written(report));
    const wrong = judged(report);
    for (const sentence of wrong) console.log(sentence);
    const fresh = async (): Promise<BytesWorld> =>
      (world = world.death() === undefined ? world : await open());
    for (const one of firstOfEach([...report.found, ...report.underWay])) await show(one, fresh);
    if (wrong.length > 0) console.log(world.service.output().slice(-6_000));
    console.log(wrong.length === 0 ? 'all held' : `${wrong.length} did not hold: seed ${seed}`);
    return wrong.length === 0 ? 0 : 1;
  } finally {
    if (world.death() === undefined) await world.service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The same fault at the same place is shown once. */
const firstOfEach = (found: readonly Found[]): Found[] =>
  found
    .filter((one, at) => found.findIndex(({ shot: { about } }) => about === one.shot.about) === at)
    .slice(0, 12);

const show = async (found: Found, fresh: () => Promise<BytesWorld>): Promise<void> => {
  const smaller = await shrink(fresh, found.shot);
  const path = join(tmpdir(), `ramal-request-${found.number}`);
  writeFileSync(path, (smaller ?? found.shot).bytes);
  console.log(
    `\nrequest ${found.number}, ${found.shot.about}${smaller ? '' : ' (alone it did no harm)'}: ${found.fault}`,
  );
  console.log(
    `send it again: cat ${path} | nc -N localhost 8080, or\n  printf '${escaped({ shot: smaller ?? found.shot })}'`,
  );
};

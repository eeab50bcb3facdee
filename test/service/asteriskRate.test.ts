/** Three nodes on one real Asterisk at the rate of its trunk, counted at the carrier: each number once, and none starved. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lacking, startBed, tellsOnFailure, type Bed } from '../asterisk/bed.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';
import { aDataDir, demoToken, startService, storyOf, type RunningService } from './service.ts';
import { until } from '../helpers/patience.ts';

const absent = lacking();
/** Of the account that has most; another has a tenth of them. */
const CALLS = Number(process.env['LIVE_CALLS'] ?? 180);
/** The whole, by hand. */
const isMeasured = process.env['LIVE_CALLS'] !== undefined;
const FEW = Math.round(CALLS / 10);
const BEARS = { calls_per_second: Number(process.env['LIVE_RATE'] ?? 18), legs: 450 };
/** As many ask at a time, each with one request after the other. */
const CALLERS = 30;
const NODES = ['one', 'two', 'three'];

interface Dial {
  number: string;
  /** The machine of the call. */
  id: number;
  account: string;
}

/** Slots of nodes stand in the ids that they mint (`src/engine/contract/idGenerator.ts`). */
const nodeOf = ({ id }: Dial): number => Math.floor(id / 128) % 64;

describe.skipIf(absent !== undefined)(`three nodes on one Asterisk${absent ? ` (${absent})` : ''}`, () => {
  const folder = aDataDir();
  const nodes: RunningService[] = [];
  let bed: Bed;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await freshDatabase();
    bed = await startBed(22);
    const { url, user, password } = bed.login;
    for (const NODE_NAME of NODES)
      nodes.push(
        await startService({
          databaseUrl: database.url,
          dataDir: folder.path,
          env: {
            CARRIER: 'asterisk',
            ARI_URL: `${url}/ari`,
            ARI_USER: user,
            ARI_PASSWORD: password,
            NODE_NAME,
          },
        }),
      );
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    await bed?.stop();
    await database?.drop();
    folder.remove();
  });
  tellsOnFailure(() => bed);

  const dials = (): Dial[] =>
    readFileSync(bed.dialsLog, 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [, number = '', channel = ''] = /^dial (\S+) (\S+)/.exec(line) ?? [];
        const [, account = '', id = ''] = channel.split('.');
        return number === '' ? [] : [{ number, account, id: Number(id) }];
      });
  /** Counts what reached the carrier, again and again until all is there: milliseconds and how many by then. */
  const watched = async (all: number): Promise<(readonly [at: number, count: number])[]> => {
    const seen: [number, number][] = [];
    await until(
      () => {
        seen.push([performance.now(), dials().length]);
        return seen.at(-1)![1] >= all;
      },
      60 + (2 * all) / BEARS.calls_per_second,
    );
    return seen;
  };
  const another = async (): Promise<{ token: string; id: string }> => {
    const account = (await nodes[0]!.admin('POST', '/accounts', { name: 'Small' })).body as unknown as {
      cdcs_id: number;
    };
    const path = `/accounts/${account.cdcs_id}/tokens`;
    const { token } = (await nodes[0]!.admin('POST', path, { label: 'small' })).body as unknown as {
      token: string;
    };
    return { token, id: String(account.cdcs_id) };
  };
  const placeOne = async (nth: number, at: number, tsid: string): Promise<string> => {
    const dest = `55119${String(60_000_000 + at * 100)}`;
    const wish = { tsid, dest, text: 'Hello', ringtime: 10, httpdup: 0 };
    const { body } = await nodes[nth % NODES.length]!.call('MakeTTSCall', wish);
    expect(body.return).toMatchObject({ status_code: '0' });
    return body.return['cd_id']!.split('_')[1]!;
  };
  /**
   * One call at each node, so that each has its share, and the account its audio, before the rate is taken; fails with the
   * story of what is not dialled.
   */
  const warmUp = async (from: number, tsid: string): Promise<void> => {
    const ids = await Promise.all(NODES.map((_, nth) => placeOne(nth, from + nth, tsid)));
    const isDialled = (id: string): boolean => dials().some((dial) => String(dial.id) === id);
    await until(() => ids.every(isDialled)).catch(async (cause: unknown) => {
      const late = ids.filter((id) => !isDialled(id));
      const told = await Promise.all([
        ...late.map(async (id) => [id, ...(await storyOf(nodes[0]!, id))]),
        ...nodes.map(async (node) => [JSON.stringify((await node.admin('GET', '/trunks')).body)]),
      ]);
      throw new Error(`not dialled: ${told.flat().join('\n')}`, { cause });
    });
  };
  const place = (count: number, from: number, tsid: string): Promise<unknown> =>
    Promise.all(
      Array.from({ length: CALLERS }, async (_, caller) => {
        for (let nth = caller; nth < count; nth += CALLERS) await placeOne(nth, from + nth, tsid);
      }),
    );

  it(`dial ${CALLS + FEW} numbers once each, no faster than the trunk bears`, async () => {
    expect((await nodes[0]!.admin('PATCH', '/trunks/1', BEARS)).status).toBe(200);
    const small = await another();
    await warmUp(0, demoToken);
    await warmUp(NODES.length, small.token);
    const warm = 2 * NODES.length;
    const watching = watched(warm + CALLS + FEW);
    await place(CALLS, warm, demoToken);
    await place(FEW, warm + CALLS, small.token);
    const whenPlaced = dials().length;
    const seen = await watching;
    const all = dials();

    expect(new Set(all.map(({ number }) => number)).size).toBe(all.length);
    // The middle: by then all calls are placed, and none has to wait for the last ones.
    const at = (share: number) => seen.find(([, count]) => count >= share * all.length)!;
    const [[from, first], [to, last]] = [at(0.3), at(0.9)];
    const rate = ((last - first) * 1_000) / (to - from);
    // A carrier that has little of the machine notes late what came in time.
    expect(rate).toBeLessThanOrEqual(BEARS.calls_per_second * (isMeasured ? 1.03 : 1.15));
    // How fast it is says something of the machine as well: judged where the machine has nothing else to do.
    if (isMeasured) expect(rate).toBeGreaterThanOrEqual(BEARS.calls_per_second * 0.97);
    const half = all.slice(0, Math.floor(all.length / 2));
    const slots = [...new Set(all.map(nodeOf))];
    expect(slots).toHaveLength(NODES.length);
    // The first seconds, in which the shares become level, are most of the first half of a short run.
    const least = isMeasured ? 0.2 : 0.03;
    for (const slot of slots)
      expect(half.filter((dial) => nodeOf(dial) === slot).length).toBeGreaterThan(half.length * least);
    // Accounts take turns: of what waited when all was placed, the small one's calls come before the large one's.
    const places = (isIt: (dial: Dial) => boolean): number[] =>
      all.flatMap((dial, place) => (place >= whenPlaced && isIt(dial) ? [place] : []));
    const mean = (of: number[]): number => of.reduce((sum, place) => sum + place, 0) / of.length;
    const ofSmall = places(({ account }) => account === small.id);
    const ofLarge = places(({ account }) => account !== small.id);
    if (ofSmall.length > 0 && ofLarge.length > 0) expect(mean(ofSmall)).toBeLessThan(mean(ofLarge));
  }, 300_000);
});

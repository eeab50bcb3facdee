import { expect, test } from 'vitest';
import { type CampaignAtPace, CampaignEndForecasts } from '../../src/admin/campaigns/campaignEndForecasts.ts';
import { until } from '../helpers/patience.ts';

const campaign = (id: number, changes: Partial<CampaignAtPace> = {}): CampaignAtPace => ({
  ...{ shard: 'a', account_id: 3, id, state: 'active', calls_per_minute: 10 },
  ...changes,
});

/** Forecasts whose plays take `tookMs` of a clock that only they and the test move on. */
const aReader = (tookMs: number) => {
  const on = { clock: 0, played: [] as number[], isPlaying: false, fails: false };
  const reader = new CampaignEndForecasts({
    async play({ id }) {
      on.isPlaying = true;
      await Promise.resolve();
      on.clock += tookMs;
      on.played.push(id);
      on.isPlaying = false;
      if (on.fails) throw new Error('as many forecasts as may go on at a time go on already');
      return { ends: 'completed', endsAt: 1_000 * id, unreached: 0 };
    },
    now: () => 5,
    clock: () => on.clock,
  });
  /** Asks, and answers what is known once the turn that this began is over. */
  const ask = async (campaigns: readonly CampaignAtPace[]) => {
    reader.of(campaigns);
    await until(() => !on.isPlaying);
    await Promise.resolve();
    return on.played;
  };
  return { on, reader, ask };
};

test('campaigns take turns, and each forecast is followed by fifty times as much rest', async () => {
  const { on, reader, ask } = aReader(100);
  const all = [campaign(1), campaign(2), campaign(3, { state: 'paused' })];
  expect(await ask(all)).toEqual([1]);
  expect(await ask(all)).toEqual([1]);
  on.clock += 5_000;
  expect(await ask(all)).toEqual([1, 2]);
  expect(reader.of(all).map(({ forecast }) => forecast?.ends_at ?? null)).toEqual([1_000, 2_000, null]);
  on.clock += 5_000;
  expect(await ask(all)).toEqual([1, 2]);
  on.clock += 5 * 60_000;
  expect(await ask(all)).toEqual([1, 2, 1]);
});

test('a campaign whose pace was changed is played anew, and nothing is told of it until then', async () => {
  const { on, reader, ask } = aReader(1);
  await ask([campaign(1)]);
  on.clock += 50;
  const faster = [campaign(1, { calls_per_minute: 20 })];
  expect(reader.of(faster)[0]!.forecast).toBeNull();
  expect(await ask(faster)).toEqual([1, 1]);
  expect(reader.of(faster)[0]!.forecast).toMatchObject({ ends: 'completed', as_of: 5 });
});

test('one that cannot be played tells nothing, and does not keep others from their turn', async () => {
  const { on, reader, ask } = aReader(1);
  on.fails = true;
  const all = [campaign(1), campaign(2)];
  await ask(all);
  on.fails = false;
  on.clock += 50;
  expect(await ask(all)).toEqual([1, 2]);
  expect(reader.of(all).map(({ forecast }) => forecast?.ends_at ?? null)).toEqual([null, 2_000]);
});

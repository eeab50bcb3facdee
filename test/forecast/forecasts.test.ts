import { afterEach, expect, it } from 'vitest';
import { openForecastRunner, type ForecastRunner } from '../../src/forecast/forecastProcesses.ts';
import { aScenario, forecast } from './scenarios.ts';

let forecasts: ForecastRunner;
afterEach(() => forecasts.stop(new Error('the test is over')));

const stays = new AbortController().signal;

it('plays in a process of its own what would be played here', async () => {
  forecasts = openForecastRunner();
  const wish = { rates: { answer: 0.5, busy: 0.5 } };
  expect(await forecasts.take()!.play(aScenario(wish), stays)).toEqual(forecast(wish));
});

it('has two places', () => {
  forecasts = openForecastRunner();
  const [one, two] = [forecasts.take(), forecasts.take()];
  expect(two).toBeDefined();
  expect(forecasts.take()).toBeUndefined();
  one!.release();
  one!.release();
  expect(forecasts.take()).toBeDefined();
  expect(forecasts.take()).toBeUndefined();
});

it('gives up when nobody waits any more, and when the service stops', async () => {
  forecasts = openForecastRunner();
  const left = new AbortController();
  const long = aScenario({ regions: { SP: 200_000 } });
  const playing = forecasts.take()!.play(long, left.signal);
  left.abort(new Error('left'));
  await expect(playing).rejects.toThrow('left');
  const another = forecasts.take()!.play(long, stays);
  forecasts.stop(new Error('the service is stopping'));
  await expect(another).rejects.toThrow('stopping');
});

it('says that a forecast failed, and why', async () => {
  forecasts = openForecastRunner();
  const broken = { ...aScenario(), account: { ...aScenario().account, zone: 'Nowhere/Land' }, list: [] };
  broken.campaign.regions = { '': { count: 1, cursor: 0 } };
  await expect(forecasts.take()!.play(broken, stays)).rejects.toThrow(/the forecast failed: .*Nowhere/);
});

/** The page of a machine with a long history in a real Chromium: how soon it opens, and how long it is busy while one travels. */
import type { Page } from 'playwright-core';
import type { Pool } from 'pg';
import { demoToken, type RunningService } from '../http/service.ts';
import type { Bench } from '../section.ts';
import type { OpenPage } from './page.ts';
import { longestTask } from './trace.ts';

const opens = 7;
const sizes = {
  full: { short: 2_000, long: 30_000, steps: 60 },
  quick: { short: 200, long: 1_000, steps: 5 },
};
/** Most rows that may be mounted. */
const mostRows = 100;

export const noteLongHistories = async (
  bench: Bench,
  { service, pool }: { service: RunningService; pool: Pool },
  { browser, page }: OpenPage,
): Promise<void> => {
  const { short, long, steps } = sizes[bench.quick ? 'quick' : 'full'];
  const one = await machineWith(service, pool, short);
  for (let nth = 0; nth < opens; nth += 1) {
    const [byAddress, byLink] = [await opened(page, service, one), await openedByLink(page, service, one)];
    bench.note(`a machine with ${short} events: opened by its address`, { value: byAddress, unit: 'ms' });
    bench.note(`a machine with ${short} events: opened by a link`, {
      ...{ value: byLink, unit: 'ms', goal: { below: 300 } },
    });
  }
  const other = await machineWith(service, pool, long);
  await opened(page, service, other);
  let mounted = 0;
  const look = async (): Promise<void> => {
    mounted = Math.max(mounted, await page.locator('.timeline tbody tr .rev').count());
  };
  const scrolling = await longestTask(browser, page, () => scroll(page, steps, look));
  const travelling = await longestTask(browser, page, () => travel(page, steps, look));
  const name = `a machine with ${long} events`;
  bench.note(`${name}: rows mounted at most`, {
    value: mounted,
    unit: 'rows',
    goal: { below: mostRows + 1 },
  });
  bench.note(`${name}: longest task while scrolling`, { value: scrolling, unit: 'ms', goal: { below: 50 } });
  bench.note(`${name}: longest task while travelling`, {
    value: travelling,
    unit: 'ms',
    goal: { below: 50 },
  });
};

/** A scheduled call, and events that its chart does not know: as many as are wanted. */
const machineWith = async ({ url }: RunningService, pool: Pool, entries: number): Promise<string> => {
  const block = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const answer = await fetch(`${url}/api/v2/MakeTTSCall.php`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tsid: demoToken, dest: '11987650002', text: `Oi ${entries}`, block }),
  });
  const { return: placed } = (await answer.json()) as { return: { cd_id?: string } };
  if (placed.cd_id === undefined) throw new Error(`the call was refused: ${JSON.stringify(placed)}`);
  await pool.query(
    `INSERT INTO history (account_id, machine_id, revision, day, at, event, payload, state, asked)
     SELECT account_id, id, 10 + nth, $2::bigint / 86400000, $2::bigint + nth, 'noted', '{"type":"noted"}', state, ''
     FROM machines, generate_series(1, $3::int) nth WHERE id = $1`,
    [placed.cd_id.split('_')[1], Date.now(), entries],
  );
  return placed.cd_id;
};

/** Resolves, in the page, as soon as the chart and the newest events of a machine stand there. */
const stands = `new Promise((seen) => {
  const look = () =>
    document.querySelector('.timeline tbody tr[aria-selected=true] .rev') && document.querySelector('.chart .active')
      ? seen(performance.now())
      : requestAnimationFrame(look);
  look();
})`;

/** Milliseconds until it stands there, with everything that a page loads first; told by the page itself. */
const opened = async (page: Page, { url }: RunningService, id: string): Promise<number> => {
  await page.goto('about:blank');
  await page.goto(`${url}/admin/machines/${id}`, { waitUntil: 'commit' });
  return page.evaluate<number>(stands);
};

/** The same from a click in the page Now, as an operator opens it from a list. */
const openedByLink = async (page: Page, { url }: RunningService, id: string): Promise<number> => {
  await page.goto('about:blank');
  await page.goto(`${url}/admin`);
  await page.locator('.flow .fig').first().waitFor();
  return page.evaluate<number>(`(async () => {
    const link = document.body.appendChild(document.createElement('a'));
    link.href = '/admin/machines/${id}';
    const began = performance.now();
    link.click();
    return (await ${stands}) - began;
  })()`);
};

/** From the end towards the beginning with the wheel, then far at once, as with the bar. */
const scroll = async (page: Page, steps: number, look: () => Promise<void>): Promise<void> => {
  await page.locator('.timeline').hover();
  for (let step = 0; step < steps; step += 1) {
    await page.mouse.wheel(0, -900);
    await look();
  }
  for (const place of [0.5, 0, 0.9]) {
    await page.evaluate(
      `{ const box = document.querySelector('.timeline'); box.scrollTop = box.scrollHeight * ${place}; }`,
    );
    await look();
  }
};

/** Step by step with the arrow key, then far by the slider. */
const travel = async (page: Page, steps: number, look: () => Promise<void>): Promise<void> => {
  for (let step = 0; step < steps; step += 1) {
    await page.keyboard.press('ArrowLeft');
    await look();
  }
  const slider = page.getByRole('slider');
  const last = Number(await slider.getAttribute('max'));
  for (const place of [0.5, 0.1, 0.7]) {
    await slider.fill(String(Math.floor(last * place)));
    await page.waitForURL(/#rev=/);
    await look();
  }
};

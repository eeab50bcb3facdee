/** A node that is killed while its neighbour's page is open: the page says so, and that it is back. */
import { afterAll, expect, test } from 'vitest';
import { describeInBrowser, wrongWith } from '../helpers/console.ts';
import { demoAccount, secretKey } from '../helpers/service.ts';
import { aDataDir, type RunningService, startService } from '../service/service.ts';

describeInBrowser('in a browser', { NODE_NAME: 'one' }, (here) => {
  const folder = aDataDir();
  const running: RunningService[] = [];
  afterAll(async () => {
    for (const service of running) await service.kill();
    folder.remove();
  });

  /** A process of its own on the same database. */
  const second = async (): Promise<RunningService> => {
    const started = await startService({
      databaseUrl: here.on.database.url,
      dataDir: folder.path,
      env: { NODE_NAME: 'two', SECRET_KEY: secretKey },
    });
    running.push(started);
    return started;
  };

  test('says that a node ended without a word, first of all, and no more once it runs again', async () => {
    const two = await second();
    const { page, errors } = await here.open();
    const listed = page.locator('section[aria-labelledby="nodes"] li').filter({ hasText: /^two/ });
    await listed.waitFor();
    await two.kill();
    const attention = page.locator('section[aria-labelledby="attention"]');
    await attention.getByText('Node two ended without a word', { exact: true }).waitFor();
    await listed.waitFor({ state: 'detached' });
    expect(await wrongWith(page)).toEqual([]);
    const again = await second();
    await listed.waitFor();
    await attention
      .getByText('Node two ended without a word', { exact: true })
      .waitFor({ state: 'detached' });
    // One that stops in order is no news.
    await again.stop();
    await listed.waitFor({ state: 'detached' });
    await expect.poll(() => attention.getByText('Node two').count()).toBe(0);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('a call that rings at another node says where its telephone is', async () => {
    const two = await second();
    const asked = { dest: '11987699000', text: 'Oi' };
    const { body } = await two.admin('POST', `/accounts/${demoAccount}/sandbox-calls`, asked);
    const { page } = await here.open(`/admin/try?call=${String(body['id'])}`);
    await page.locator('.path code').filter({ hasText: 'dialing.ringing' }).waitFor();
    await page.locator('.phone-state').getByText('It rings at another node of the service').waitFor();
    await two.stop();
    await page.context().close();
  });
});

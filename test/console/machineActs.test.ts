/** What an operator does to a machine from its page: nothing is sent before it is confirmed. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, personsPage, signInAt, wrongWith } from '../helpers/console.ts';
import { patienceMs, until } from '../helpers/patience.ts';
import { type Receiver, startReceiver } from '../helpers/receiver.ts';
import { demoAccount } from '../helpers/service.ts';

describeInBrowser('in a browser', { ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' }, (here) => {
  let gateway: Receiver;
  beforeAll(async () => {
    gateway = await startReceiver();
    const routes = `/accounts/${demoAccount}/sms-routes`;
    for (const { route_id } of (await here.on.admin('GET', routes)).body.sms_routes)
      await here.on.admin('DELETE', `${routes}/${route_id}`);
    const settings = { url: gateway.url, body: '{"to":"{to}"}', id: { path: 'id' } };
    await here.on.admin('POST', routes, { name: 'gateway', kind: 'http', settings });
  });
  afterAll(async () => {
    gateway.close();
  });

  let texts = 0;
  const scheduledCall = async (): Promise<string> => {
    const block = new Date(Date.now() + 3 * 86_400_000).toISOString();
    const text = `Oi ${(texts += 1)}`;
    return (await here.on.post('MakeTTSCall', { dest: '11987650012', text, block })).body.return.cd_id;
  };

  test('only events that the present state takes are offered, and the others say where they are taken', async () => {
    const id = await scheduledCall();
    const { page, errors } = await here.open(`/admin/machines/${id}`, { width: 360 });
    await page.locator('.chip[data-state="scheduled"]').waitFor();
    await page.getByRole('button', { name: 'Send event', exact: true }).click();
    const dialog = page.locator('dialog');
    expect(await dialog.getByLabel('Event').locator('option').allTextContents()).toEqual([
      'cancel',
      'retryNow',
    ]);
    await dialog.getByText('Events that change nothing in scheduled', { exact: true }).click();
    await dialog.getByRole('listitem').getByText('is taken in checking.').waitFor();
    expect(await wrongWith(page)).toEqual([]);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  /** Tells the page that the machine takes all events in a state: it went on before the page heard of it. */
  const takingAllIn = (page: Page, id: string, state: string) =>
    page.route(`**/admin/api/machines/${id}?*`, async (route) => {
      const answer = await (await route.fetch()).json();
      for (const event of answer.events) event.taken_in = [state];
      await route.fulfill({ json: answer });
    });

  test('an event is sent by a form with a field for all that it says', async () => {
    const id = await scheduledCall();
    const { page, errors } = await personsPage(here.browser, { width: 360 });
    await takingAllIn(page, id, 'scheduled');
    await signInAt(here.on, page, `/admin/machines/${id}`);
    await page.locator('.chip[data-state="scheduled"]').waitFor();
    await page.getByRole('button', { name: 'Send event' }).click();
    const dialog = page.locator('dialog');
    await dialog.getByLabel('Event').selectOption('resolveUnknown');
    await dialog.getByLabel('outcome').selectOption('busy');
    await dialog.getByText('It hears resolveUnknown at once').waitFor();
    expect(await wrongWith(page)).toEqual([]);
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'POST'),
      dialog.getByRole('button', { name: 'Send resolveUnknown' }).click(),
    ]);
    expect(sent.postDataJSON()).toEqual({ type: 'resolveUnknown', outcome: 'busy' });
    await page
      .getByText('resolveUnknown changed nothing: in scheduled the machine does not take it.')
      .waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  /** From now on the gateway puts off what it is asked, or takes it. */
  const puttingOff = (): void => {
    gateway.answer = (_, response) => response.writeHead(429, { 'retry-after': '3600' }).end();
  };
  const taking = (): void => {
    gateway.answer = (_, response) => response.end('{"id":"g1"}');
  };

  /** The id of an SMS that its gateway has put off. */
  const putOffSms = async (): Promise<string> => {
    const before = gateway.heard.length;
    puttingOff();
    const dest = `1198765002${(texts += 1)}`;
    // Its request is answered within eight seconds; what became of it stands in the machine.
    void here.on.post('MakeSMS', { dest, message: 'Oi' }).catch(() => undefined);
    await until(() => gateway.heard.length > before);
    const { machines } = (await here.on.admin('GET', '/machines?kind=message&limit=1')).body;
    const { id } = machines[0];
    await until(
      async () => (await here.on.admin('GET', `/machines/${id}`)).body.agenda[0]?.isWaiting === true,
    );
    return id;
  };
  const outcomeOf = async (id: string) =>
    (await here.on.admin('GET', `/machines/${id}`)).body.context.outcome;

  test('an effect is tried again when that was confirmed, and not before', async () => {
    const id = await putOffSms();
    taking();
    const asked = gateway.heard.length;
    const { page, errors } = await here.open(`/admin/machines/${id}`);
    await page.getByRole('button', { name: 'Retry submitSms' }).click();
    const dialog = page.locator('dialog');
    await dialog.getByRole('heading', { name: 'Retry submitSms now?' }).waitFor();
    await dialog.getByRole('button', { name: 'Leave as it is' }).click();
    expect(gateway.heard.length).toBe(asked);
    await page.getByRole('button', { name: 'Retry submitSms' }).click();
    await dialog.getByRole('button', { name: 'Retry submitSms' }).click();
    await page.getByText('submitSms is tried again.').waitFor();
    await expect.poll(() => outcomeOf(id)).toMatchObject({ code: '0', text: 'OK' });
    expect([gateway.heard.length, errors]).toEqual([asked + 1, []]);
    await page.context().close();
  });

  test('an effect that waits is given up, its machine goes on, and the audit log says who did it', async () => {
    const id = await putOffSms();
    const asked = gateway.heard.length;
    const { page, errors } = await here.open(`/admin/machines/${id}`, { width: 360, locale: 'pt-BR' });
    await page.getByRole('button', { name: 'Desistir de submitSms' }).click();
    const dialog = page.locator('dialog');
    expect(await wrongWith(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Desistir de submitSms' }).click();
    await page.getByText('submitSms não será mais tentado.').waitFor();
    await expect
      .poll(() => outcomeOf(id))
      .toMatchObject({ code: 'cancelled', text: 'an operator cancelled it' });
    expect([gateway.heard.length, errors]).toEqual([asked, []]);
    expect((await here.on.admin('GET', `/machines/${id}/explain`)).body.sentences.join(' ')).toContain(
      'an operator cancelled it before its provider took it',
    );
    const { entries } = (await here.on.admin('GET', '/audit?limit=20')).body;
    expect(JSON.stringify(entries)).toContain(`/machines/${id}/effects/`);
    await page.context().close();
  });

  test('the recording and a spoken text play in the page by the keyboard, and the audit log says who heard the recording', async () => {
    const sent = await here.on.post('MakeTTSCall', {
      dest: '11987650012',
      text: 'Bom dia, tudo bem',
      rec: 30,
    });
    const id = sent.body.return.cd_id;
    await here.on.ended(id);
    const { page, errors } = await here.open(`/admin/machines/${id}`);
    for (const listen of [/^Listen: Recording/, /^Listen: Opening/]) {
      const player = page.getByLabel(listen);
      await player.focus();
      await player.press('Space');
      await expect
        .poll(() => player.evaluate((audio) => (audio as unknown as { currentTime: number }).currentTime), {
          timeout: patienceMs,
        })
        .toBeGreaterThan(0);
    }
    const { entries } = (await here.on.admin('GET', '/audit?limit=20')).body;
    expect(JSON.stringify(entries)).toContain(`GET /machines/${id}/recording`);
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

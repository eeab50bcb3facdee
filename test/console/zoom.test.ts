/** Pages for a person who has zoomed in to 200 %, in both languages: no text is cut off, nothing stands beside the window. */
import { beforeAll, expect, test } from 'vitest';
import { brokenWords, cutTexts, describeInBrowser, isSideways } from '../helpers/console.ts';

describeInBrowser('at 200 %', {}, (here) => {
  let paths: string[];
  beforeAll(async () => {
    const { body } = await here.on.post('MakeTTSCall', { dest: '11987650012', text: 'Olá' });
    const id: string = body.return.cd_id;
    await here.on.ended(id);
    paths = [
      ...['/admin', '/admin/find?kind=call', `/admin/machines/${id}`, '/admin/why/5511987650012'],
      ...['/admin/campaigns', '/admin/campaigns/new', '/admin/conversations', '/admin/deliveries'],
      ...['/admin/accounts', '/admin/accounts/3/tokens', '/admin/audit', '/admin/try', '/admin/wall'],
    ];
  });

  test.each(['en-US', 'pt-BR'])('no page cuts a text off or scrolls sideways: %s', async (locale) => {
    const { page, errors } = await here.open('/admin', { locale, zoom: 2 });
    for (const path of paths) {
      await page.goto('about:blank');
      await page.goto(here.on.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText(/^(Loading|Carregando)$/).waitFor({ state: 'detached' });
      expect([path, await isSideways(page), await cutTexts(page)]).toEqual([path, false, []]);
      expect([path, await brokenWords(page)]).toEqual([path, []]);
    }
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

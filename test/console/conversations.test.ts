/** The page of conversations: what people wrote, what was sent with its receipts, and the window of 24 hours. */
import { expect, test } from 'vitest';
import { saveInboundMessages } from '../../src/store/inboundMessages.ts';
import { describeInBrowser, personsPage, signInAt, wrongWith } from '../helpers/console.ts';
import { adminToken, demoAccount } from '../helpers/service.ts';
import { eventually } from '../helpers/patience.ts';

const hourMs = 3_600_000;
const hostile = `<img src=x onerror="document.title='broken'">\u202Eabc ${'long'.repeat(40)}`;

describeInBrowser('in a browser', {}, (here) => {
  /** What a person wrote to line 1, so long ago. */
  const wrote = (contact: string, body: string, agoMs: number, name = 'Ana'): Promise<void> => {
    const at = Date.now() - agoMs;
    return saveInboundMessages(here.on.database.pool, {
      ...{ account: demoAccount, line: 1, at, conversations: new Map([[contact, at]]) },
      messages: [
        {
          upstreamId: `wamid.${contact}.${agoMs}`,
          sentAt: at,
          contact,
          name,
          type: 'text',
          body,
          payload: '{}',
        },
      ],
    });
  };

  const of = (contact: string) => `/admin/conversations?account=${demoAccount}&line=1&contact=${contact}`;
  const audited = async (): Promise<string[]> =>
    (await here.on.admin('GET', '/audit?kind=change')).body.entries.map(
      ({ action, outcome }: { action: string; outcome: number }) => `${outcome} ${action}`,
    );

  test('a person who answers in the sandbox is found, read and answered, with the receipts of what was sent', async () => {
    await here.on.post('MakeMsgapp', { app_id: 1, dest: '5511987650011', mdata: 'Bom dia' });
    const path = `/accounts/${demoAccount}/conversations`;
    const { contact } = await eventually(async () => {
      const { conversations } = (await here.on.admin('GET', path)).body;
      const found = conversations.find((one: { contact: string }) => one.contact.endsWith('87650011'));
      expect(found).toMatchObject({ open: true, last_text: 'Olá!' });
      return found;
    });
    const { page, errors } = await here.open('/admin/conversations');
    await page.getByLabel('Account').selectOption(String(demoAccount));
    await page.locator(`.people a[href*="contact=${contact}"]`).click();
    await page.locator('.messages .in', { hasText: 'Olá!' }).waitFor();
    const sent = page.locator('.messages .out', { hasText: 'Bom dia' });
    await sent.getByText('read', { exact: true }).waitFor();
    await page.getByText('The window is open: text arrives until').waitFor();

    await page.getByLabel('Answer').fill('Pois não, <b>Ana</b>');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('.messages .out', { hasText: 'Pois não, <b>Ana</b>' }).waitFor();
    const { messages } = (await here.on.admin('GET', `/accounts/${demoAccount}/messages?dest=${contact}`))
      .body;
    expect(messages[0]).toMatchObject({ body: 'Pois não, <b>Ana</b>', channel: 'msgapp', line: 1 });
    const told = await audited();
    expect(told).toContain(`200 GET ${path}/1/${contact}`);
    expect(told).toContain(`201 POST ${path}/1/${contact}/answers`);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('an answer that was begun is there again when its person is looked at again, and gone when another signs in', async () => {
    await wrote('5511987650061', 'Oi', hourMs, 'Lia');
    await wrote('5511987650062', 'Oi', hourMs, 'Leo');
    const { page } = await here.open(of('5511987650061'));
    const answer = page.getByLabel('Answer');
    await answer.fill('Um momento, Lia');
    await page.locator('.people a[href*="contact=5511987650062"]').click();
    await page.getByRole('heading', { name: /Leo/ }).waitFor();
    expect(await answer.inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await page.locator('.people a[href*="contact=5511987650061"]').click();
    await page.getByRole('heading', { name: /Lia/ }).waitFor();
    expect(await answer.inputValue()).toBe('Um momento, Lia');
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.locator('input[type=password]').fill(adminToken);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /Lia/ }).waitFor();
    expect(await answer.inputValue()).toBe('');
    await page.context().close();
  });

  test('what is written while the page is shown comes to the list and to the conversation, in the order it was written', async () => {
    await wrote('5511987650025', 'Bom dia', hourMs, 'Rui');
    const { page, errors } = await here.open(of('5511987650025'));
    const messages = page.locator('.messages li p.foreign');
    await messages.getByText('Bom dia').waitFor();
    await wrote('5511987650025', 'Ainda aí?', 60_000, 'Rui');
    await messages.getByText('Ainda aí?').waitFor();
    expect(await messages.allInnerTexts()).toEqual(['Bom dia', 'Ainda aí?']);
    await wrote('5511987650026', 'Alguém?', 0, 'Eva');
    await page.locator('.people li').getByText('Alguém?').waitFor();
    const { entries } = (await here.on.admin('GET', '/audit?kind=change')).body;
    const followed = entries.find(({ detail }: { detail: object }) =>
      JSON.stringify(detail).includes('conversation:3:1:5511987650025'),
    );
    expect(followed).toMatchObject({
      ...{ action: `GET /accounts/${demoAccount}/conversations/1/5511987650025` },
      ...{ cdcs_id: demoAccount, outcome: 200 },
    });
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('a long conversation opens at its end, where the newest and the box for an answer are', async () => {
    for (let nth = 30; nth >= 1; nth -= 1) await wrote('5511987650061', `Pedido ${nth}`, nth * 60_000, 'Ivo');
    const { page } = await here.open(of('5511987650061'), { width: 360, height: 740, locale: 'pt-BR' });
    const isInSight = async (text: string): Promise<boolean> => {
      const box = await page.locator(text).boundingBox();
      return box !== null && box.y > 0 && box.y + box.height < 740;
    };
    await page.locator('.messages li').last().waitFor();
    await expect.poll(() => isInSight('main textarea')).toBe(true);
    await expect.poll(() => isInSight('.messages li:last-child')).toBe(true);
    await page.context().close();
  });

  test('the receipts of what was sent are said in the language of the page', async () => {
    await here.on.post('MakeMsgapp', { app_id: 1, dest: '5511987650011', mdata: 'Boa noite' });
    const { page } = await here.open(of('5511987650011'), { locale: 'pt-BR' });
    const sent = page.locator('.messages .out', { hasText: 'Boa noite' });
    await sent.locator('.state').getByText('lida', { exact: true }).waitFor();
    await page.context().close();
  });

  test('a person whose upstream knows two spellings of the number stands there once, under the one that wrote', async () => {
    const [longer, shorter] = ['5511987650041', '551187650041'];
    const path = `/accounts/${demoAccount}/conversations`;
    const listed = async () =>
      (await here.on.admin('GET', path)).body.conversations
        .filter(({ contact }: { contact: string }) => contact.endsWith('87650041'))
        .map(({ contact, last_text: text }: { contact: string; last_text: string }) => [contact, text]);
    const both = async (contact: string, body: string, agoMs: number): Promise<void> => {
      const at = Date.now() - agoMs;
      await wrote(contact, body, agoMs);
      // The hook keeps the window under both, so that a message to either is let through.
      const twice = new Map([longer, shorter].map((one) => [one, at]));
      const kept = { account: demoAccount, line: 1, at, conversations: twice, messages: [] };
      await saveInboundMessages(here.on.database.pool, kept);
    };
    await both(longer, 'Oi', hourMs);
    expect(await listed()).toEqual([[longer, 'Oi']]);
    const texts = async (contact: string) =>
      (await here.on.admin('GET', `${path}/1/${contact}`)).body.messages.map(
        ({ text }: { text: string }) => text,
      );
    expect(await texts(shorter)).toEqual(['Oi']);
    await both(shorter, 'Ainda eu', 60_000);
    expect(await listed()).toEqual([[shorter, 'Ainda eu']]);
    expect(await texts(longer)).toEqual(['Ainda eu', 'Oi']);
  });

  test('a window that is closed is said to be, and no text is sent', async () => {
    await wrote('5511987650021', 'Ontem', 25 * hourMs);
    const { page } = await here.open(of('5511987650021'), { locale: 'pt-BR' });
    await page.getByText('A janela está fechada').waitFor();
    expect(await page.getByLabel('Resposta').count()).toBe(0);
    const refused = await here.on.admin(
      ...([
        'POST',
        `/accounts/${demoAccount}/conversations/1/5511987650021/answers`,
        { text: 'Oi' },
      ] as const),
    );
    expect([refused.http, refused.body.field]).toEqual([409, 'text']);
    await page.context().close();
  });

  test('an operator reads, and is told who may answer; opening is in the audit log under its name', async () => {
    await wrote('5511987650022', 'Socorro', hourMs);
    const { key } = (await here.on.admin('POST', '/operators', { name: 'Bia', role: 'operator' })).body;
    const { page } = await personsPage(here.browser);
    await signInAt(here.on, page, of('5511987650022'), key);
    await page.locator('.messages .in', { hasText: 'Socorro' }).waitFor();
    expect(await page.getByLabel('Answer').isDisabled()).toBe(true);
    await page.getByText('Only an administrator may do this.').waitFor();
    const { entries } = (await here.on.admin('GET', '/audit?kind=change&actor=operator')).body;
    expect(entries).toContainEqual(
      expect.objectContaining({
        action: `GET /accounts/${demoAccount}/conversations/1/5511987650022`,
        actor: expect.stringContaining('Bia'),
      }),
    );
    await page.context().close();
  });

  test('an operator who sees numbers masked is told so, and opens and follows a conversation without its number', async () => {
    await wrote('5511987650027', 'Bom dia', hourMs, '');
    const operator = { name: 'Ivo', role: 'operator', masked_numbers: true };
    const { key } = (await here.on.admin('POST', '/operators', operator)).body;
    const { page, errors } = await personsPage(here.browser);
    await signInAt(here.on, page, `/admin/conversations?account=${demoAccount}`, key);
    await page.getByText('Telephone numbers are masked for this key.').waitFor();
    await page.locator('.people a', { hasText: '5511•••••0027' }).click();
    await page.locator('.messages .in', { hasText: 'Bom dia' }).waitFor();
    await wrote('5511987650027', 'Ainda aí?', 60_000, '');
    await page.locator('.messages .in', { hasText: 'Ainda aí?' }).waitFor();
    await page.locator('.people [aria-current="true"]', { hasText: 'Ainda aí?' }).waitFor();
    expect(await page.content()).not.toContain('987650027');
    expect(page.url()).not.toContain('987650027');
    expect(await wrongWith(page)).toEqual([]);
    await page.getByRole('button', { name: 'PT: português' }).click();
    await page.getByText('Os números de telefone aparecem mascarados para esta chave.').waitFor();
    await page.goto(`${here.on.url}/admin/wall`);
    await page.locator('.wall').getByText('Os números de telefone aparecem mascarados').waitFor();
    expect(await wrongWith(page)).toEqual([]);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('a long conversation is read to its beginning, each message once, and no other account sees it', async () => {
    for (let nth = 0; nth < 130; nth += 1) await wrote('5511987650023', `number ${nth}`, hourMs + nth * 1000);
    const path = `/accounts/${demoAccount}/conversations/1/5511987650023`;
    const texts: string[] = [];
    let cursor: string | null = null;
    do {
      const at: string = cursor === null ? path : `${path}?cursor=${encodeURIComponent(cursor)}`;
      const { body } = await here.on.admin('GET', at);
      texts.push(...body.messages.map(({ text }: { text: string }) => text));
      cursor = body.cursor;
    } while (cursor !== null);
    expect(texts).toEqual(Array.from({ length: 130 }, (_, nth) => `number ${nth}`));
    expect((await here.on.admin('GET', `/accounts/2/conversations/1/5511987650023`)).http).toBe(404);
    expect((await here.on.admin('GET', `/accounts/2/conversations`)).body.conversations).toEqual([]);
    expect((await here.on.admin('GET', `${path}?cursor=x`)).http).toBe(400);
  });

  test.each([
    ['light', 'en-US', 1280],
    ['dark', 'pt-BR', 360],
  ] as const)(
    'what is hostile is text, and no fault is there that axe-core knows: %s, %s, %i pixels',
    async (theme, locale, width) => {
      await wrote('5511987650024', hostile, hourMs, hostile.slice(0, 60));
      const { page, errors } = await here.open('/admin', { theme, locale, width });
      for (const path of [`/admin/conversations?account=${demoAccount}`, of('5511987650024')]) {
        await page.goto(here.on.url + path);
        await page.locator('.people').waitFor({ state: 'attached' });
        if (path.includes('contact')) await page.locator('.messages li').first().waitFor();
        await page.getByText(/^(Loading|Carregando)$/).waitFor({ state: 'detached' });
        expect([path, await page.locator('main img').count(), await page.title()]).toEqual([
          ...[path, 0, expect.not.stringContaining('broken')],
        ]);
        expect([path, await wrongWith(page)]).toEqual([path, []]);
        expect([
          path,
          (await page.evaluate<number>('document.documentElement.scrollWidth')) <= width,
        ]).toEqual([...[path, true]]);
      }
      expect(errors).toEqual([]);
      await page.context().close();
    },
  );
});

/**
 * The guides that connect somebody else, followed to the letter against somebody else: a gateway, an SMSC, and the strict
 * upstream of chat lines. What is sent arrives there, and what they say of it is here.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { graphToken, startGraphServer } from '../helpers/graphServer.ts';
import { templatesUpstream } from '../helpers/graphTemplates.ts';
import { startSmppServer } from '../helpers/smppServer.ts';
import { aboutMessages, signed } from '../hooks/bed.ts';
import { aFollower, type Follower } from './follower.ts';
import { blocksWith, lackingPrograms, missing } from './pages.ts';
import { expectWorks, follow } from './reader.ts';
import { until } from '../helpers/patience.ts';

const undo: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

const started = async (env: Record<string, string> = {}): Promise<Follower> => {
  const follower = await aFollower(env);
  undo.push(() => follower.stop());
  return follower;
};

/** Follows a page, and expects all of it to work; what it started goes on until the test ends. */
const followed = async (
  { place }: Follower,
  page: string,
  there: readonly string[],
  replaced: Record<string, string>,
): Promise<string> => {
  // What the page shows to be refused for its placeholders is taken with the reader's own.
  const blocks = blocksWith(page, ...there).map(({ answers: _, ...block }) => block);
  const done = await follow(page, blocks, { ...place, replaced });
  undo.push(done.close);
  expectWorks(done);
  return done.said.join('\n');
};

const newest = async ({ admin }: Follower) => (await admin('/accounts/3/messages?limit=1')).messages[0];
const becomes = (follower: Follower, status: string) =>
  until(async () => {
    const message = await newest(follower);
    return message.status === status && message;
  });

describe.skipIf(missing.length > 0)(`followed to the letter${lackingPrograms}`, () => {
  const smsGuide = 'docs/guides/connect-an-sms-provider.md';

  test('an SMS goes to the gateway by HTTP, and its receipt comes back', async () => {
    const reader = await started();
    const requests: { headers: Record<string, unknown>; path: string; body: unknown }[] = [];
    const receipts: number[] = [];
    const gateway = createServer((request, response) => {
      void text(request).then(async (body) => {
        requests.push({ headers: request.headers, path: request.url!, body: JSON.parse(body) });
        response.writeHead(201, { 'content-type': 'application/json' }).end('{"data":{"id":"gw-1"}}');
        const [{ route_id }] = (await reader.admin('/accounts/3/sms-routes')).sms_routes.filter(
          ({ kind }: { kind: string }) => kind === 'http',
        );
        const address = `${reader.url}/hooks/sms/${route_id}?token=word-of-receipts`;
        // 503 says that it came too early, and is to come again.
        await until(async () => {
          const told = await fetch(address, { method: 'POST', body: '{"id":"gw-1","status":"delivered"}' });
          receipts.push(told.status);
          return told.status !== 503;
        });
      });
    });
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    undo.push(() => void gateway.close());
    const { port } = gateway.address() as AddressInfo;
    const said = await followed(reader, smsGuide, ['gateway'], {
      'https://api.example.net': `http://127.0.0.1:${port}`,
      '"key": "…"': '"key": "key-of-the-gateway"',
      '<a word of your choice>': 'word-of-receipts',
    });
    expect(said).toContain('"switched_off"');
    expect(said).not.toMatch(/^ramal-sandbox:/im);
    const message = await becomes(reader, 'delivered');
    expect(message).toMatchObject({ dest: '5511987654321', sandbox: false });
    expect(requests).toEqual([
      {
        path: '/v1/sms',
        headers: expect.objectContaining({
          authorization: 'Bearer key-of-the-gateway',
          'idempotency-key': expect.stringMatching(/^a\.3\./),
        }),
        body: { to: '5511987654321', from: '', message: 'Bom dia' },
      },
    ]);
    await until(() => receipts.at(-1) === 200);
  });

  test('an SMS goes to the SMSC by SMPP, and its receipt comes back', async () => {
    const [reader, smsc] = await Promise.all([started(), startSmppServer()]);
    undo.push(() => smsc.stop());
    const said = await followed(reader, smsGuide, ['smsc'], {
      'smsc.example.net': '127.0.0.1',
      '"port": 2775': `"port": ${smsc.port}`,
      '"password": "…"': '"password": "hush"',
    });
    expect(said).toMatch(/"ok": true,\s+"detail": "bound"/);
    expect(smsc.binds.map((bind) => [bind['system_id'], bind['password']])).toEqual([['ramal', 'hush']]);
    expect(smsc.taken).toMatchObject([
      { to: '5511987654321', from: 'RAMAL', text: 'Bom dia', registered: true },
    ]);
    expect(await newest(reader)).toMatchObject({ status: 'acknowledged', sandbox: false });
    expect(await smsc.receipt(smsc.taken[0]!)).toBe(0);
    await becomes(reader, 'delivered');
  });

  const phone = '106540352242922';
  const secrets = { appSecret: 'secret-of-the-app', verifyToken: 'word-of-the-hooks' };

  test('a text goes to WhatsApp by the line, and what becomes of it comes by its hooks', async () => {
    const upstream = await startGraphServer();
    undo.push(() => upstream.stop());
    const reader = await started({
      // What a person types when `line add` asks.
      ...{ RAMAL_LINE_API_KEY: graphToken, RAMAL_LINE_APP_SECRET: secrets.appSecret },
      RAMAL_LINE_VERIFY_TOKEN: secrets.verifyToken,
    });
    const at = ['msgapp-account'];
    const said = await followed(reader, 'docs/guides/whatsapp.md', at, {
      'https://graph.facebook.com': upstream.url,
      'https://ramal.example.com': reader.url,
      'EAAG…': graphToken,
    });
    expect(said).toContain('Line 4 is there.');
    expect(said).toContain('"valid":true');
    await followed(reader, 'docs/operations/ValidateMsgappNumber.md', at, { 'EAAG…': graphToken });
    const sent = upstream.seen.find(({ path }) => path === `${phone}/messages`)!;
    expect(sent.body).toMatchObject({ to: '5511987654321', type: 'text', text: { body: 'Olá' } });

    const hook = `${reader.url}/hooks/msgapp/4`;
    const asked = `hub.mode=subscribe&hub.verify_token=${secrets.verifyToken}&hub.challenge=1158201444`;
    expect(await (await fetch(`${hook}?${asked}`)).text()).toBe('1158201444');
    const statuses = ['delivered', 'read'].map((status) => ({
      ...{ id: 'wamid.1', status, timestamp: String(Math.floor(Date.now() / 1000)) },
      ...{ recipient_id: '5511987654321', biz_opaque_callback_data: sent.body.biz_opaque_callback_data },
    }));
    const body = JSON.stringify(aboutMessages({ statuses }));
    const headers = { 'x-hub-signature-256': signed(body, secrets.appSecret) };
    expect((await fetch(hook, { method: 'POST', headers, body })).status).toBe(200);
    expect(await becomes(reader, 'read')).toMatchObject({ dest: '5511987654321', sandbox: false });
  });

  test('a template is submitted to WhatsApp, approved there, and sent', async () => {
    const templates = templatesUpstream('102290129340398');
    const upstream = await startGraphServer(templates.routes);
    undo.push(() => upstream.stop());
    const reader = await started({ GRAPH_URL: upstream.url });
    /** What people at the upstream do meanwhile. */
    const approve = until(() => templates.kept.find(({ name }) => name === 'order_numbered')).then(({ id }) =>
      templates.review(id, 'APPROVED'),
    );
    const said = await followed(reader, 'docs/guides/connect-a-msgapp-line.md', ['msgapp-account'], {
      '<phone number id>': phone,
      '<access token>': graphToken,
      '<business account id>': '102290129340398',
      '"wa_number":"5511900000000"': '"wa_number":"15550783881"',
      '<app secret>': secrets.appSecret,
      '<a word of your choice>': secrets.verifyToken,
    });
    await approve;
    expect(said).toContain('"status":"APPROVED"');
    const sent = upstream.seen.find(({ path }) => path === `${phone}/messages`)!;
    expect(sent.body).toMatchObject({
      to: '5511987650000',
      type: 'template',
      template: { name: 'order_numbered', components: [{ type: 'body' }] },
    });
    expect(templates.kept).toEqual([]);
    upstream.check();
  });
});

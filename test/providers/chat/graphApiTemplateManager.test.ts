/** The template manager at a strict upstream over HTTP: what it asks, and what it makes of odd answers. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { TemplateEffects } from '../../../machines/contracts/template.ts';
import type { ChatSenderLine } from '../../../src/providers/contracts/chat.ts';
import { openGraphApiClient } from '../../../src/providers/chat/graphApiClient.ts';
import {
  openTemplateManager,
  type TemplatePerformers,
} from '../../../src/providers/chat/graphApiTemplateManager.ts';
import { openGraphApiHttp, type Web } from '../../../src/providers/chat/graphApiHttpTransport.ts';
import {
  type EffectCall,
  type Fact,
  Retryable,
  NotRetryable,
} from '../../../src/engine/contract/performer.ts';
import {
  graphError,
  type GraphRoute,
  type GraphServer,
  graphToken,
  registered,
  startGraphServer,
} from '../../helpers/graphServer.ts';
import { lookup } from '../../helpers/names.ts';

const edge = new RegExp(`^${registered.business}/message_templates$`);
const anything: GraphRoute[] = (['GET', 'POST', 'DELETE'] as const).map((method) => ({
  ...{ method, path: edge },
  query: z.record(z.string(), z.string()),
  body: z.unknown(),
  answer: () => ({ status: 200, json: { success: true } }),
}));
const one: GraphRoute = {
  ...{ method: 'GET', path: /^9001$/, query: z.record(z.string(), z.string()) },
  answer: () => ({
    status: 200,
    json: { id: '9001', status: 'APPROVED', name: 'n', rejected_reason: 'NONE' },
  }),
};

let server: GraphServer;
let web: Web;
let performers: TemplatePerformers;

beforeAll(async () => {
  server = await startGraphServer([...anything, one]);
  web = openGraphApiHttp({ url: server.url, lookup });
  const graph = openGraphApiClient({ transport: web.transport, version: 'v22.0' });
  const line = {
    active: true,
    class: 'msgapp',
    businessId: registered.business,
    openApiKey: () => graphToken,
  };
  const lines: Record<number, Partial<ChatSenderLine>> = {
    5: line as ChatSenderLine,
    6: { ...line, active: false } as ChatSenderLine,
  };
  performers = openTemplateManager({
    graph,
    line: (_tenant, id) => Promise.resolve(lines[id] as ChatSenderLine | undefined),
    timeoutMs: 300,
  }).performers;
});
afterEach(() => server.check());
afterAll(async () => {
  await web.close();
  await server.stop();
});

const call = <Params>(params: Params, attempt = 1): EffectCall<Params> => ({
  ...{ id: 'a.3.17.2.0', name: 'x', params, attempt, seen: {}, signal: new AbortController().signal },
  machine: { shard: 'a', account: 3, id: 17, kind: 'template' },
});
const factOf = async (performed: ReturnType<TemplatePerformers[keyof TemplatePerformers]>): Promise<Fact> =>
  (await performed)!.events![0]!;

const submit = () =>
  factOf(performers.submitTemplate(call({ line: 5, submission: 2, body: { name: 'order_ready' } })));
const wanted = { line: 5, submission: 2, name: 'order_ready', language: 'pt_BR', bodyText: 'Pronto.' };
const find = (more: Partial<TemplateEffects['findTemplate']> = {}) =>
  factOf(performers.findTemplate(call({ ...wanted, ...more })));
const remove = (attempt = 1, known: 'there' | 'deleted' = 'there') =>
  factOf(
    performers.deleteTemplate(call({ line: 5, upstreamId: '9001', name: 'order_ready', known }, attempt)),
  );

const row = (id: string, name: string, language: string, text = 'Pronto.') => ({
  ...{ id, name, language, status: 'APPROVED' },
  components: [{ type: 'BODY', text }],
});
const page = (data: object[], after?: string) => ({
  status: 200,
  json: { data, paging: { cursors: { before: 'b', after }, ...(after && { next: 'https://next' }) } },
});

describe('a submission', () => {
  it('is taken as it was answered; without a word it is PENDING', async () => {
    server.next({ status: 200, json: { id: '9001' } });
    expect(await submit()).toMatchObject({
      ...{ type: 'templateAccepted', submission: 2, upstreamId: '9001', status: 'PENDING' },
    });
    expect(server.seen[0]!.body).toEqual({ name: 'order_ready' });
  });

  it.each([
    ['names no id', { status: 200, json: { success: true } }],
    ['is no JSON', { status: 200, html: '<html></html>' }],
    ['comes too late', { status: 200, json: { id: '9001' }, afterMs: 600 }],
    ['is cut', { cut: 'halfway' as const }],
    ['is a gateway’s', { status: 504, html: '' }],
  ])('is in doubt when the answer %s', async (_why, reaction) => {
    server.next(reaction);
    expect(await submit()).toMatchObject({ type: 'templateUnsettled', submission: 2 });
  });

  it('is refused with upstream’s sentence, and nothing of the token is kept', async () => {
    server.next(graphError(400, 100, 'Invalid parameter', { error_user_msg: `no ${graphToken}` }));
    const fact = await submit();
    expect(fact).toMatchObject({ type: 'templateRefused', text: expect.stringMatching(/^no /) });
    expect(JSON.stringify(fact)).not.toContain(graphToken);
  });
});

describe('a look', () => {
  it('goes through all pages, for the whole name and the language', async () => {
    server.next(
      page([row('1', 'order_ready_2', 'pt_BR'), row('2', 'order_ready', 'en_US')], 'next'),
      page([row('9001', 'order_ready', 'pt_BR')]),
    );
    expect(await find()).toMatchObject({ type: 'templateFound', upstreamId: '9001', status: 'APPROVED' });
    expect(server.seen.map(({ query }) => query['after'])).toEqual([undefined, 'next']);
  });

  it('says that it is not there, and never that another one is it', async () => {
    server.next(page([]));
    expect(await find()).toEqual({ type: 'templateMissing', submission: 2 });
    server.next(page([row('9001', 'order_ready', 'pt_BR', 'Outro.')]));
    expect(await find()).toMatchObject({ type: 'templateRefused', text: expect.stringContaining('(9001)') });
  });

  it('does not mind line breaks, nor the text of a code', async () => {
    server.next(page([row('9001', 'order_ready', 'pt_BR', ' a\r\nb ')]));
    expect(await find({ bodyText: 'a\nb' })).toMatchObject({ type: 'templateFound' });
    server.next(page([row('9001', 'order_ready', 'pt_BR', 'upstream’s own')]));
    expect(await find({ bodyText: '' })).toMatchObject({ type: 'templateFound' });
  });

  it('is repeated when upstream does not answer', async () => {
    server.next({ cut: 'unanswered' });
    await expect(find()).rejects.toThrow(Retryable);
  });
});

describe('a deletion', () => {
  const missing = () => graphError(400, 100, 'Invalid parameter', { error_subcode: 2_593_002 });

  it('names the template and its id', async () => {
    expect(await remove()).toEqual({ type: 'templateGone', upstreamId: '9001' });
    expect(server.seen[0]!.query).toEqual({ name: 'order_ready', hsm_id: '9001' });
  });

  it('is repeated when the answer is lost, and done when upstream no longer has it', async () => {
    server.next({ cut: 'unanswered' });
    await expect(remove()).rejects.toThrow(Retryable);
    server.next(missing());
    expect(await remove(2)).toEqual({ type: 'templateGone', upstreamId: '9001' });
  });

  it('of one that is known to be gone is done when upstream no longer has it', async () => {
    server.next(missing());
    expect(await remove(1, 'deleted')).toEqual({ type: 'templateGone', upstreamId: '9001' });
  });

  it('is refused when upstream never had it, or does not say that it did it', async () => {
    server.next(missing());
    expect(await remove()).toMatchObject({ type: 'templateKept' });
    server.next({ status: 200, json: { success: false } });
    expect(await remove()).toMatchObject({ type: 'templateKept' });
  });
});

describe('a check', () => {
  const check = (line = 5) => performers.checkTemplate(call({ line, upstreamId: '9001', check: 3 }));

  it('tells what upstream says, or why not', async () => {
    expect(await factOf(check())).toEqual({
      ...{ type: 'templateChecked', check: 3, status: 'APPROVED', name: 'n', reason: '' },
    });
    server.next({ status: 200, json: { id: '9001' } });
    expect(await factOf(check())).toMatchObject({
      type: 'templateUnchecked',
      text: 'upstream named no status',
    });
  });

  it('fails for good when the line is gone or inactive', async () => {
    for (const line of [6, 7]) await expect(check(line)).rejects.toThrow(NotRetryable);
  });
});

/** Why a chat line does not send or receive, as an operator asks. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explainChatLine, type ChatLineFacts } from '../../src/admin/explained/chatLine.ts';
import { startGraphServer, type GraphServer, graphError, graphToken } from '../helpers/graphServer.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { ramal } from '../cli/terminal.ts';
import { adminToken } from '../helpers/service.ts';

let on: TestService;
let upstream: GraphServer;
beforeAll(async () => {
  upstream = await startGraphServer();
  on = await startTestService({ GRAPH_URL: upstream.url, PUBLIC_URL: 'https://ramal.example.com' });
});
afterAll(async () => {
  await on.stop();
  await upstream.stop();
});

const path = `/accounts/${demoAccount}/lines`;
const whole = {
  ...{ v8l_class: 'msgapp', v8l_wa_provider: 'cloud', v8l_wa_app_name: '106540352242922' },
  ...{ v8l_wa_number: '15550783881', v8l_wa_business_id: '102290129340398', v8l_wa_api_key: graphToken },
  ...{ app_secret: 'app-secret', verify_token: 'verify' },
};
const make = async (body: object): Promise<number> => (await on.admin('POST', path, body)).body.v8l_id;
const explain = async (line: number, query = '') =>
  (await on.admin('GET', `${path}/${line}/explain${query}`)).body;

test('a line that is whole has nothing in its way, and says where its hooks come', async () => {
  const line = await make(whole);
  const told = await explain(line);
  expect(told).toMatchObject({ v8l_id: line, sends: true, receives: true, reasons: [], sandbox: false });
  expect(told.hook_url).toBe(`https://ramal.example.com/hooks/msgapp/${line}`);
  expect(told.sentences.join(' ')).toContain(`bring hooks to ${told.hook_url}`);
  expect(told.sentences).toContain('No message went by it lately.');
});

test('what it lacks is named, with what to do', async () => {
  const line = await make({ v8l_class: 'msgapp', active: false });
  const told = await explain(line);
  expect(told).toMatchObject({ sends: false, receives: false });
  expect(told.reasons).toEqual([
    ...['inactive', 'noProvider', 'noAppName', 'noNumber', 'noApiKey', 'noBusiness', 'noAppSecret'],
    'noVerifyToken',
  ]);
  expect(told.sentences).toContain('It has no access token. Set the access token of the line.');
  const portuguese = (await explain(line, '?lang=pt')).sentences;
  expect(portuguese).toContain('Não tem token de acesso. Defina o token de acesso da linha.');
  expect(portuguese).toHaveLength(told.sentences.length);
});

test('what the platform said of its last message is told, and what came in and was brought nowhere', async () => {
  const line = await make(whole);
  upstream.next(graphError(401, 190, 'Error validating access token'));
  await on.post('MakeMsgapp', { app_id: line, dest: '5511987650000', mdata: 'Olá' });
  const told = await explain(line);
  expect(told.last_sent).toMatch(/^\d+$/);
  const sentences = told.sentences.join(' ');
  expect(sentences).toMatch(/The last message by it was for 5511987650000.*190/);
  expect(sentences).toContain('Nothing that people wrote has come in by it.');
  expect(sentences).toContain('brought nowhere');
});

test('a switched-off account, and credentials of another key, are told', async () => {
  const line = await make(whole);
  await on.database.prisma.chatLine.updateMany({ where: { id: line }, data: { api_key: 'v1.AAAA' } });
  await on.admin('PATCH', `/accounts/${demoAccount}`, { active: false });
  try {
    expect((await explain(line)).reasons).toEqual(['account', 'lineBroken']);
  } finally {
    await on.admin('PATCH', `/accounts/${demoAccount}`, { active: true });
  }
});

test('the command line prints the sentences', async () => {
  const line = await make({ v8l_class: 'pagechat' });
  const env = { RAMAL_URL: on.url, ADMIN_TOKEN: adminToken };
  const words = ['line', 'explain', String(line), '--account', String(demoAccount)];
  const { exit, out } = await ramal(words, { env });
  expect([exit, out]).toEqual([0, expect.stringContaining('It lacks the id of its page.')]);
});

test('no other account knows it, and no other line', async () => {
  expect((await on.admin('GET', `${path}/99999/explain`)).http).toBe(404);
});

describe('each reason', () => {
  const line = {
    ...{ class: 'msgapp', provider: 'cloud', app_name: '1', number: '2', business_id: '3', page_id: '4' },
    ...{ photo_account_id: '5', active: true, sandbox: false, quality: '', messaging_limit: '' },
    ...{ has_api_key: true, has_app_secret: true, has_verify_token: true },
  };
  const facts: ChatLineFacts = {
    ...{ line, opens: true, upstreams: { sandbox: true, real: true }, off: undefined },
    ...{ hookUrl: 'https://r.example/hooks/msgapp/1', forwardUrl: 'https://me.example/in?key=s' },
    ...{
      lastSent: undefined,
      lastIncoming: 0,
      notBrought: { count: 2, error: 'notNow: it answered HTTP 500' },
    },
  };
  const of = (change: Partial<typeof line>, more: Partial<ChatLineFacts> = {}): ChatLineFacts => ({
    ...{ ...facts, ...more },
    line: { ...line, ...change },
  });
  const cases: [string, ChatLineFacts][] = [
    ['inactive', of({ active: false })],
    ['account', of({}, { off: 'account' })],
    ['reseller', of({}, { off: 'reseller' })],
    ['lineBroken', of({}, { opens: false })],
    ['noProvider', of({ provider: '' })],
    ['noAppName', of({ app_name: '' })],
    ['noNumber', of({ number: '' })],
    ['noPage', of({ class: 'pagechat', page_id: '' })],
    ['noPhotoAccount', of({ class: 'photodm', photo_account_id: '' })],
    ['noApiKey', of({ has_api_key: false })],
    ['noUpstream', of({}, { upstreams: { sandbox: true, real: false } })],
    ['noSandbox', of({ sandbox: true }, { upstreams: { sandbox: false, real: true } })],
    ['noBusiness', of({ business_id: '' })],
    ['noAppSecret', of({ has_app_secret: false })],
    ['noVerifyToken', of({ has_verify_token: false })],
  ];

  test.each(cases)('%s is told in both languages', (rule, given) => {
    const [en, pt] = (['en', 'pt'] as const).map((language) => explainChatLine(given, language, 'UTC'));
    expect(en!.reasons).toEqual([rule]);
    expect(pt!.sentences).toHaveLength(en!.sentences.length);
    // Beside the name of the zone, no sentence is left in the other language.
    const shared = en!.sentences.filter((sentence) => pt!.sentences.includes(sentence));
    expect(shared).toEqual([]);
    expect(en!.sentences.join()).not.toContain('key=s');
    expect(en!.sentences.join()).toContain('2 could not be brought so far: it answered HTTP 500');
  });
});

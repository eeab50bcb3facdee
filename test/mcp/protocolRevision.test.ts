/** The revisions of the tool protocol: with a handshake, and without from 2026-07-28 on. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../helpers/service.ts';
import { postTool, rpc } from './bed.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

const modern = '2026-07-28';
const supported = [modern, '2025-11-25', '2025-06-18', '2025-03-26'];
const meta = (version: unknown = modern) => ({
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
});
const headersOf = (method: string, name?: string): Record<string, string> => ({
  'MCP-Protocol-Version': modern,
  'Mcp-Method': method,
  ...(name !== undefined && { 'Mcp-Name': name }),
});
const ask = (method: string, params: object = {}, headers = headersOf(method)) =>
  postTool(on, rpc(method, { _meta: meta(), ...params }), { headers });

describe('with a handshake', () => {
  test.each(['2025-11-25', '2025-06-18', '2025-03-26'])('%s is spoken as asked', async (protocolVersion) => {
    const { http, headers, body } = await postTool(
      on,
      rpc('initialize', { protocolVersion, capabilities: {}, clientInfo: {} }),
    );
    expect([http, headers.get('mcp-session-id')]).toEqual([200, null]);
    expect(body.result).toEqual({
      ...{ protocolVersion, capabilities: { tools: {} }, instructions: expect.any(String) },
      serverInfo: { name: 'ramal', title: 'Ramal', version: expect.any(String) },
    });
    const listed = await postTool(on, rpc('tools/list'), {
      headers: { 'MCP-Protocol-Version': protocolVersion },
    });
    expect(listed.body.result).not.toHaveProperty('resultType');
  });

  test.each([undefined, '2024-11-05', modern, '2099-01-01'])(
    '%s is answered with our newest',
    async (protocolVersion) => {
      const { body } = await postTool(on, rpc('initialize', { protocolVersion }));
      expect(body.result.protocolVersion).toBe('2025-11-25');
    },
  );

  test('a header with an unknown revision is refused', async () => {
    for (const version of ['1999-01-01', '2024-11-05', 'latest', '2099-01-01'])
      expect(await postTool(on, rpc('ping'), { headers: { 'MCP-Protocol-Version': version } })).toMatchObject(
        {
          http: 400,
          body: { error: { code: -32_022, data: { supported, requested: version } } },
        },
      );
  });
});

describe('without a handshake', () => {
  test('server/discover says what there is', async () => {
    const { http, body } = await ask('server/discover');
    expect(http).toBe(200);
    expect(body.result).toEqual({
      ...{ supportedVersions: supported, capabilities: { tools: {} }, instructions: expect.any(String) },
      ...{ resultType: 'complete', ttlMs: expect.any(Number), cacheScope: 'private' },
      _meta: { 'io.modelcontextprotocol/serverInfo': expect.objectContaining({ name: 'ramal' }) },
    });
  });

  test('tools are listed and called', async () => {
    expect((await ask('tools/list')).body.result).toMatchObject({
      ...{
        tools: expect.any(Array),
        resultType: 'complete',
        ttlMs: expect.any(Number),
        cacheScope: 'private',
      },
    });
    const name = 'get_center_queues';
    const { body } = await ask('tools/call', { name }, headersOf('tools/call', name));
    expect(body.result).toMatchObject({ success: true, queues: [], resultType: 'complete', isError: false });
  });

  test('a name may travel encoded', async () => {
    const name = 'get_center_queues';
    const encoded = `=?base64?${Buffer.from(name).toString('base64')}?=`;
    const { body } = await ask('tools/call', { name }, headersOf('tools/call', encoded));
    expect(body.result).toMatchObject({ success: true });
  });

  test.each([
    ['no revision', { 'MCP-Protocol-Version': '' }],
    ['another revision', { 'MCP-Protocol-Version': '2025-11-25' }],
    ['no method', { 'Mcp-Method': '' }],
    ['another method', { 'Mcp-Method': 'tools/list' }],
    ['a method in capitals', { 'Mcp-Method': 'TOOLS/CALL' }],
    ['no name', { 'Mcp-Name': '' }],
    ['another name', { 'Mcp-Name': 'send_sms' }],
    ['a name that is encoded otherwise', { 'Mcp-Name': '=?base64?!!?=' }],
  ])('headers that say %s are a mismatch, and nothing is done', async (_, changed) => {
    const headers: Record<string, string> = { ...headersOf('tools/call', 'get_center_queues'), ...changed };
    for (const name of Object.keys(headers)) if (headers[name] === '') delete headers[name];
    expect(await ask('tools/call', { name: 'get_center_queues' }, headers)).toMatchObject({
      http: 400,
      body: {
        id: expect.any(Number),
        error: { code: -32_020, message: expect.stringMatching(/^Header mismatch: M/) },
      },
    });
  });

  test.each(['2027-01-01', '2025-11-25', 'latest'])(
    'revision %s is unsupported, and ours are named',
    async (version) => {
      const headers = { ...headersOf('ping'), 'MCP-Protocol-Version': version };
      expect(await ask('ping', { _meta: meta(version) }, headers)).toMatchObject({
        http: 400,
        body: { error: { code: -32_022, data: { supported, requested: version } } },
      });
    },
  );

  test.each([
    ['no _meta', undefined],
    ['_meta that is a word', 'x'],
    ['no capabilities', { 'io.modelcontextprotocol/protocolVersion': modern }],
    ['a revision that is a number', { ...meta(4) }],
  ])('%s is malformed', async (_, _meta) => {
    expect(await ask('tools/list', { _meta })).toMatchObject({
      http: 400,
      body: { error: { code: -32_602 } },
    });
  });

  test.each(['initialize', 'ping', 'subscriptions/listen', 'resources/list', 'toString'])(
    '%s does not exist: 404',
    async (method) => {
      expect(await ask(method)).toMatchObject({ http: 404, body: { error: { code: -32_601 } } });
    },
  );

  test('an unknown tool is no unknown method', async () => {
    expect(await ask('tools/call', { name: 'x' }, headersOf('tools/call', 'x'))).toMatchObject({
      http: 200,
      body: { error: { code: -32_602 } },
    });
  });
});

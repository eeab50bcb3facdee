/** The tool door of a real service, asked by hand. */
import { afterAll, beforeAll } from 'vitest';
import { demoToken, startTestService, type TestService } from '../helpers/service.ts';

export interface ToolAnswer {
  http: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are compared with literals, key by key
  body: any;
}

export interface Posted {
  /** Default: the demo token. Empty: none. */
  token?: string;
  headers?: Record<string, string>;
  /** After `/mcp`. */
  query?: string;
}

/** Posts a body as it stands when it is text, else as JSON. */
export const postTool = async (
  on: Pick<TestService, 'url'>,
  body: object | string,
  { token = demoToken, headers = {}, query = '' }: Posted = {},
): Promise<ToolAnswer> => {
  const response = await fetch(`${on.url}/mcp${query}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    http: response.status,
    headers: response.headers,
    body: text === '' ? undefined : (JSON.parse(text) as unknown),
  };
};

let ids = 0;

/** A request without any handshake. */
export const rpc = (method: string, params?: object): object => ({
  jsonrpc: '2.0',
  id: (ids += 1),
  method,
  ...(params && { params }),
});

/** What a tool answers a plain caller: `result` of the reply. */
export const callTool = async (
  on: Pick<TestService, 'url'>,
  name: string,
  given: object = {},
  posted: Posted = {},
): Promise<ToolAnswer['body']> =>
  (await postTool(on, rpc('tools/call', { name, arguments: given }), posted)).body.result;

export interface AskedTools {
  /** `token`: default the demo account's. */
  call(name: string, given?: object, token?: string): Promise<ToolAnswer['body']>;
  /** The outcome without what the tool protocol has beside it. */
  outcomeOf(name: string, given?: object): Promise<ToolAnswer['body']>;
}

/** Tools as plain callers ask for them. `on`: the service, once it is started. */
export const askedTools = (on: () => TestService): AskedTools => {
  const call: AskedTools['call'] = (name, given = {}, token = demoToken) =>
    callTool(on(), name, given, { token });
  return {
    call,
    outcomeOf: async (name, given) => (await call(name, given)).structuredContent,
  };
};

/** A token with every permission, of an account that is made for it. */
const strangersToken = async (on: TestService): Promise<string> => {
  const account = (await on.admin('POST', '/accounts', { name: 'Stranger' })).body.cdcs_id;
  const apis = { telephony: true, sms: true, msgapp: true, pagechat: true, photodm: true };
  return (await on.admin('POST', `/accounts/${account}/tokens`, { permissions: { apis } })).body.token;
};

export interface ToolBed extends AskedTools {
  readonly on: TestService;
  /** A token of another account. */
  readonly stranger: string;
}

/** For the tests of the file that calls this: a service, its tools, and somebody else's token. */
export const toolBed = (): ToolBed => {
  let on: TestService;
  let stranger: string;
  beforeAll(async () => {
    on = await startTestService();
    stranger = await strangersToken(on);
  });
  afterAll(() => on.stop());
  return {
    ...askedTools(() => on),
    get on() {
      return on;
    },
    get stranger() {
      return stranger;
    },
  };
};

/** The names of the tools that are listed. */
export const listTools = async (on: Pick<TestService, 'url'>, posted: Posted = {}): Promise<string[]> =>
  (await postTool(on, rpc('tools/list'), posted)).body.result.tools.map(({ name }: { name: string }) => name);

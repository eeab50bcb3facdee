/**
 * A strict upstream over real HTTP: every request is looked at field by field (method, path, query, headers, body),
 * and what the real one would not take fails the test. It answers as it is told: properly, slowly, with nonsense, or
 * not at all.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';
import { messageOf } from './graphMessages.ts';

/** What a request was. */
export interface GraphSeen {
  method: string;
  /** Without the version. */
  path: string;
  query: Record<string, string>;
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies are compared with literals, key by key
  body: any;
}

/** What the upstream does with a request. */
export type GraphReaction =
  | {
      status: number;
      json: unknown;
      headers?: Record<string, string>;
      afterMs?: number;
      /** It answers when this has come. */
      when?: Promise<void>;
    }
  | { status: number; html: string }
  /** The request is taken, and the connection closed: before the answer, or in the middle of it. */
  | { cut: 'unanswered' | 'halfway' };

/** A path of the upstream, and what it takes there. */
export interface GraphRoute {
  method: 'GET' | 'POST' | 'DELETE';
  path: RegExp;
  query?: z.ZodType;
  body?: z.ZodType;
  answer(seen: GraphSeen, match: RegExpExecArray): GraphReaction;
}

export interface GraphServer {
  /** For `GRAPH_URL`. */
  url: string;
  seen: GraphSeen[];
  /** What the next request to be taken meets, instead of a proper answer; several are used up in order. */
  next(...reactions: GraphReaction[]): void;
  /** Forgets everything; throws when a request was one that the real one would not take. */
  check(): void;
  stop(): Promise<void>;
}

export const graphError = (
  status: number,
  code: number,
  message: string,
  more: object = {},
  headers: Record<string, string> = {},
): GraphReaction => ({
  status,
  json: { error: { message, type: 'OAuthException', code, fbtrace_id: 'Atrace', ...more } },
  headers,
});

/** The one access token that it knows. */
export const graphToken = 'EAAGstrictTokenOfTheTest0001';

/** `subject`: what a request that comes by itself (a schedule's) is about. */
export const startGraphServer = async (
  routes: readonly GraphRoute[] = [],
  subject: (asked: GraphSeen) => string | undefined = () => undefined,
): Promise<GraphServer> => {
  const seen: GraphSeen[] = [];
  const violations: string[] = [];
  let reactions: GraphReaction[] = [];
  /** What earlier tests were about: their machines go on asking, and neither use up reactions nor are seen. */
  const past = new Set<string>();
  const present = new Set<string>();
  const all = [...routes, ...ownRoutes];

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = await readAsked(request, violations);
    const route = all.find(({ method, path }) => method === asked.method && path.test(asked.path));
    const wrong = route ? wrongWith(route, asked) : [`no such path: ${asked.method} ${asked.path}`];
    violations.push(...wrong);
    if (!route || wrong.length > 0) {
      react(response, graphError(400, 100, `(#100) ${wrong.join('; ')}`));
      return;
    }
    const proper = (): GraphReaction => route.answer(asked, route.path.exec(asked.path)!);
    const about = subject(asked);
    if (about !== undefined && past.has(about)) {
      react(response, proper());
      return;
    }
    if (about !== undefined) present.add(about);
    seen.push(asked);
    react(response, reactions.shift() ?? proper());
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    next: (...more) => void reactions.push(...more),
    check: () => {
      const wrong = violations.splice(0);
      reactions = [];
      seen.length = 0;
      for (const about of present) past.add(about);
      present.clear();
      if (wrong.length > 0) throw new Error(`the upstream would not take it: ${wrong.join('; ')}`);
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const readAsked = async (request: IncomingMessage, violations: string[]): Promise<GraphSeen> => {
  const url = new URL(request.url!, 'http://upstream');
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString('utf8');
  const [, version = '', path = ''] = /^\/(v[^/]+)\/(.*)$/.exec(url.pathname) ?? [];
  if (version !== 'v22.0') violations.push(`the version is ${version || 'missing'}`);
  violations.push(...wrongHeaders(request, text !== ''));
  const query = Object.fromEntries(url.searchParams);
  return { method: request.method!, path, query, body: bodyOf(text, violations) };
};

const wrongHeaders = ({ headers }: IncomingMessage, hasBody: boolean): string[] => {
  const wish: Record<string, string | undefined> = {
    authorization: `Bearer ${graphToken}`,
    accept: 'application/json',
    'content-type': hasBody ? 'application/json' : undefined,
  };
  return Object.entries(wish)
    .filter(([name, value]) => headers[name] !== value)
    .map(([name]) => `header ${name} is ${String(headers[name] ?? 'missing')}`);
};

const bodyOf = (text: string, violations: string[]): unknown => {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    violations.push('the body is no JSON');
    return undefined;
  }
};

const wrongWith = ({ query = z.strictObject({}), body = z.undefined() }: GraphRoute, asked: GraphSeen) =>
  [['query', query.safeParse(asked.query)] as const, ['body', body.safeParse(asked.body)] as const].flatMap(
    ([what, { error }]) => (error ? [`${what}: ${z.prettifyError(error)}`] : []),
  );

const react = (response: ServerResponse, reaction: GraphReaction): void => {
  if ('cut' in reaction) {
    if (reaction.cut === 'unanswered') response.destroy();
    else {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
      response.write('{"messaging_product":"whatsapp","messages":[{"id":"wamid.', () => response.destroy());
    }
    return;
  }
  if ('html' in reaction) {
    response.writeHead(reaction.status, { 'content-type': 'text/html' }).end(reaction.html);
    return;
  }
  const { status, json, headers = {}, afterMs = 0, when } = reaction;
  const send = () =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json));
  if (when) void when.then(send);
  else if (afterMs > 0) setTimeout(send, afterMs);
  else send();
};

let messages = 0;

const accepted = ({ body }: GraphSeen): GraphReaction => {
  messages += 1;
  if (!('messaging_product' in body))
    return { status: 200, json: { recipient_id: body.recipient.id, message_id: `m_${messages}` } };
  const contacts = [{ input: body.to, wa_id: body.to }];
  const id = `wamid.${messages}`;
  return { status: 200, json: { messaging_product: 'whatsapp', contacts, messages: [{ id }] } };
};

/** A number registered at a business, and the token that may read both. */
export const registered = { business: '102290129340398', phone: '106540352242922', number: '15550783881' };

const ownRoutes: readonly GraphRoute[] = [
  { method: 'POST', path: /^\d+\/messages$/, body: messageOf, answer: accepted },
  {
    method: 'GET',
    path: new RegExp(`^${registered.business}$`),
    query: z.strictObject({ fields: z.literal('id,name') }),
    answer: () => ({ status: 200, json: { id: registered.business, name: 'Ana’s shop' } }),
  },
  {
    method: 'GET',
    path: new RegExp(`^${registered.business}/phone_numbers$`),
    query: z.strictObject({ fields: z.literal('id'), limit: z.literal('200') }),
    answer: () => ({ status: 200, json: { data: [{ id: registered.phone }] } }),
  },
  {
    method: 'GET',
    path: new RegExp(`^${registered.phone}$`),
    query: z.strictObject({ fields: z.literal('display_phone_number,verified_name,quality_rating') }),
    answer: () => ({
      status: 200,
      json: {
        id: registered.phone,
        display_phone_number: '+1 555-078-3881',
        verified_name: 'Ana',
        quality_rating: 'GREEN',
      },
    }),
  },
  {
    method: 'GET',
    path: /^debug_token$/,
    query: z.strictObject({ input_token: z.literal(graphToken) }),
    answer: () => ({
      status: 200,
      json: {
        data: { app_id: '1', is_valid: true, scopes: ['whatsapp_business_messaging', 'public_profile'] },
      },
    }),
  },
];

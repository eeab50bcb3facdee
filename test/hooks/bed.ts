/** A service whose chat lines have a strict upstream, a customer who listens, and a database that can be cut off. */
import { createHmac } from 'node:crypto';
import { type Cutter, openCutter } from '../helpers/cutter.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';
import { type GraphRoute, type GraphServer, graphToken, startGraphServer } from '../helpers/graphServer.ts';
import { type Receiver, startReceiver } from '../helpers/receiver.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';

export { aboutMessages } from './bodies.ts';

export const appSecret = 'the-app-secret-of-the-tests';
export const verifyToken = 'the-verify-token-of-the-tests';

export interface HookAnswer {
  http: number;
  text: string;
  retryAfter: string | null;
}

/** The row of a message in the log. */
// oxlint-disable-next-line typescript/no-explicit-any -- rows are compared with literals, column by column
type Row = any;

export interface HookBed {
  on: TestService;
  database: TestDatabase;
  wire: Cutter;
  upstream: GraphServer;
  receiver: Receiver;
  /** Makes a line that is whole; answers its id. */
  line(body: object, account?: number): Promise<number>;
  /** Brings a hook, signed unless `signature` says otherwise. */
  hook(channel: string, line: number, body: object | string, signature?: string | null): Promise<HookAnswer>;
  message(id: number | string, account?: number): Promise<Row>;
  stop(): Promise<void>;
}

/** `routes`: what else the upstream takes. */
export const startHookBed = async (routes: readonly GraphRoute[] = []): Promise<HookBed> => {
  const database = await freshDatabase();
  const address = new URL(database.url);
  const wire = await openCutter(Number(address.port));
  address.port = new URL(wire.url).port;
  const upstream = await startGraphServer(routes);
  const receiver = await startReceiver();
  const on = await startTestService({
    DATABASE_URL: address.href,
    GRAPH_URL: upstream.url,
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
  });
  return {
    ...{ on, database, wire, upstream, receiver },
    line: async (body, account = demoAccount) => {
      const whole = { v8l_wa_provider: 'cloud', v8l_wa_api_key: graphToken, app_secret: appSecret };
      const made = await on.admin('POST', `/accounts/${account}/lines`, {
        ...{ ...whole, verify_token: verifyToken },
        ...body,
      });
      if (made.http !== 201) throw new Error(JSON.stringify(made.body));
      return made.body.v8l_id;
    },
    hook: (channel, line, body, signature) => bring(`${on.url}/hooks/${channel}/${line}`, body, signature),
    message: async (id, account = demoAccount) => {
      const { rows } = await database.pool.query('SELECT * FROM messages WHERE account_id = $1 AND id = $2', [
        account,
        id,
      ]);
      return rows[0];
    },
    stop: async () => {
      await on.stop();
      receiver.close();
      await Promise.all([upstream.stop(), wire.close()]);
      await database.drop();
    },
  };
};

export const signed = (body: string, secret = appSecret): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

const bring = async (
  url: string,
  body: object | string,
  signature: string | null | undefined,
): Promise<HookAnswer> => {
  const raw = typeof body === 'string' ? body : JSON.stringify(body);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (signature !== null) headers['x-hub-signature-256'] = signature ?? signed(raw);
  const answer = await fetch(url, { method: 'POST', headers, body: raw });
  return { http: answer.status, text: await answer.text(), retryAfter: answer.headers.get('retry-after') };
};

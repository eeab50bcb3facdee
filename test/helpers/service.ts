/** The whole service on a real database of its own, with the sandbox carrier; spoken to over HTTP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallInput } from '../../machines/call/input.ts';
import { pino } from 'pino';
import { type StartedService, startService, type ServiceStartOptions } from '../../src/compose/service.ts';
import { readConfig } from '../../src/config.ts';
import { logRedactionOptions } from '../../src/log.ts';
import { Ramal } from '../../packages/client/src/index.ts';
import { holdToRoute } from './adminAnswers.ts';
import { heldFetch, holdToDeclaration } from './answers.ts';
import { freshDatabase, type TestDatabase } from './database.ts';
import { collectIncidents } from './incidents.ts';
import { passes } from './milestones.ts';

export const demoToken = 'DEMO0token0DEMO0token0DEMO0tok';
export const demoAccount = 3;
/** As on all nodes of an installation. */
export const secretKey = 'secret-key-for-all-the-tests';
export const adminToken = 'admin-token-for-the-tests';

/** An answer of the REST door. Keys are the contract's. */
export interface RestAnswer {
  http: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are compared with literals, key by key
  body: any;
}

export interface TestService {
  url: string;
  database: TestDatabase;
  service: StartedService;
  /**
   * Posts JSON, or a body as it stands when it is text or a form. The demo token is added to JSON. Throws when the
   * answer is not one that the operation declares, and the error itself when that led to a 500 that nobody wanted.
   */
  post(operation: string, body: object | string, headers?: Record<string, string>): Promise<RestAnswer>;
  /** The typed client of the demo account. */
  ramal: Ramal;
  /** Asks the admin API; throws when the answer is not one that the route declares. `headers`: default those of the holder of the admin token. */
  admin(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<RestAnswer>;
  /** What a call was born with. */
  inputOf(callId: string): Promise<CallInput>;
  /** Waits until a call of an account (default the demo one) has ended and answers its record. */
  ended(callId: string, of?: { id: number; tsid: string }): Promise<RestAnswer['body']>;
  /** For tests that want an internal error: what is done meanwhile may be answered 500. */
  broken<T>(work: () => Promise<T>): Promise<T>;
  /** The same while a table of the database is away. */
  without<T>(table: string, work: () => Promise<T>): Promise<T>;
  /** Throws the errors behind answers of 500 that nobody wanted, whoever was answered. */
  stop(): Promise<void>;
}

/** `hear`: hears every line of its log, of all levels. */
export const startTestService = async (
  env: Record<string, string> = {},
  hear?: (line: string) => void,
  options: ServiceStartOptions = {},
): Promise<TestService> => {
  const database = await freshDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-service-'));
  const config = readConfig({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    DEMO_TOKEN: demoToken,
    ADMIN_TOKEN: adminToken,
    SECRET_KEY: secretKey,
    SANDBOX_SPEED: '50',
    REQUESTS_PER_SECOND: '100000',
    ...env,
  });
  const incidents = collectIncidents();
  const write = (line: string): void => {
    incidents.hear(line);
    hear?.(line);
  };
  const log = pino({ level: hear ? 'trace' : 'error', ...logRedactionOptions }, { write });
  const service = await startService({ ...config, port: 0, host: '127.0.0.1' }, log, options);
  const url = `http://127.0.0.1:${service.port}`;

  const post: TestService['post'] = async (operation, body, headers = {}) => {
    const plain = typeof body === 'string' || body instanceof FormData || body instanceof URLSearchParams;
    const answer = await ask(`${url}/api/v2/${operation}.php`, {
      method: 'POST',
      headers: plain ? headers : { 'Content-Type': 'application/json', ...headers },
      body: plain ? body : JSON.stringify({ tsid: demoToken, ...body }),
    });
    incidents.throwAny();
    holdToDeclaration(operation, answer.http, answer.body);
    return answer;
  };
  const refOf = (callId: string, account = demoAccount) => ({
    ...{ shard: 'a', account, id: Number(callId.split('_')[1]) },
  });

  return {
    url,
    database,
    service,
    post,
    ramal: new Ramal({ url, token: demoToken, fetch: heldFetch }),
    admin: async (method, path, body, headers = { authorization: `Bearer ${adminToken}` }) => {
      const answer = await ask(`${url}/admin/api${path}`, {
        method,
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      });
      incidents.throwAny();
      holdToRoute(method, path, answer.http, answer.body);
      return answer;
    },
    inputOf: async (callId) =>
      ((await service.engine.view(refOf(callId)))!.context as { call: CallInput }).call,
    ended: async (callId, { id, tsid } = { id: demoAccount, tsid: demoToken }) => {
      await passes(service.engine, refOf(callId, id), 'ended');
      return (await post('GetCallStatus', { tsid, cd_id: callId })).body.calls[0];
    },
    broken: incidents.wanted,
    without: (table, work) =>
      incidents.wanted(async () => {
        await database.pool.query(`ALTER TABLE ${table} RENAME TO ${table}_away`);
        try {
          return await work();
        } finally {
          await database.pool.query(`ALTER TABLE ${table}_away RENAME TO ${table}`);
        }
      }),
    stop: async () => {
      await service.stop();
      await database.drop();
      rmSync(dataDir, { recursive: true });
      incidents.throwAny();
    },
  };
};

const ask = async (url: string, init: RequestInit): Promise<RestAnswer> => {
  const response = await fetch(url, init);
  const text = await response.text();
  return {
    http: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
};

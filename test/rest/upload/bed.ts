/** A REST door with one operation that takes files and tells what it was given. */
import { ResponseCapacity } from '../../../src/access/unsentResponseLimits.ts';
import { BodyMemoryBudget } from '../../../src/access/bodyMemoryBudget.ts';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { seed } from '../../../src/demo/seedAccounts.ts';
import { startHttpServer } from '../../../src/http/startHttpServer.ts';
import { openLog } from '../../../src/log.ts';
import { type AnyOperation, emptyObjectSchema, defineOperation } from '../../../src/operations/declare.ts';
import { text } from '../../../src/operations/parameterValueSchemas.ts';
import type { Services } from '../../../src/operations/services.ts';
import type { UploadedFile } from '../../../src/operations/operationUploadTypes.ts';
import { restApiMiddleware } from '../../../src/rest/endpoint.ts';
import { answerForThrownError } from '../../../src/rest/serverErrors.ts';
import { AnonymousUploadAllowance } from '../../../src/rest/upload/allowance.ts';
import { prepareTemporaryFolder } from '../../../src/rest/upload/temporary.ts';
import { ControlDatabase } from '../../../src/store/controlDatabase.ts';
import { openRateLimits } from '../../../src/compose/requestLimits.ts';
import { freshDatabase } from '../../helpers/database.ts';
import { defineParams } from '../../../src/operations/param.ts';

const told = async (file: UploadedFile | undefined) => {
  if (!file) return undefined;
  const { name, field, contentType, bytes } = file;
  let content = '';
  for await (const piece of file.open())
    if (content.length < 100) content += (piece as Buffer).toString('latin1');
  return { name, field, contentType, bytes, content: content.slice(0, 100), digest: await file.digest() };
};

const given = defineParams({
  label: { rest: 'label', schema: text(100).default(''), description: '' },
  long: { rest: 'long', schema: text(10).optional(), description: '' },
});

const probe = defineOperation({
  name: 'Probe',
  section: '9',
  topic: 'lists',
  summary: '',
  permission: 'telephony',
  creates: false,
  params: given,
  errors: {
    tooBig: { code: '221', text: '' },
    discarded: { code: '226', text: '' },
    broken: { code: '230', text: '' },
    explodes: { code: '300', text: '' },
  },
  upload: {
    limit: 'list',
    raw: /^audio\//,
    spills: ['long'],
    refusedAs: { tooLarge: 'tooBig', discarded: 'discarded', partial: 'broken' },
  },
  answer: {
    fields: z.object({ label: z.string(), file: z.unknown(), long: z.unknown() }),
    beside: emptyObjectSchema,
    failed: z.object({ id: z.literal('0') }),
  },
  failure: { fields: { id: '0' }, beside: {} },
  example: { request: {}, response: {} },
  async handle({ params: read, file, spilled, refuse }) {
    if (read.label === 'explode') throw new Error('a bug');
    if (read.label === 'beside') await writeFile(file!.beside, 'made of it', { flag: 'wx' });
    if (read.label === 'refuse') return refuse('explodes', 'as asked');
    return { fields: { label: read.label, file: await told(file), long: await told(spilled['long']) } };
  },
});

const plain: AnyOperation = { ...probe, name: 'Plain', accessRefusedAs: '210', upload: { limit: 'list' } };

/** The token of the account that asks. */
export const demoToken = 'DEMO0token0DEMO0token0DEMO0tok';
const { upload: _, ...withoutFiles } = probe;
const bare: AnyOperation = { ...withoutFiles, name: 'Bare' };

const plenty = { most: 1e9, mostOfOne: 1e9 };

export const maxFileBytes = 3_000_000;
export const maxRestBytes = 20_000;
/** For callers without a token. */
export const allowanceBytes = 50_000;

export interface UploadBed {
  url: string;
  port: number;
  /** Posts to the probe. */
  post(
    body: NonNullable<RequestInit['body']>,
    headers?: Record<string, string>,
    query?: string,
  ): Promise<Told>;
  /** Names of the files that are there now. */
  files(): string[];
  /** Takes the folder away. */
  removeFolder(): void;
  stop(): Promise<void>;
}

export interface Told {
  http: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- compared with literals, key by key
  return: any;
}

export const openUploadBed = async (): Promise<UploadBed> => {
  const database = await freshDatabase();
  const control = new ControlDatabase(database.prisma, () => Date.now());
  await seed(control, demoToken, { shard: 'a', pool: database.pool, sandbox: true });
  const root = mkdtempSync(join(tmpdir(), 'ramal-upload-'));
  const folder = prepareTemporaryFolder(root, 'node');
  const log = openLog('silent');
  const door = restApiMiddleware({
    operations: [probe, plain, bare],
    services: {} as Services,
    control,
    limits: await openRateLimits(undefined, database.pool, log),
    now: () => Date.now(),
    trustedProxies: [],
    answers: new ResponseCapacity(),
    bodies: new BodyMemoryBudget({ small: plenty, large: plenty, known: plenty }),
    maxBodyBytes: maxRestBytes,
    uploads: {
      folder,
      maxBytes: { list: maxFileBytes, audio: maxFileBytes },
      allowance: new AnonymousUploadAllowance(allowanceBytes),
    },
    observe: () => {},
    failed: (error) => answerForThrownError(error, log),
  });
  const http = await startHttpServer([door], { port: 0, host: '127.0.0.1' }, log);
  const url = `http://127.0.0.1:${http.port}/api/v2/Probe.php`;
  return {
    url,
    port: http.port,
    post: async (body, headers = {}, query = '') => {
      const init = { method: 'POST', body, headers, duplex: 'half' } as RequestInit;
      const response = await fetch(url + query, init);
      return { http: response.status, ...((await response.json()) as { return: object }) };
    },
    files: () => readdirSync(folder),
    removeFolder: () => rmSync(folder, { recursive: true }),
    stop: async () => {
      await http.close(0);
      await database.drop();
      rmSync(root, { recursive: true });
    },
  };
};

/**
 * A list of half a million records through HTTP into the database, beside a plain COPY of the same file; and what the
 * service's memory came to meanwhile.
 */
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Pool } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { demoToken, type RunningService, startService } from './http/service.ts';
import { peakMegabytes, watchChildren } from './memory.ts';
import type { Section } from './section.ts';

const sizes = { full: 500_000, quick: 20_000 };
const MEMORY_GOAL = 250;

export const lists: Section = (bench) =>
  bench.bed.withDatabase(async (database) => {
    const records = bench.quick ? sizes.quick : sizes.full;
    const csv = join(bench.bed.folder, 'list.csv');
    const json = join(bench.bed.folder, 'list.json');
    await writeFiles(csv, json, records);
    bench.say(
      `${records} records, ${megabytes(statSync(csv).size)} MB of CSV, ${megabytes(statSync(json).size)} MB of JSON …`,
    );
    const service = await startService(database.url, bench.bed.folder);
    try {
      bench.note('largest memory of the service before the first list', {
        value: peakMegabytes(service.pid),
        unit: 'MB',
      });
      for (let round = 0; round < bench.rounds; round += 1) {
        const sides = [() => plainCopy(database.pool, csv), () => upload(service, csv, 'text/csv', records)];
        const [first, second] = round % 2 === 0 ? sides : sides.toReversed();
        const seconds = [await first!(), await second!()];
        const [plain, ours] = round % 2 === 0 ? seconds : seconds.toReversed();
        bench.note('records a second, CSV through HTTP; limit: COPY of the file', {
          value: records / ours!,
          unit: '1/s',
          beside: records / plain!,
          ...(bench.quick ? {} : { ratioGoal: { atLeast: 0.4 } }),
        });
        const child = watchChildren(service.pid);
        const ofJson = await upload(service, json, 'application/json', records);
        bench.note('largest memory of the process that reads the list', { value: child.stop(), unit: 'MB' });
        bench.note('records a second, JSON through HTTP', { value: records / ofJson, unit: '1/s' });
      }
      bench.note('largest memory of the service', {
        value: peakMegabytes(service.pid),
        unit: 'MB',
        goal: { below: MEMORY_GOAL },
      });
    } finally {
      await service.stop();
    }
    await audit(database.pool, records, 2 * bench.rounds);
  });

const megabytes = (bytes: number): number => Math.round(bytes / 1e6);

const names = ['Ana Lúcia', 'João da Conceição', 'Maria', 'Pedro Álvares', 'Zé'];
const areas = [11, 21, 31, 41, 51, 61, 71, 81, 91];

const record = (n: number) => ({
  phone: `${areas[n % areas.length]}9${80_000_000 + (n % 10_000_000)}`,
  name: names[n % names.length]!,
  cod_cli: String(100_000 + n),
  extra1: `R$ ${n % 1000},00`.replace(',', '.'),
  extra2: '2026-11-30',
});

const writeFiles = async (csv: string, json: string, count: number): Promise<void> => {
  await pipeline(Readable.from(csvLines(count)), createWriteStream(csv));
  await pipeline(Readable.from(jsonParts(count)), createWriteStream(json));
};

const PART = 1000;

function* csvLines(count: number): Generator<string> {
  yield `${Object.keys(record(0)).join(',')}\n`;
  for (let n = 0; n < count; n += PART)
    yield range(n, Math.min(count, n + PART), (one) => `${Object.values(record(one)).join(',')}\n`).join('');
}

function* jsonParts(count: number): Generator<string> {
  yield `{"tsid":"${demoToken}","datajson":[`;
  for (let n = 0; n < count; n += PART) {
    const part = range(n, Math.min(count, n + PART), (one) => JSON.stringify(record(one))).join(',');
    yield n === 0 ? part : `,${part}`;
  }
  yield ']}';
}

const range = (from: number, to: number, make: (n: number) => string): string[] =>
  Array.from({ length: to - from }, (_, index) => make(from + index));

/** Seconds of a COPY into a table of the same shape, with the same key. */
const plainCopy = async (pool: Pool, path: string): Promise<number> => {
  await pool.query(`DROP TABLE IF EXISTS plain; DROP SEQUENCE IF EXISTS plain_row; CREATE SEQUENCE plain_row CACHE 1000;
    CREATE TABLE plain (LIKE list_records INCLUDING ALL);
    ALTER TABLE plain ALTER account_id SET DEFAULT 3, ALTER list_id SET DEFAULT 1,
      ALTER "row" SET DEFAULT nextval('plain_row')`);
  const client = await pool.connect();
  try {
    const began = performance.now();
    const columns = 'numbers, name, client_code, extra_1, extra_2';
    const copy = client.query(copyFrom(`COPY plain (${columns}) FROM STDIN (FORMAT csv, HEADER true)`));
    await pipeline(createReadStream(path, { highWaterMark: 256 * 1024 }), copy);
    return (performance.now() - began) / 1000;
  } finally {
    client.release();
  }
};

const boundary = 'bench-bench-bench';
const head = `--${boundary}\r\nContent-Disposition: form-data; name="tsid"\r\n\r\n${demoToken}\r\n--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="list.csv"\r\nContent-Type: text/csv\r\n\r\n`;
const tail = `\r\n--${boundary}--\r\n`;

async function* multipartOf(path: string): AsyncGenerator<string | Buffer> {
  yield head;
  for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 })) yield piece as Buffer;
  yield tail;
}

/** Seconds from the first byte to the answer. */
const upload = async (
  service: RunningService,
  path: string,
  type: 'text/csv' | 'application/json',
  records: number,
): Promise<number> => {
  const isJson = type === 'application/json';
  const began = performance.now();
  const body = isJson ? createReadStream(path, { highWaterMark: 256 * 1024 }) : multipartOf(path);
  const answer = await post(service, body, isJson ? type : `multipart/form-data; boundary=${boundary}`);
  const seconds = (performance.now() - began) / 1000;
  const { num_dest: taken } = (JSON.parse(answer) as { return: { num_dest?: string } }).return;
  if (taken !== String(records)) throw new Error(`refused: ${answer}`);
  return seconds;
};

const post = (service: RunningService, body: AsyncIterable<unknown>, type: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const url = `${service.url}/api/v2/CreateDestinationBase.php`;
    const sending = request(url, { method: 'POST', headers: { 'Content-Type': type } }, (response) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('end', () => resolve(text));
    });
    pipeline(body, sending).catch(reject);
  });

/** Every record of every list is there. */
const audit = async (pool: Pool, records: number, uploads: number): Promise<void> => {
  const { rows } = await pool.query<{ lists: number; records: number }>(
    `SELECT (SELECT count(*)::int FROM lists WHERE records = $1) AS lists, (SELECT count(*)::int FROM list_records) AS records`,
    [records],
  );
  const { lists: found, records: stored } = rows[0]!;
  if (found !== uploads || stored !== uploads * records)
    throw new Error(
      `${uploads} lists of ${records} were uploaded; there are ${found}, with ${stored} records`,
    );
};

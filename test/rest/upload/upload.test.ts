import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { prepareTemporaryFolder } from '../../../src/rest/upload/temporary.ts';
import {
  allowanceBytes,
  demoToken,
  maxFileBytes,
  maxRestBytes,
  openUploadBed,
  type UploadBed,
} from './bed.ts';
import { eventually } from '../../helpers/patience.ts';

let on: UploadBed;
beforeAll(async () => {
  on = await openUploadBed();
});
afterAll(() => on.stop());
/** No test leaves a file behind. */
afterEach(() =>
  eventually(() => {
    if (on.files().length > 0) throw new Error(`left behind: ${on.files().join(', ')}`);
  }),
);

const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const digest = (text: string | Buffer) => createHash('sha256').update(text).digest('base64url');

const multipart = (...parts: [name: string, value: string | File][]) => {
  const body = new FormData();
  for (const [name, value] of parts) body.append(name, value);
  return body;
};
const boundary = 'xxBOUNDARYxx';
const byHand = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
/** A part as it stands. */
const part = (headers: string, content: string) => `--${boundary}\r\n${headers}\r\n\r\n${content}\r\n`;
const field = (name: string, value: string) => part(`Content-Disposition: form-data; name="${name}"`, value);
const end = `--${boundary}--\r\n`;

describe('a file', () => {
  test('comes under any field name, and the parameters with it', async () => {
    const content = 'a,b\r\n'.repeat(30_000);
    const answer = await on.post(
      multipart(['tsid', demoToken], ['whatever', new File([content], 'Liste ç.csv')], ['label', 'olá']),
    );
    expect(answer).toMatchObject({
      http: 200,
      return: {
        label: 'olá',
        file: { field: 'whatever', name: 'Liste ç.csv', bytes: content.length, digest: digest(content) },
      },
    });
  });

  test('the first one with content counts', async () => {
    const answer = await on.post(
      multipart(
        ['tsid', demoToken],
        ['one', new File([], 'empty.csv')],
        ['two', new File(['2'], 'two.csv')],
        ['three', new File(['3'.repeat(maxFileBytes)], 'three.csv')],
      ),
    );
    expect(answer.return.file).toMatchObject({ field: 'two', name: 'two.csv', content: '2' });
  });

  test('an empty one is told of when there is no other; none chosen is none', async () => {
    const one = await on.post(multipart(['tsid', demoToken], ['one', new File([], 'empty.csv')]));
    expect(one.return.file).toMatchObject({ name: 'empty.csv', bytes: 0 });
    const none = await on.post(
      field('tsid', demoToken) + part('Content-Disposition: form-data; name="f"; filename=""', '') + end,
      byHand,
    );
    expect(none).toMatchObject({ http: 200, return: { label: '' } });
    expect(none.return.file).toBeUndefined();
  });

  test.each([
    ['..\\..\\etc\\passwd', 'passwd'],
    ['../../etc/passwd', 'passwd'],
    ['/abs/\u00e1.csv', 'á.csv'],
    ['a%22b.csv', 'a"b.csv'],
    ['a\\"b.csv', 'a"b.csv'],
    ['x'.repeat(5000), 'x'.repeat(200)],
    ['a\u0000b', 'ab'],
    ['..', '..'],
  ])('the name %j is only a name', async (name, plain) => {
    const headers = `Content-Disposition: form-data; name="f"; filename="${name}"`;
    const body = Buffer.from(field('tsid', demoToken) + part(headers, 'x') + end, 'latin1');
    expect((await on.post(body, byHand)).return.file).toMatchObject({ name: plain, bytes: 1 });
  });

  test('may be the body itself, with all parameters in the query string', async () => {
    const bytes = Buffer.alloc(300_000, 7);
    const answer = await on.post(bytes, { 'Content-Type': 'Audio/WAV; x=1' }, `?tsid=${demoToken}&label=q`);
    expect(answer.return).toMatchObject({
      label: 'q',
      file: { contentType: 'audio/wav', field: '', name: '', bytes: 300_000, digest: digest(bytes) },
    });
  });

  test('is gone when the operation refuses, or breaks', async () => {
    const file = ['f', new File(['1'], 'a.csv')] as [string, File];
    const refused = await on.post(multipart(['tsid', demoToken], ['label', 'refuse'], file));
    expect(refused).toMatchObject({ http: 400, return: { status_code: '300', id: '0' } });
    const broken = await on.post(multipart(['tsid', demoToken], ['label', 'explode'], file));
    expect(broken.http).toBe(500);
  });
});

test('what an operation made of a file goes with it', async () => {
  const made = await on.post(
    multipart(['tsid', demoToken], ['label', 'beside'], ['any', new File(['some'], 'some')]),
  );
  expect(made).toMatchObject({ http: 200, return: { label: 'beside' } });
});

test('a folder that a neighbour took for abandoned is made again', async () => {
  on.removeFolder();
  expect(await on.post(multipart(['tsid', demoToken], ['any', new File(['some'], 'some')]))).toMatchObject({
    http: 200,
    return: { file: { bytes: 4 } },
  });
});

describe('a long parameter', () => {
  const list = JSON.stringify(
    Array.from({ length: 700 }, (_, n) => ({ phone: `1198765${n}`, name: 'Ção "]}' })),
  );

  test.each([
    ['an array in JSON', `{"tsid":"${demoToken}","long":${list},"label":"l"}`, json],
    ['an array before the rest', `{"long": ${list} ,"tsid":"${demoToken}","label":"l"}`, json],
    ['text in JSON', JSON.stringify({ tsid: demoToken, long: list, label: 'l' }), json],
    ['JSON under a wrong name', JSON.stringify({ tsid: demoToken, long: list, label: 'l' }), form],
    [
      'JSON with a byte order mark',
      `\ufeff ${JSON.stringify({ tsid: demoToken, long: list, label: 'l' })}`,
      json,
    ],
    ['a form', `tsid=${demoToken}&long=${encodeURIComponent(list)}&label=l`, form],
    ['a form of another order', `label=l&tsid=${demoToken}&long=${encodeURIComponent(list)}`, form],
    [
      'a field of multipart',
      field('tsid', demoToken) + field('long', list) + field('label', 'l') + end,
      byHand,
    ],
  ])('comes as %s', async (_, body, headers) => {
    const answer = await on.post(body, headers);
    expect(answer.return).toMatchObject({ label: 'l', long: { field: 'long', digest: digest(list) } });
  });

  test('the query string wins over the body', async () => {
    const answer = await on.post(`tsid=${demoToken}&long=body`, form, '?long=query');
    expect(answer.return.long.content).toBe('query');
  });

  test.each(['{"long":null}', '{"long":""}', '{}'])('%s is none', async (body) => {
    const answer = await on.post(body, json, `?tsid=${demoToken}`);
    expect([answer.http, answer.return.long]).toEqual([200, undefined]);
  });

  test('a number is its digits', async () => {
    expect((await on.post(`{"tsid":"${demoToken}","long":12}`, json)).return.long.content).toBe('12');
  });

  test('may be larger than all else', async () => {
    const long = 'é'.repeat(1_000_000);
    const answer = await on.post(JSON.stringify({ tsid: demoToken, long }), json);
    expect(answer.return.long).toMatchObject({ bytes: 2_000_000, digest: digest(long) });
  });
});

/** Sends bytes without end until the service closes the connection or has answered; answers what it said. */
const flood = (head: string, piece: Buffer, most: number): Promise<{ answer: string; sent: number }> =>
  new Promise((resolve) => {
    const socket = connect(on.port, '127.0.0.1');
    let answer = '';
    let sent = 0;
    const pour = (): void => {
      while (sent < most && socket.writable) {
        sent += piece.length;
        if (!socket.write(piece)) return;
      }
    };
    socket.on('data', (part_: Buffer) => (answer += part_.toString()));
    socket.on('drain', pour);
    socket.on('error', () => {});
    socket.on('close', () => resolve({ answer, sent }));
    socket.write(head);
    pour();
  });

describe('too much', () => {
  const head = (contentType: string, length: string) =>
    `POST /api/v2/Probe.php?tsid=${demoToken} HTTP/1.1\r\nHost: x\r\nContent-Type: ${contentType}\r\n${length}\r\n\r\n`;
  const twoGigabytes = 2_000_000_000;

  test.each([
    ['a sound', 'audio/wav', `Content-Length: ${twoGigabytes}`, '', '"221"'],
    ['multipart', byHand['Content-Type'], `Content-Length: ${twoGigabytes}`, '', '"226"'],
    ['JSON', 'application/json', `Content-Length: ${twoGigabytes}`, '{"long":"', '"221"'],
    ['a form', 'application/x-www-form-urlencoded', `Content-Length: ${twoGigabytes}`, 'long=', '"221"'],
    [
      'a parameter nobody asked for',
      'application/json',
      `Content-Length: ${twoGigabytes}`,
      '{"x":"',
      '"226"',
    ],
  ])('%s of two gigabytes is refused, and not read to its end', async (_, type, length, begin, code) => {
    const { answer, sent } = await flood(
      head(type, length) + begin,
      Buffer.alloc(1_000_000, 'a'),
      twoGigabytes,
    );
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain(code);
    expect(sent).toBeLessThan(200_000_000);
  });

  test.each(['application/json', byHand['Content-Type']])(
    'two gigabytes of %s for an operation without files are refused as well',
    async (type) => {
      const request = head(type, `Content-Length: ${twoGigabytes}`).replace('Probe', 'Bare');
      const { answer, sent } = await flood(request, Buffer.alloc(1_000_000, 'a'), twoGigabytes);
      expect(answer).toMatch(/^HTTP\/1.1 413 [^]*"413"/);
      expect(sent).toBeLessThan(200_000_000);
    },
  );

  test('a file beyond the limit, of a client that reads to the end', async () => {
    const big = new File(['x'.repeat(maxFileBytes + 1)], 'a.csv');
    const answer = await on.post(multipart(['tsid', demoToken], ['f', big]));
    expect(answer).toMatchObject({ http: 413, return: { status_code: '221', id: '0' } });
    expect(answer.return.status).toContain(`upload error 2: the file is larger than ${maxFileBytes} bytes`);
  });

  test('fields beyond the limit, in size or number', async () => {
    const large = await on.post(multipart(['tsid', demoToken], ['label', 'x'.repeat(maxRestBytes)]));
    expect(large).toMatchObject({ http: 413, return: { status_code: '226' } });
    const many = await on.post(multipart(...Array.from({ length: 1001 }, (): [string, string] => ['a', ''])));
    expect(many).toMatchObject({ http: 413, return: { status_code: '226' } });
  });

  test('where nothing is declared for it, the code is 413', async () => {
    const response = await fetch(on.url.replace('Probe', 'Plain'), {
      method: 'POST',
      body: multipart(['tsid', demoToken], ['f', new File(['x'.repeat(maxFileBytes + 1)], 'a.csv')]),
    });
    expect(await response.json()).toMatchObject({ return: { status_code: '413', id: '0' } });
  });
});

describe('who sends it', () => {
  const file = (bytes: number): [string, File] => ['f', new File(['x'.repeat(bytes)], 'a.csv')];

  test('is known before a byte of the file is kept, when the token comes first', async () => {
    const request = `POST /api/v2/Probe.php?tsid=${'y'.repeat(30)} HTTP/1.1\r\nHost: x\r\nContent-Type: audio/wav\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`;
    // The body never ends; the answer comes all the same.
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(on.port, '127.0.0.1', () => socket.write(request));
      socket.once('data', (bytes: Buffer) => {
        socket.destroy();
        resolve(bytes.toString());
      });
    });
    expect(answer).toMatch(/^HTTP\/1.1 401 [^]*"102"/);
  });

  test.each([
    ['a field before the file', multipart(['tsid', 'y'.repeat(30)], file(10)), {}],
    ['a field after the file', multipart(file(10), ['tsid', 'y'.repeat(30)]), {}],
    ['JSON before', JSON.stringify({ tsid: 'y'.repeat(30), long: 'x' }), json],
    ['JSON after', JSON.stringify({ long: 'x', tsid: 'y'.repeat(30) }), json],
    ['the header', multipart(file(10)), { Authorization: `Bearer ${'y'.repeat(30)}` }],
  ])('a wrong token in %s is refused', async (_, body, headers) => {
    expect(await on.post(body, headers)).toMatchObject({
      http: 401,
      return: { status_code: '102', id: '0' },
    });
  });

  test('a token after a small file is soon enough', async () => {
    expect((await on.post(multipart(file(1000), ['tsid', demoToken]))).http).toBe(200);
  });

  test('all who have shown no token may only fill so much of the disk', async () => {
    for (let i = 0; i < 5; i += 1) {
      const answer = await on.post(multipart(file(allowanceBytes + 1), ['tsid', demoToken]));
      expect(answer).toMatchObject({ http: 401, return: { status_code: '100' } });
      expect(answer.return.status).toMatch(/before the file/);
    }
    expect((await on.post(multipart(file(allowanceBytes), ['tsid', demoToken]))).http).toBe(200);
  });

  test('an operation may forward the refusal under a code of its own', async () => {
    const response = await fetch(on.url.replace('Probe', 'Plain'), {
      method: 'POST',
      body: 'tsid=short',
      headers: form,
    });
    expect([response.status, await response.json()]).toMatchObject([
      401,
      { return: { status_code: '210', status: expect.stringMatching(/^100: authentication failed/) } },
    ]);
  });
});

describe('what is broken', () => {
  const opened =
    field('tsid', demoToken) + part('Content-Disposition: form-data; name="f"; filename="a"', 'xyz');
  test.each([
    ['multipart without its end', opened, byHand, 400, '230'],
    ['multipart cut in the middle of a header', opened + `--${boundary}\r\nContent-Disp`, byHand, 400, '230'],
    ['another boundary', opened.replaceAll(boundary, 'other'), byHand, 400, '230'],
    ['no boundary', opened, { 'Content-Type': 'multipart/form-data' }, 400, '100'],
    ['a part without a name', part('Content-Type: text/plain', 'x') + end, byHand, 400, '100'],
    ['a header without end', `--${boundary}\r\n${'x'.repeat(18_000)}`, byHand, 400, '100'],
    ['JSON that ends in a long text', '{"long":"abc', json, 400, '230'],
    ['JSON that ends in a list', '{"long":[{"a":"b"}', json, 400, '230'],
    ['JSON that ends outside', `{"tsid":"${demoToken}"`, json, 400, '100'],
    ['an array', '[1,2]', json, 400, '100'],
    ['words', 'just words', { 'Content-Type': 'text/plain' }, 400, '100'],
    ['a compressed body', 'x', { 'Content-Encoding': 'gzip' }, 415, '415'],
  ])('%s is refused', async (_, body, headers, http, code) => {
    const answer = await on.post(body, headers);
    expect([answer.http, answer.return.status_code, answer.return.id]).toEqual([http, code, '0']);
  });

  test('a client that goes away leaves nothing', async () => {
    const socket = connect(on.port, '127.0.0.1');
    socket.write(
      `POST /api/v2/Probe.php?tsid=${demoToken} HTTP/1.1\r\nHost: x\r\nContent-Type: audio/wav\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(1000)}`,
    );
    await eventually(() => expect(on.files()).toHaveLength(1));
    socket.destroy();
    await eventually(() => expect(on.files()).toEqual([]));
  });

  test('no body at all is no file', async () => {
    expect((await on.post('', {}, `?tsid=${demoToken}`)).return.label).toBe('');
  });
});

test('what an earlier process left is removed at the start, and what neighbours abandoned', () => {
  const root = mkdtempSync(join(tmpdir(), 'ramal-left-'));
  for (const name of ['own', 'neighbour', 'abandoned']) {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, 'file'), 'x');
  }
  utimesSync(join(root, 'abandoned'), 1, 1);
  const folder = prepareTemporaryFolder(root, 'own');
  expect(readdirSync(folder)).toEqual([]);
  expect(readdirSync(root).toSorted()).toEqual(['neighbour', 'own']);
  rmSync(root, { recursive: true });
});

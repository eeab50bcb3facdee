/** Clients that want their connection closed (`Connection: close`, HTTP/1.0) read the answer to a body that is too large. */
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoToken, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

const MB = 1_000_000;
const boundary = 'multipart/form-data; boundary=b';
const part = '--b\r\nContent-Disposition: form-data; name="f"; filename="a.wav"\r\n\r\n';

interface Sent {
  path: string;
  type: string;
  begin?: string;
  bytes: number;
  headers?: string;
  version?: string;
}

/** Sends the whole of a request before it looks at the answer, as plain clients do; gives what came, or the error. */
const sendAll = ({
  path,
  type,
  begin = '',
  bytes,
  headers = 'Connection: close\r\n',
  version = '1.1',
}: Sent) =>
  new Promise<{ answer: string; sent: number; error: string | undefined }>((resolve) => {
    const socket = connect(Number(new URL(on.url).port), '127.0.0.1');
    const piece = Buffer.alloc(64 * 1024, 'a');
    const [parts, head] = [[] as Buffer[], Buffer.from(begin)];
    let left = bytes - head.length;
    let error: string | undefined;
    const pour = (): void => {
      while (left > 0) {
        const next = piece.subarray(0, Math.min(left, piece.length));
        left -= next.length;
        if (!socket.write(next)) return;
      }
      socket.on('data', (chunk: Buffer) => parts.push(chunk));
    };
    socket.on('drain', pour);
    socket.on('error', (failed: NodeJS.ErrnoException) => (error = failed.code));
    socket.on('close', () => resolve({ answer: Buffer.concat(parts).toString(), sent: bytes - left, error }));
    socket.write(
      `POST ${path} HTTP/${version}\r\nHost: 127.0.0.1\r\nContent-Type: ${type}\r\n${headers}Content-Length: ${bytes}\r\n\r\n`,
    );
    socket.write(head);
    pour();
  });

const shown = `?tsid=${demoToken}`;
const unknown = `?tsid=${'x'.repeat(30)}`;
const json = 'application/json';

test.each<[string, number, string, Sent]>([
  ['9 MB for MakeSMS', 413, '413', { path: `/api/v2/MakeSMS.php${shown}`, type: json, bytes: 9 * MB }],
  [
    '9 MB for GetDestinationsList of a client of HTTP/1.0',
    413,
    '413',
    {
      ...{ path: `/api/v2/GetDestinationsList.php${shown}`, type: json, begin: '{"a":"', bytes: 9 * MB },
      ...{ headers: '', version: '1.0' },
    },
  ],
  [
    '35 MB of multipart for CreateAudioFile',
    413,
    '226',
    { path: `/api/v2/CreateAudioFile.php${shown}`, type: boundary, begin: part, bytes: 35 * MB },
  ],
  [
    '25 MB of sound for CreateAudioFile',
    413,
    '221',
    { path: `/api/v2/CreateAudioFile.php${shown}`, type: 'audio/wav', bytes: 25 * MB },
  ],
  [
    '15 MB with an unknown token',
    401,
    '102',
    { path: `/api/v2/CreateAudioFile.php${unknown}`, type: 'audio/wav', bytes: 15 * MB },
  ],
  ['15 MB for no endpoint', 404, '404', { path: '/api/v2/Nothing.php', type: json, bytes: 15 * MB }],
  ['15 MB for an address outside the API', 404, '404', { path: '/nothing', type: json, bytes: 15 * MB }],
])('%s are answered %i, code %s', async (_, http, code, request) => {
  const { answer, sent, error } = await sendAll(request);
  expect([error, sent]).toEqual([undefined, request.bytes]);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${http} `));
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({
    return: { status_code: code },
  });
});

test.each<[string, number, Sent]>([
  [
    'tools',
    413,
    {
      ...{ path: '/mcp', type: json, bytes: 15 * MB },
      headers: `Connection: close\r\nAuthorization: Bearer ${demoToken}\r\n`,
    },
  ],
  ['the admin API without a key', 401, { path: '/admin/api/accounts', type: json, bytes: 15 * MB }],
  [
    'the admin API',
    413,
    {
      ...{ path: '/admin/api/accounts', type: json, bytes: 15 * MB },
      headers: 'Connection: close\r\nAuthorization: Bearer admin-token-for-the-tests\r\n',
    },
  ],
])('15 MB for %s are answered %i', async (_, http, request) => {
  const { answer, sent, error } = await sendAll(request);
  expect([error, sent]).toEqual([undefined, request.bytes]);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${http} [^]*"error"`));
});

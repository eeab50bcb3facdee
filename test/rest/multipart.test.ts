import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { multipartBoundary, readParts } from '../../src/rest/multipart.ts';
import { UploadRefused } from '../../src/rest/upload/refused.ts';
import { demoToken, startTestService, type TestService } from '../helpers/service.ts';

const contentType = 'multipart/form-data; boundary=B';
/** A part as it stands. */
const part = (headers: string, content: string): string => `--B\r\n${headers}\r\n\r\n${content}\r\n`;
const field = (name: string, value: string, more = ''): string =>
  part(`Content-Disposition: form-data; name="${name}"${more}`, value);
const end = '--B--\r\n';

type ReadPart = { name: string; fileName?: string | undefined; contentType: string; text: string };

async function* inPieces(body: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}

/** All parts, or why not; the body comes in pieces of `size` bytes. */
const readAll = async (
  body: string | Buffer,
  size = 65_536,
  type = contentType,
): Promise<ReadPart[] | string> => {
  const read: ReadPart[] = [];
  try {
    for await (const { content, ...about } of readParts(inPieces(Buffer.from(body), size), type)) {
      let text = '';
      for await (const piece of content) text += piece.toString('latin1');
      read.push({ ...about, text });
    }
  } catch (error) {
    if (error instanceof UploadRefused) return error.message;
    throw error;
  }
  return read;
};
const fieldsOf = async (body: string, size?: number): Promise<unknown> => {
  const read = await readAll(body, size);
  return typeof read === 'string' ? read : read.map(({ name, text }) => [name, text]);
};

describe('the parts of a body', () => {
  test('keep what looks like a boundary and is none, however it is cut', async () => {
    const tricky = '\r\n-\r\n--\r\r\n\r\n--C\r\n--\r\n-B\r'.repeat(20);
    for (let size = 1; size < 40; size += 1)
      expect(await fieldsOf(field('a', tricky) + end, size)).toEqual([['a', tricky]]);
  });

  test.each([1, 2, 3, 5, 7, 64, 65_536])('are the same in pieces of %d bytes', async (size) => {
    const body =
      'a preamble\r\n' +
      field('a', 'one\r\n--Bx'.replace('--B', '--C')) +
      field('empty', '') +
      field(
        'file',
        'bytes \u0000 and \r\n lines',
        '; filename="x.bin"\r\nContent-Type: Audio/WAV; rate=8000',
      ) +
      end +
      'an epilogue';
    expect(await readAll(body, size)).toEqual([
      { name: 'a', fileName: undefined, contentType: '', text: 'one\r\n--Cx' },
      { name: 'empty', fileName: undefined, contentType: '', text: '' },
      {
        name: 'file',
        fileName: 'x.bin',
        contentType: 'audio/wav',

        text: 'bytes \u0000 and \r\n lines',
      },
    ]);
  });

  test.each(['7bit', '8bit', 'binary', 'quoted-printable', 'x-none', '', '\u0000'])(
    'are bytes under the transfer encoding %j',
    async (encoding) => {
      const body = field('tsid', 'a=3Db', `\r\nContent-Transfer-Encoding: ${encoding}`) + end;
      expect(await fieldsOf(body)).toEqual([['tsid', 'a=3Db']]);
    },
  );

  test.each([1, 3, 1000])('are decoded from base64, in pieces of %d bytes', async (size) => {
    const encoded = 'T2zDoSBtdW5k\r\n byBpbnRlaXJv\r\n IQ==';
    const body = field('text', encoded, '\r\nContent-Transfer-Encoding: BASE64') + end;
    expect(await fieldsOf(body, size)).toEqual([['text', 'Ol\u00c3\u00a1 mundo inteiro!']]);
  });

  test('a part whose reader left it early is passed over', async () => {
    const body = Buffer.from(field('a', 'x'.repeat(200_000)) + field('b', 'two') + end);
    const names: string[] = [];
    for await (const { name, content } of readParts(inPieces(body, 4096), contentType)) {
      names.push(name);
      for await (const _ of content) break;
    }
    expect(names).toEqual(['a', 'b']);
  });

  test('a reader that leaves returns its source, and asks it for nothing more', async () => {
    let asked = 0;
    let returned = false;
    const source = async function* (): AsyncGenerator<Buffer> {
      try {
        for (;;) {
          asked += 1;
          yield Buffer.from(field('a', 'x'));
        }
      } finally {
        returned = true;
      }
    };
    for await (const _ of readParts(source(), contentType)) break;
    expect([asked, returned]).toEqual([1, true]);
  });

  test('what the source throws is thrown, in the middle of a part too', async () => {
    const broken = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from('--B\r\nContent-Disposition: form-data; name="a"\r\n\r\nhalf');
      throw new Error('aborted');
    };
    const reading = async () => {
      for await (const { content } of readParts(broken(), contentType)) for await (const _ of content);
    };
    await expect(reading()).rejects.toThrow('aborted');
  });
});

describe('names of a part', () => {
  const named = async (disposition: string): Promise<unknown> => {
    const read = await readAll(part(`Content-Disposition: ${disposition}`, 'x') + end);
    return typeof read === 'string' ? read : [read[0]!.name, read[0]!.fileName];
  };
  test.each([
    ['form-data; name="f"; filename="a; name=tsid"', ['f', 'a; name=tsid']],
    ['form-data; filename="a; name=tsid"; name="f"', ['f', 'a; name=tsid']],
    ['form-data; filename="a; name=\\"tsid\\"; x"; name=f', ['f', 'a; name="tsid"; x']],
    ['FORM-DATA;NAME=f;FileName=plain.csv ;', ['f', 'plain.csv']],
    ['form-data; name="a%22b"', ['a"b', undefined]],
    ['form-data; name="f"; filename="C:\\dir\\"', ['f', 'C:\\dir\\']],
    ['form-data; filename="C:\\dir\\"; name="f"', ['f', 'C:\\dir\\']],
    ["form-data; name=f; filename=x; filename*=UTF-8''%C3%A1.csv", ['f', 'Ã¡.csv']],
    ['form-data; name="first"; name="second"', ['first', undefined]],
    ['form-data; name=""', ['', undefined]],
    ['form-data; name="__proto__"', ['__proto__', undefined]],
    ['form-data; name="never ends', 'unreadable'],
    ['form-data; name="f" rubbish', 'unreadable'],
    ['form-data', 'unreadable'],
    ['form-dataname="f"', 'unreadable'],
    ['attachment; name="f"', 'unreadable'],
    ['', 'unreadable'],
  ])('%s', async (disposition, expected) => {
    expect(await named(disposition)).toEqual(expected);
  });

  test('long ones are read in a moment', async () => {
    const began = process.cpuUsage().user;
    for (const piece of ['\\"', '; a="', '" ', ' ;', '; ', '\\', ' ', '=', '= ', '\\" ', ';a=', 'a'])
      for (const begun of ['name="', 'name=', 'name=" x" ', 'name= x ', ''])
        await named(`form-data; ${begun}${piece.repeat(15_000 / piece.length)}"`);
    expect(process.cpuUsage().user - began).toBeLessThan(1_000_000);
  });
});

describe('what is no multipart', () => {
  test.each([
    ['nothing', '', 'partial'],
    ['a preamble alone', 'x'.repeat(100_000), 'partial'],
    ['a body without its end', field('a', '1'), 'partial'],
    ['a body cut in a header', `${field('a', '1')}--B\r\nContent-Disp`, 'partial'],
    ['a body cut in a boundary', `${field('a', '1')}--B`, 'partial'],
    ['a header cut by the next boundary', `--B\r\nContent-Disp\r\n${field('a', '1')}${end}`, 'unreadable'],
    ['a part without headers', `--B\r\n\r\nx\r\n${end}`, 'unreadable'],
    ['a part without a name', part('Content-Type: text/plain', 'x') + end, 'unreadable'],
    ['a header that never ends', `--B\r\nX: ${'x'.repeat(40_000)}`, 'unreadable'],
    ['a later header that never ends', `${field('a', '1')}--B\r\nX: ${'x'.repeat(90_000)}`, 'unreadable'],
    [
      'a thousand headers',
      part('X: 1\r\n'.repeat(1000) + 'Content-Disposition: form-data; name=a', 'x') + end,
      'unreadable',
    ],
    ['more than a thousand parts', field('a', '1').repeat(1001) + end, 'discarded'],
  ])('%s', async (_, body, why) => {
    for (const size of [10, 1000, 65_536]) expect(await readAll(body, size)).toBe(why);
  });

  test('only its end is a body of no parts', async () => {
    expect(await readAll(end)).toEqual([]);
  });

  test.each([
    ['multipart/form-data', undefined],
    ['multipart/form-data; boundary=', undefined],
    ['multipart/form-data; boundary=""', undefined],
    [`multipart/form-data; boundary=${'b'.repeat(201)}`, undefined],
    ['multipart/form-data; charset=x; boundary="a b"', 'a b'],
    ['multipart/form-data; Boundary = plain; charset=x', 'plain'],
  ])('%s has the boundary %s', (header, boundary) => {
    expect(multipartBoundary(header)).toBe(boundary);
  });

  test('a header that never ends is not kept: reading stops soon after its bound', async () => {
    let sent = 0;
    const endless = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from('--B\r\nX: ');
      for (;;) {
        sent += 65_536;
        yield Buffer.alloc(65_536, 'x');
      }
    };
    const reading = async () => {
      for await (const _ of readParts(endless(), contentType));
    };
    await expect(reading()).rejects.toMatchObject({ why: 'unreadable' });
    expect(sent).toBe(65_536);
  });

  test('mutated bodies are read or refused, and nothing else', async () => {
    const whole = Buffer.from(
      field('tsid', 'token', '\r\nContent-Transfer-Encoding: 8bit') +
        field('n', 'nested', '\r\nContent-Type: multipart/mixed; boundary=C') +
        field('f', 'bytes', '; filename="a"\r\nContent-Type: text/plain; charset=utf-7') +
        end,
    );
    const snippet = fc.constantFrom(
      '\r\n',
      '--B',
      '--B--',
      '\r\n\r\n',
      ':',
      '"',
      '\u0000',
      ';',
      '--',
      'name=',
    );
    const change = fc.record({
      at: fc.nat(whole.length),
      drop: fc.nat(30),
      put: fc.oneof(snippet, fc.string({ maxLength: 5 })),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 4 }),
        fc.integer({ min: 1, max: 200 }),
        async (changes, size) => {
          let body = whole;
          for (const { at, drop, put } of changes)
            body = Buffer.concat([body.subarray(0, at), Buffer.from(put), body.subarray(at + drop)]);
          const read = await readAll(body, size);
          expect(
            typeof read === 'string' ? ['partial', 'unreadable', 'discarded'].includes(read) : true,
          ).toBe(true);
        },
      ),
      { numRuns: 1500 },
    );
  });
});

describe('at the door', () => {
  let on: TestService;
  beforeAll(async () => {
    on = await startTestService();
  });
  afterAll(() => on.stop());

  const ask = async (path: string, body: string): Promise<[number, string]> => {
    const response = await fetch(`${on.url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': contentType },
      body,
    });
    const answer = (await response.json()) as { return?: { status_code: string }; error?: { code: number } };
    return [response.status, answer.return?.status_code ?? String(answer.error?.code)];
  };

  test.each(['7bit', '8bit', 'quoted-printable', 'utf-9', ''])(
    'the transfer encoding %j ends nothing: the field is read as it stands',
    async (encoding) => {
      const body = field('tsid', demoToken, `\r\nContent-Transfer-Encoding: ${encoding}`) + end;
      expect(await ask('/api/v2/GetTTSVoices.php', body)).toEqual([200, '0']);
      expect(await ask('/api/v2/GetTTSVoices.php', body.slice(0, 90))).toEqual([400, '100']);
    },
  );

  test('a file is passed over where none is taken, and names of prototypes are names', async () => {
    const body =
      field('__proto__', 'x') +
      field('constructor', 'x') +
      field('f', 'ignored', '; filename="a; name=tsid"') +
      field('tsid', demoToken) +
      end;
    expect(await ask('/api/v2/GetTTSVoices.php', body)).toEqual([200, '0']);
    expect((await ask('/api/v2/CreateDestinationBase.php', body))[0]).toBeLessThan(500);
  });

  test('at the tool door it is no message', async () => {
    const response = await fetch(`${on.url}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': contentType, Authorization: `Bearer ${demoToken}` },
      body: field('a', '1', '\r\nContent-Transfer-Encoding: 8bit') + end,
    });
    expect(response.status).toBe(400);
  });
});

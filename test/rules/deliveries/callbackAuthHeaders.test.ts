import { describe, expect, it, test } from 'vitest';
import {
  callbackLoginSchema,
  callbackLoginHeaders,
  readCallbackHeaders,
  basicAuthPasswordFormatProblem,
  basicAuthUserFormatProblem,
} from '../../../src/rules/deliveries/callbackAuthHeaders.ts';

const headersOf = (login: object) => callbackLoginHeaders(callbackLoginSchema.parse(login));

describe('extra headers of a callback', () => {
  it('are one a line, with any line end, and empty lines between them', () => {
    expect(
      readCallbackHeaders('X-Api-Key: abc:def\r\n\r\nAccept-Language:pt-BR\nX-Empty:\rX-Last:  é  '),
    ).toEqual([
      ['X-Api-Key', 'abc:def'],
      ['Accept-Language', 'pt-BR'],
      ['X-Empty', ''],
      ['X-Last', 'é'],
    ]);
    expect(readCallbackHeaders('')).toEqual([]);
  });

  test.each([
    'Host: example.com', 'host : example.com', 'CONTENT-LENGTH: 0', 'Content-Type: text/plain', 'Transfer-Encoding: chunked',
    'Connection: close', 'Upgrade: h2c', 'Expect: 100-continue', 'Keep-Alive: x', 'TE: trailers', 'Trailer: x', 'User-Agent: x',
    'Content-Encoding: gzip', 'Proxy-Authorization: x', 'webhook-id: 1', 'Webhook-Signature: v1,x', 'webhook-timestamp: 1',
    'no colon', ': value', 'a b: c', 'X-A\u0000: c', 'X-A: b\u0000c', 'X-A: b\u001b', 'X-A: Ω', 'X-A: 1\nx-a: 2',
    'X-Ok: 1\nHost: evil', `X-A: ${'x'.repeat(8_000)}`, Array.from({ length: 51 }, (_, n) => `X-${n}: 1`).join('\n'), 'Ü: 1',
  ])('that are no headers, or not the customer’s to set, are told in a sentence: %j', (written) => {
    expect(readCallbackHeaders(written)).toBeTypeOf('string');
  }); // prettier-ignore

  it('cannot smuggle a second one in: what follows a line end is read as a header of its own', () => {
    expect(readCallbackHeaders('X-A: b\r\nContent-Length: 0')).toContain('must not set Content-Length');
    expect(headersOf({ headers: 'X-A: b\u2028Host: c' })).toEqual({});
  });
});

describe('Basic credentials', () => {
  it('are one header, in UTF-8, and win over an Authorization of the list', () => {
    const authorization = `Basic ${Buffer.from('ana:sénha:1').toString('base64')}`;
    expect(
      headersOf({ user: 'ana', password: 'sénha:1', headers: 'authorization: Bearer x\nX-A: b' }),
    ).toEqual({
      authorization,
      'x-a': 'b',
    });
    expect(headersOf({ headers: 'Authorization: Bearer x' })).toEqual({ authorization: 'Bearer x' });
    expect(headersOf({})).toEqual({});
  });

  it('hold no colon in the user, and no line end', () => {
    expect(['ana', 'a:b', 'a\nb', 'a\u0000'].map((user) => basicAuthUserFormatProblem(user) === undefined)).toEqual([
      true, false, false, false,
    ]); // prettier-ignore
    expect(['x:y', 'x\r\ny'].map((word) => basicAuthPasswordFormatProblem(word) === undefined)).toEqual([
      true,
      false,
    ]);
  });
});

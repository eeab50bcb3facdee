/** What is hard to read: as JSON, as a piece of a form or an address, and in headers. */

const deep = 2_000;

/** JSON text, some of it none; one character a byte. */
export const hostileJson: readonly string[] = [
  'null', 'true', '""', '" "', '0', '-0', '-1', '1e400', '-1e-400', '1E1', '0.1', '00', '+1', '0x10', 'NaN', 'Infinity', 'undefined',
  '9007199254740993', '-9223372036854775809', '2147483648', '9'.repeat(400), `0.${'3'.repeat(400)}`,
  '"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"a\\u0000b"', '"\\x41"', '"\\u12"', '"\xff\xfe"', '"\xed\xa0\x80"', '"\xf0\x9f\x98\x80"', '"\x01"', '"\n"',
  '"\\u202e\\u2066"', `"${'x'.repeat(10_000)}"`, `"${'\\u00e9'.repeat(2_000)}"`, `"${'%00'.repeat(500)}"`,
  '[]', '{}', '[null]', '[[]]', '{"a":{}}', '{"__proto__":{"x":1}}', '{"constructor":{"prototype":{}}}', '{"toString":1}', '{"toJSON":1}', '{"then":1}', '{"length":-1}',
  '['.repeat(deep) + ']'.repeat(deep), '{"a":'.repeat(deep) + '1' + '}'.repeat(deep), '['.repeat(60), `[${'1,'.repeat(3_000)}1]`,
  '{"type":"Buffer","data":[1,2]}', '"2026-02-30"', '"99999-01-01T00:00:00Z"', '"1e309"', "\"'; DROP TABLE calls; --\"", '"${7*7}"', '"../../etc/passwd"', '"http://[::1"', '"http://127.0.0.1:1/x"', '"a\\\\b"',
  '"+5511987650000"', '"(11) 98765-0000"', '"<NOME><<>>"', '"1|content1|content2"', '"3|5|23:00|2030-01-01 10:00"', '"-----"', '"a" "b"', '1}', '1,"tsid":1', '/*x*/1', "'x'",
]; // prettier-ignore

/** Pieces of forms and queries; one character a byte. */
export const hostileWords: readonly string[] = [
  '', '%', '%0', '%zz', '%00', '%ff', '%ED%A0%80', '%F0%9F%98%80', '\xff\xfe', '+', '++', '-1', '0', '1e400', 'NaN', '9'.repeat(400), '9007199254740993', 'null', 'undefined', '[object Object]',
  'x'.repeat(9_000), '%41'.repeat(2_000), '%5B%5D', '%7B%22a%22%3A1%7D', '=', '==', ';', '%26a%3Db', '%0D%0AX-Injected:%20y', '..%2f..%2f', '%E2%80%AE', 'UTF-16', 'utf8', 'ISO-8859-1', 'x-user-defined',
]; // prettier-ignore

const longText = 'y'.repeat(6_000);

/** By name; values as they stand in a header, one character a byte. */
export const hostileHeaders: readonly [name: string, values: readonly string[]][] = [
  ['Content-Type', ['', 'text/plain', 'application/json; charset=utf-16', 'application/json; charset=\xff', 'application/x-www-form-urlencoded', 'multipart/form-data', 'multipart/form-data; boundary=', 'application/octet-stream', 'audio/wav', '/', 'a/b;;;=', `text/x; a="${longText}"`]],
  ['Content-Encoding', ['gzip', 'deflate', 'br', 'identity', 'gzip, gzip', '\xff', '']],
  ['Authorization', ['', 'Bearer', 'Bearer  ', 'Basic eDp5', 'bearer \xff', `Bearer ${longText}`, 'Bearer DemoToken00000000000000000demX']],
  ['Idempotency-Key', ['a', '', ' ', '\xff', 'x'.repeat(256), longText]],
  ['X-Forwarded-For', ['1.2.3.4', '::1', ',,,', '\xff', 'unknown', longText]],
  ['Cookie', ['ramal=x', '__Host-ramal_session=%ff', '=', ';;;', longText]],
  ['Origin', ['null', 'http://evil.example', 'http://[::1', '\xff', '']],
  ['Range', ['bytes=0-', 'bytes=-1', 'bytes=5-2', 'bytes=0-1,2-3', 'bytes=99999999999999-', 'x']],
  ['If-None-Match', ['*', '""', 'W/"x"', '\xff']],
  ['Accept', ['text/event-stream', '*/*;q=\xff', '']],
  ['Accept-Encoding', ['gzip', '\xff']],
  ['Mcp-Protocol-Version', ['2025-06-18', '2024-11-05', '1', '\xff', '']],
  ['Mcp-Session-Id', ['x', '\xff']],
  ['X-Hub-Signature-256', ['', 'sha256=', `sha256=${'0'.repeat(64)}`, 'sha1=x', '\xff']],
  ['Host', ['', '\xff', 'evil.example', '[::1', 'a:99999', 'localhost:0']],
  ['Expect', ['100-continue', 'wonders']],
  ['Connection', ['close', 'Upgrade', 'keep-alive, x', 'Content-Length']],
  ['Upgrade', ['websocket', 'h2c']],
  ['Transfer-Encoding', ['identity', 'gzip, chunked', 'chunked, chunked', 'x']],
  ['Content-Length', ['0', '7', '-1']],
  ['__proto__', ['x']],
  ['X-\xff', ['y']],
]; // prettier-ignore

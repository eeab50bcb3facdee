import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OutcomeUnknown, UnusableProviderAnswer, Retryable } from '../../../src/engine/contract/performer.ts';
import { httpSmsCarrier } from '../../../src/providers/sms/http.ts';
import { type Receiver, startReceiver } from '../../helpers/receiver.ts';
import { aRoute, type TriedCarrier, tryCarrier } from './carrier.ts';
import { names } from '../../helpers/names.ts';

let gateway: Receiver;
let address: string;
const opened: TriedCarrier[] = [];

beforeEach(async () => {
  gateway = await startReceiver();
  address = gateway.url;
  gateway.answer = (_, response) => response.end('{"id":"g1"}');
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ carrier }) => carrier.stop()));
  gateway.close();
});

const usual = { body: '{"to":"{to}","from":"{from}","text":"{text}"}', id: { path: 'id' } };

const open = (settings: object = {}, secret: object = {}, allowed = ['127.0.0.0/8']): TriedCarrier => {
  const route = aRoute('http', { url: `${address}/send`, ...usual, ...settings }, JSON.stringify(secret));
  const tried = tryCarrier(httpSmsCarrier({ allowed, names }), route);
  opened.push(tried);
  return tried;
};

const replying = (status: number, body: string, headers: Record<string, string> = {}) => {
  gateway.answer = (_, response) => response.writeHead(status, headers).end(body);
};

describe('an SMS gateway over HTTP', () => {
  it('is asked with JSON, whatever the text holds', async () => {
    const text = 'Olá "você"\n\\{text}{id} €';
    expect(await open({ from: 'RAMAL' }).send(1, text)).toEqual({
      type: 'acknowledged',
      providerId: 'g1',
      answer: '{"id":"g1"}',
    });
    expect(gateway.heard[0]).toMatchObject({ method: 'POST', path: '/send' });
    expect(gateway.heard[0]!.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(gateway.heard[0]!.body)).toEqual({ to: '5511900000001', from: 'RAMAL', text });
  });

  it('is asked with a form', async () => {
    await open({ format: 'form', body: 'to={to}&msg={text}' }).send(1, 'a&b=ã c+');
    expect(gateway.heard[0]!.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(gateway.heard[0]!.body))).toEqual({
      to: '5511900000001',
      msg: 'a&b=ã c+',
    });
  });

  it('is asked by its address alone', async () => {
    await open(
      {
        method: 'GET',
        body: '',
        url: `${address}/send?to={to}&t={text}&key={secret.key}&ref={id}`,
      },
      { key: 'a/b&c' },
    ).send(1, 'a&b#c');
    const { searchParams } = new URL(gateway.heard[0]!.path, address);
    expect(gateway.heard[0]!.method).toBe('GET');
    expect(Object.fromEntries(searchParams)).toEqual({
      ...{ to: '5511900000001', t: 'a&b#c', key: 'a/b&c', ref: 'a.7.1.1.0' },
    });
  });

  it('is shown its credentials, which stand in no answer', async () => {
    gateway.answer = ({ headers }, response) =>
      response
        .writeHead(403)
        .end(JSON.stringify({ error: `wrong key ${String(headers['x-key'])} ${gateway.heard[0]!.body}` }));
    const secret = { user: 'ana', password: 'sesame', key: 'k-123' };
    const settings = { headers: { 'X-Key': '{secret.key}' }, basic_auth: true, error: { path: 'error' } };
    const said = await open(settings, secret).send(1);
    expect(gateway.heard[0]!.headers).toMatchObject({
      'x-key': 'k-123',
      authorization: `Basic ${Buffer.from('ana:sesame').toString('base64')}`,
    });
    expect(said).toMatchObject({
      type: 'refused',
      code: '403',
      text: expect.stringMatching(/^wrong key … \{/),
    });
    expect(JSON.stringify(said)).not.toContain('k-123');
  });

  it.each([
    ['as JSON', (said: object) => JSON.stringify({ error: JSON.stringify(said) })],
    ['as text', (said: object) => `you said ${JSON.stringify(said)}`],
  ])('may repeat a request %s: no spelling of a secret stands in an answer', async (_how, repeated) => {
    gateway.answer = (_, response) => response.writeHead(400).end(repeated(gateway.heard[0]!));
    const secret = { user: 'ana', password: 'sesame', key: 'k"1/+ 2\\z' };
    const settings = {
      ...{ url: `${address}/?k={secret.key}`, body: '{"k":"{secret.key}"}', basic_auth: true },
      error: { path: 'error' },
    };
    const said = JSON.stringify(await open(settings, secret).send(1));
    expect(gateway.heard[0]!.body).toBe(JSON.stringify({ k: secret.key }));
    for (const part of ['sesame', '2\\', '2%5C', Buffer.from('ana:sesame').toString('base64')])
      expect(said).not.toContain(part);
  });

  it('says no in its own words', async () => {
    replying(422, '{"errors":[{"code":1201,"title":"no such number"}]}');
    const settings = { error: { path: 'errors.0.title' }, error_code: { path: 'errors.0.code' } };
    expect(await open(settings).send(1)).toMatchObject({
      ...{ type: 'refused', code: '1201', text: 'no such number', http: 422 },
    });
  });

  it.each([
    [{ path: 'status', equals: '0' }, '{"status":0,"id":"g7"}', 'acknowledged'],
    [{ path: 'status', equals: '0' }, '{"status":5,"id":"g7"}', 'refused'],
    [{ path: 'status' }, '{"id":"g7"}', 'refused'],
    [{ matches: '^OK' }, 'OK: g7', 'acknowledged'],
    [{ matches: '^OK' }, 'ERR 12', 'refused'],
  ])('succeeds as it is described: %o in %s', async (success, body, type) => {
    replying(200, body);
    expect(await open({ success }).send(1)).toMatchObject({ type });
  });

  it('names a message by an expression', async () => {
    replying(200, 'OK: 123-456 queued');
    expect(await open({ id: { matches: 'OK: ([0-9-]+)' } }).send(1)).toMatchObject({ providerId: '123-456' });
  });

  it.each(['m'.repeat(256), 'm\u0000', 'm\u007f', 'm\ud800'])(
    'leaves it unknown whether it was taken when it names what can be no id (%#)',
    async (id) => {
      replying(200, JSON.stringify({ id }));
      const said = await open().send(1);
      expect(said).toBeInstanceOf(UnusableProviderAnswer);
      expect((said as Error).message).toMatch(/^the gateway names an id /);
    },
  );

  it('may answer megabytes: what is kept of it is short', async () => {
    replying(400, 'no '.repeat(1_000_000));
    const said = await open().send(1);
    expect(said).toMatchObject({ type: 'refused', code: '400' });
    expect(JSON.stringify(said).length).toBeLessThan(5_000);
  });

  it.each([[400], [404], [500], [301]])('refuses with %i', async (status) => {
    replying(status, '<html>no</html>');
    expect(await open().send(1)).toMatchObject({
      ...{ type: 'refused', code: String(status), text: '<html>no</html>', http: status },
    });
  });

  it('leaves another way open when it is out of service', async () => {
    replying(503, '');
    expect(await open().send(1)).toMatchObject({
      ...{ type: 'unavailable', http: 503, text: 'the gateway answers with HTTP 503' },
    });
  });

  it('is asked again later when it is asked too much', async () => {
    replying(429, '', { 'retry-after': '7' });
    const said = await open().send(1);
    expect(said).toBeInstanceOf(Retryable);
    expect(said).toMatchObject({ afterMs: 7_000 });
    replying(429, '', { 'retry-after': '3600' });
    expect(await open().send(2)).toMatchObject({ afterMs: 60_000 });
    replying(429, '');
    expect(await open().send(3)).toMatchObject({ afterMs: undefined });
  });

  it.each([[502], [504]])('leaves it unknown whether it was taken: HTTP %i', async (status) => {
    replying(status, '');
    expect(await open().send(1)).toBeInstanceOf(OutcomeUnknown);
  });

  it('leaves it unknown whether it was taken: cut, or too slow', async () => {
    gateway.answer = (_, response) => response.destroy();
    expect(await open().send(1)).toBeInstanceOf(OutcomeUnknown);
    gateway.answer = () => {};
    expect(await open({ timeout_ms: 100 }).send(2)).toBeInstanceOf(OutcomeUnknown);
    expect(gateway.heard).toHaveLength(2);
  });

  it('surely took nothing when there is no connection', async () => {
    const nobody = await open({ url: 'http://127.0.0.1:9/send' }).send(1);
    expect(nobody).toMatchObject({ type: 'unavailable', text: expect.stringContaining('ECONNREFUSED') });
  });

  it('is not looked for in a private network that was not opened', async () => {
    const closed = { type: 'unavailable', text: 'the gateway: its address points into a private network' };
    expect(await open({}, {}, []).send(1)).toMatchObject(closed);
    const named = address.replace('127.0.0.1', 'localhost');
    expect(await open({ url: named }, {}, []).send(1)).toMatchObject(closed);
    expect(gateway.heard).toEqual([]);
  });

  it('tells that it is slow, and acknowledges later', async () => {
    let release = (): void => {};
    gateway.answer = (_, response) => (release = () => response.end('{"id":"g1"}'));
    const { send, slow } = open({ slow_ms: 20 });
    const said = send(1);
    await expect.poll(() => slow).toEqual([1]);
    release();
    expect(await said).toMatchObject({ type: 'acknowledged' });
  });

  it('is asked no more at a time than it bears', async () => {
    const waiting: ServerResponse[] = [];
    gateway.answer = (_, response) => waiting.push(response);
    const { send } = open({ connections: 2 });
    const said = Promise.all([1, 2, 3].map((id) => send(id)));
    await expect.poll(() => waiting.length).toBe(2);
    waiting.shift()!.end('{"id":"g1"}');
    await expect.poll(() => gateway.heard.length).toBe(3);
    for (const response of waiting) response.end('{"id":"g2"}');
    expect(await said).toHaveLength(3);
  });

  it('is not asked when the route names a secret that it lacks', async () => {
    const said = await open({ headers: { 'x-key': '{secret.constructor}' } }).send(1);
    expect(said).toMatchObject({
      type: 'unavailable',
      text: 'the SMS route: there is no secret.constructor',
    });
    expect(gateway.heard).toEqual([]);
  });
});

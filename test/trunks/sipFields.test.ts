/** What a request may say of the SIP side of a trunk, and what it is refused for; no Asterisk is there to be reached. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService({
    CARRIER: 'asterisk',
    ARI_URL: 'http://127.0.0.1:9/ari',
    ARI_USER: 'ramal',
    ARI_PASSWORD: 'in-the-settings',
  });
});
afterAll(() => on.stop());

const bears = { server: 'asterisk', calls_per_second: 10, legs: 60 };
const login = { sip_host: 'sip.example.net:5070', sip_user: '5511400', sip_password: 'not-to-be-shown' };
let made = 0;
const make = (body: object) =>
  on.admin('POST', '/trunks', { name: `carrier-${(made += 1)}`, ...bears, ...body });

describe('a trunk with SIP details', () => {
  test('is made by one request, says what counts as usual, and shows no password', async () => {
    const { http, body } = await make(login);
    expect(http).toBe(201);
    expect(body).toMatchObject({
      ...{ sip_host: 'sip.example.net:5070', sip_transport: 'udp', sip_user: '5511400', sip_register: true },
      ...{
        sip_registrar: 'sip.example.net:5070',
        sip_from_user: '5511400',
        sip_from_domain: 'sip.example.net',
      },
      ...{ sip_expiry_seconds: 300, sip_codecs: ['ulaw', 'alaw'], sip_ping_seconds: 0, dial_pattern: '' },
      registration: null,
    });
    const { rows } = await on.database.pool.query('SELECT * FROM trunks WHERE id = $1', [body.trunk_id]);
    const seen = JSON.stringify([
      rows,
      body,
      (await on.admin('GET', '/trunks')).body,
      (await on.admin('GET', '/audit')).body,
    ]);
    expect(seen).not.toContain(login.sip_password);
  });

  test('keeps what a change does not name; a login that goes takes its password with it', async () => {
    const { body } = await make(login);
    const path = `/trunks/${body.trunk_id}`;
    const secret = async () =>
      (await on.database.pool.query('SELECT sip_secret FROM trunks WHERE id = $1', [body.trunk_id])).rows[0]
        .sip_secret;
    const sealed = await secret();
    expect((await on.admin('PATCH', path, { sip_codecs: ['alaw'] })).body).toMatchObject({
      ...{ sip_user: '5511400', sip_codecs: ['alaw'] },
    });
    expect(await secret()).toBe(sealed);
    expect((await on.admin('PATCH', path, { sip_user: '' })).body).toMatchObject({ sip_register: false });
    expect(await secret()).toBe('');
    const refused = (await on.admin('PATCH', path, { sip_host: '' })).body;
    expect(refused).toMatchObject({ field: 'dial_pattern' });
    const pattern = 'PJSIP/{number}@carrier';
    const other = (await on.admin('PATCH', path, { sip_host: '', dial_pattern: pattern })).body;
    expect(other).toMatchObject({ sip_host: '', sip_codecs: [], dial_pattern: pattern });
  });

  test.each([
    ['sip_host', { sip_host: 'sip.example.net;lr' }],
    ['sip_host', { sip_host: 'sip.example.net:65536' }],
    ['sip_host', { sip_host: 'a\r\nContact: <sip:b>' }],
    ['sip_user', { ...login, sip_user: '55"<11' }],
    ['sip_user', { ...login, sip_user: 'a@b' }],
    ['sip_password', { ...login, sip_password: 'two words' }],
    ['sip_password', { ...login, sip_password: undefined }],
    ['sip_user', { ...login, sip_user: undefined }],
    ['sip_register', { sip_host: 'sip.example.net', sip_register: true }],
    ['sip_from_user', { ...login, sip_from_user: '%0d' }],
    ['sip_from_domain', { ...login, sip_from_domain: 'a:5060' }],
    ['sip_proxy', { ...login, sip_proxy: 'sip:proxy' }],
    ['sip_codecs', { ...login, sip_codecs: ['alaw', 'alaw'] }],
    ['sip_codecs', { ...login, sip_codecs: ['alaw\nulaw'] }],
    ['sip_expiry_seconds', { ...login, sip_expiry_seconds: 1 }],
    ['sip_codecs', { dial_pattern: 'PJSIP/{number}@carrier', sip_codecs: ['alaw'] }],
    ['dial_pattern', { ...login, dial_pattern: 'PJSIP/{number}@carrier' }],
    ['dial_pattern', { ...login, dial_pattern: 'PJSIP/{number}{endpoint}' }],
    ['dial_pattern', { ...login, dial_pattern: 'PJSIP/{number}@{endpoint}@{endpoint}' }],
    ['dial_pattern', { dial_pattern: 'PJSIP/{number}@{endpoint}' }],
    ['sip_host', { ...login, sip_host: '999.1.1.1' }],
    ['sip_registrar', { ...login, sip_registrar: '10.0.0:5060' }],
    ['sip_from_domain', { ...login, sip_from_domain: '10.0.0' }],
    ['dial_pattern', {}],
  ])('is refused by %s: %j', async (field, body) => {
    const { http, body: answer } = await make(body);
    expect([http, String(answer.field).split(/[.[]/)[0]]).toEqual([400, field]);
  });

  test('is none of the settings, whose files say how it dials', async () => {
    const { body } = await on.admin('PATCH', '/trunks/1', { sip_host: 'sip.example.net' });
    expect(body).toMatchObject({ field: 'sip_host' });
  });
});

import { describe, expect, it } from 'vitest';
import {
  smsRouteSecretSchemas,
  smsRouteSettingsSchemas,
} from '../../../src/rules/sms/smsRouteCarrierSchemas.ts';

const wrongField = (kind: 'smpp' | 'http', settings: object): string | undefined => {
  const read = smsRouteSettingsSchemas[kind].safeParse(settings);
  return read.success ? undefined : read.error.issues[0]!.path.join('.') || read.error.issues[0]!.code;
};

describe('the settings of an SMPP route', () => {
  it('have the usual values', () => {
    expect(smsRouteSettingsSchemas.smpp.parse({ host: 'smsc.example.net', system_id: 'ramal' })).toEqual({
      host: 'smsc.example.net',
      port: 2775,
      tls: false,
      tls_verify: true,
      system_id: 'ramal',
      system_type: '',
      from: '',
      destination_ton: 1,
      destination_npi: 1,
      window: 50,
      receipts: true,
      receipt_ids: 'same',
      reference: true,
      slow_ms: 5_000,
      answer_ms: 50_000,
      enquire_ms: 30_000,
      reconnect_ms: 500,
    });
  });
  it.each([
    ['host', { host: 'a/b' }],
    ['port', { port: 0 }],
    ['window', { window: 1_001 }],
    ['system_id', { system_id: 'ção' }],
    ['receipt_ids', { receipt_ids: 'octal' }],
    ['utc_offset_minutes', { utc_offset_minutes: 900 }],
    ['source_ton', { source_ton: 256 }],
    ['answer_ms', { answer_ms: 60_001 }],
    ['from', { from: 'x'.repeat(21) }],
    ['unrecognized_keys', { password: 'x' }],
  ])('are refused: %s', (field, wrong) => {
    expect(wrongField('smpp', { host: 'x', system_id: 'x', ...wrong })).toBe(field);
  });
});

describe('the settings of an HTTP route', () => {
  const url = 'https://gateway.example.net/send';
  it('have the usual values', () => {
    expect(smsRouteSettingsSchemas.http.parse({ url })).toEqual({
      ...{ url, method: 'POST', headers: {}, format: 'json', body: '', basic_auth: false, from: '' },
      ...{ connections: 10, slow_ms: 5_000, timeout_ms: 20_000 },
    });
  });
  it.each([
    ['url', { url: 'ftp://gateway.example.net' }],
    ['url', { url: 'https://ana:sesame@gateway.example.net/' }],
    ['url', { url: 'https://{to}.example.net/' }],
    ['url', { url: 'https://gateway.example.net/?to={dest}' }],
    ['headers.x y', { headers: { 'x y': '1' } }],
    ['headers.x', { headers: { x: '{text}' } }],
    ['headers.x', { headers: { x: 'a\r\nb: c' } }],
    ['body', { body: '{"to":{to}' }],
    ['body', { body: '{"to":"{number}"}' }],
    ['body', { method: 'GET', body: '{"to":"{to}"}' }],
    ['id.matches', { id: { matches: '(' } }],
    ['id.matches', { id: { matches: '(?=a)b' } }],
    ['success.matches', { success: { matches: '(a)\\1' } }],
    ['receipts.status.matches', { receipts: { id: {}, status: { matches: '(?<!a)b' } } }],
    ['error.matches', { error: { matches: `${'a{0,999}'.repeat(20)}b` } }],
    ['error.matches', { error: { matches: '(a{100}){100}' } }],
    ['error.matches', { error: { matches: 'a'.repeat(201) } }],
    ['connections', { connections: 0 }],
    ['timeout_ms', { timeout_ms: 60_001 }],
  ])('are refused: %s', (field, wrong) => {
    expect(wrongField('http', { url, ...wrong })).toBe(field);
  });
});

describe('secrets', () => {
  it('are what placeholders name', () => {
    expect(smsRouteSecretSchemas.http.safeParse({ api_key: 'x' }).success).toBe(true);
    for (const wrong of [{ 'Api-Key': 'x' }, { key: '' }, { key: 7 }, { __proto__x: 'x' }])
      expect(smsRouteSecretSchemas.http.safeParse(wrong).success).toBe(false);
  });
});

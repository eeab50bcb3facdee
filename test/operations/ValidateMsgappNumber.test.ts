/** ValidateMsgappNumber (spec 4.15): the operation itself, against a strict upstream over HTTP. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { runOperation } from '../../src/operations/run.ts';
import type { Services } from '../../src/operations/services.ts';
import { ValidateMsgappNumberOperation } from '../../src/operations/chat/ValidateMsgappNumber.ts';
import { openGraphApiClient } from '../../src/providers/chat/graphApiClient.ts';
import { openGraphApiHttp, type Web } from '../../src/providers/chat/graphApiHttpTransport.ts';
import type { AccountRow, TokenRow } from '../../src/store/controlDatabase.ts';
import {
  graphError,
  type GraphReaction,
  type GraphServer,
  graphToken,
  registered,
  startGraphServer,
} from '../helpers/graphServer.ts';
import { lookup } from '../helpers/names.ts';

let upstream: GraphServer;
let web: Web;

beforeAll(async () => {
  upstream = await startGraphServer();
  web = openGraphApiHttp({ url: upstream.url, lookup });
});
afterAll(async () => {
  await web.close();
  await upstream.stop();
});
afterEach(() => upstream.check());

const good = {
  wa_api_key: graphToken,
  wa_business_id: registered.business,
  wa_phone_number_id: registered.phone,
  wa_number: registered.number,
};

/** It asks nothing of the house but the upstream. */
const validate = async (given: object = {}) => {
  const graph = openGraphApiClient({ transport: web.transport, version: 'v22.0' });
  const answer = await runOperation(
    ValidateMsgappNumberOperation,
    { account: {} as AccountRow, token: {} as TokenRow, provided: { ...good, ...given } },
    { chat: { graph } } as Services,
  );
  // oxlint-disable-next-line typescript/no-explicit-any -- compared with literals, key by key
  return { http: answer.http, return: (answer.body as any).return };
};

const said = (json: object): GraphReaction => ({ status: 200, json });
const ok = said({ id: '1', name: 'x' });
const phoneOk = said({
  display_phone_number: '+1 555-078-3881',
  verified_name: 'Ana',
  quality_rating: 'GREEN',
});

test('a number that is set up is described [4.15/result] [4.15/order]', async () => {
  expect(await validate()).toEqual({
    http: 200,
    return: {
      status: 'OK',
      status_code: '0',
      result: {
        valid: true,
        business_name: 'Ana’s shop',
        phone_display_number: '+1 555-078-3881',
        phone_verified_name: 'Ana',
        phone_quality_rating: 'GREEN',
        token_is_valid: true,
        token_scopes: ['whatsapp_business_messaging', 'public_profile'],
        configuration_status: 'OK',
      },
    },
  });
  expect(upstream.seen.map(({ path }) => path)).toEqual([
    registered.business,
    registered.phone,
    'debug_token',
    `${registered.business}/phone_numbers`,
  ]);
});

const tokenOk = said({ data: { is_valid: true, scopes: ['whatsapp_business_messaging'] } });

test('a number of another business that the token may read as well [7/validate/245]', async () => {
  upstream.next(ok, phoneOk, tokenOk, said({ data: [{ id: '1065403522429999' }] }));
  const { return: answer } = await validate();
  expect(answer).toMatchObject({
    status_code: '245',
    result: { valid: false, error_type: 'PHONE_ERROR', http_code: 200 },
  });
  expect(JSON.stringify(answer)).not.toContain('555-078');
});

test.each<[string, GraphReaction]>([
  ['cannot be read', graphError(403, 200, 'permission')],
  ['goes on', said({ data: [{ id: '1' }], paging: { next: 'https://graph.example/next' } })],
  ['is no list', said({})],
])('a list of the business’s numbers that %s says nothing against a number', async (_, list) => {
  upstream.next(ok, phoneOk, tokenOk, list);
  expect((await validate()).return).toMatchObject({ status_code: '0', result: { valid: true } });
});

test.each([
  [{ wa_api_key: '' }, '230'],
  [{ wa_api_key: '   ' }, '230'],
  [{ wa_business_id: undefined }, '231'],
  [{ wa_business_id: '12/../34' }, '231'],
  [{ wa_phone_number_id: undefined }, '232'],
  [{ wa_phone_number_id: '+5511' }, '232'],
  [{ wa_number: undefined }, '233'],
  [{ wa_number: '   ' }, '233'],
  [{ wa_number: '+15550783881' }, '234'],
  [{ wa_number: '05550783881' }, '234'],
  [{ wa_api_key: {} }, '230'],
  [{ wa_business_id: '1'.repeat(65) }, '231'],
  [{ wa_phone_number_id: [] }, '232'],
  [{ wa_number: true }, '234'],
])(
  '%j is refused before anything is asked [7/validate/230..234] [4.15/wa_api_key] [4.15/wa_business_id] [4.15/wa_phone_number_id] [4.15/wa_number]',
  async (given, code) => {
    const answer = await validate(given);
    expect(answer.http).toBe(400);
    expect(answer.return).toMatchObject({
      status_code: code,
      result: { valid: false, error_type: 'PARAM_ERROR', error_message: expect.any(String), http_code: 400 },
    });
    expect(upstream.seen).toEqual([]);
  },
);

const unknownId = graphError(400, 100, 'Unsupported get request', { error_subcode: 33 });
const expired = graphError(401, 190, `Session of ${graphToken} has expired`, { error_subcode: 463 });
const data = (value: object): GraphReaction => said({ data: value });

test.each<[string, GraphReaction[], string, string, number]>([
  ['no such business', [unknownId], '240', 'BUSINESS_ERROR', 400],
  ['a business it may not read', [graphError(403, 200, 'permission')], '251', 'TOKEN_ERROR', 403],
  ['an expired token', [expired], '251', 'TOKEN_ERROR', 401],
  ['a business behind a broken gateway', [{ status: 502, html: '<html>' }], '240', 'BUSINESS_ERROR', 502],
  ['a business that is cut off', [{ cut: 'unanswered' }], '240', 'BUSINESS_ERROR', 0],
  ['no such phone', [ok, unknownId], '245', 'PHONE_ERROR', 400],
  ['a phone it may not read', [ok, graphError(403, 10, 'permission')], '251', 'TOKEN_ERROR', 403],
  ['another number', [ok, said({ display_phone_number: '+1 555-000' })], '246', 'PHONE_ERROR', 200],
  [
    'a token that is not valid',
    [ok, phoneOk, data({ is_valid: false, error: { message: 'expired' } })],
    '251',
    'TOKEN_ERROR',
    200,
  ],
  [
    'a token without scopes',
    [ok, phoneOk, data({ is_valid: true, scopes: ['email'] })],
    '251',
    'TOKEN_ERROR',
    200,
  ],
  ['a token that cannot be looked at', [ok, phoneOk, graphError(400, 100, 'no')], '251', 'TOKEN_ERROR', 400],
])(
  '%s [7/validate/240] [7/validate/245] [7/validate/246] [7/validate/251]',
  async (_, reactions, code, error_type, http_code) => {
    upstream.next(...reactions);
    const answer = await validate();
    expect(answer.http).toBe(400);
    expect(answer.return).toMatchObject({
      status_code: code,
      result: { valid: false, error_type, http_code },
    });
    expect(JSON.stringify(answer)).not.toContain(graphToken);
    expect(upstream.seen).toHaveLength(reactions.length);
  },
);

test('neutral names of scopes count', async () => {
  upstream.next(ok, phoneOk, data({ is_valid: true, scopes: ['msgapp_business_management'] }));
  expect((await validate()).return.result.token_scopes).toEqual(['msgapp_business_management']);
});

import { expect, test } from 'vitest';
import { redactSecretsInAddresses, isSecretName, withoutSecrets } from '../../src/lib/redactSecretFields.ts';

test('fields are hidden at every depth, in JSON within texts too, and what only tells of them stays', () => {
  const kept = { has_secret: true, webhook_secret_before_until: 5, token: '', headers: {}, name: 'x' };
  expect(withoutSecrets(kept)).toEqual(kept);
  expect(withoutSecrets({ a: [{ callback_user: 'ana', 'Api-Key': 'k', secretKey: 's' }] })).toEqual({
    a: [{ callback_user: '[secret]', 'Api-Key': '[secret]', secretKey: '[secret]' }],
  });
  expect(withoutSecrets({ payload: '{"n":1.0,"agent":{"headers":{"X":"k"}}}', text: '{"n":1.0}' })).toEqual({
    payload: '{"n":1,"agent":{"headers":"[secret]"}}',
    text: '{"n":1.0}',
  });
  expect(withoutSecrets({ settings: { body: 'b' }, body: 'Hello' })).toEqual({
    ...{ settings: { body: '[secret]' }, body: 'Hello' },
  });
  expect(isSecretName('callback_url')).toBe(false);
});

test('an address that is declared ends with its host; in other texts credentials and keys are hidden', () => {
  for (const [url, shown] of [
    ['https://ana:pw@shop.example:8443/in/k3y?a=1#x', 'https://shop.example:8443/[secret]'],
    ['https://shop.example?key=k', 'https://shop.example/[secret]'],
    ['https://shop.example/', 'https://shop.example/'],
    ['https://gw.example/{secret.key}/send', 'https://gw.example/[secret]'],
    ['sip:ana:pw@phones.example;transport=tls', 'sip:ana:[secret]@phones.example;transport=tls'],
    ['5511987650000', '5511987650000'],
  ])
    expect(withoutSecrets({ callback_url: url })).toEqual({ callback_url: shown });
  expect(
    redactSecretsInAddresses('it went to https://u:p@a.example/x?api_key=k&page=2&Token=t, and came back'),
  ).toBe('it went to https://[secret]@a.example/x?api_key=[secret]&page=2&Token=[secret] and came back');
});

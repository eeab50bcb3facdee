import { expect, test } from 'vitest';
import { withMaskedNumbers } from '../../src/lib/maskPhonesInJson.ts';
import { maskPhones } from '../../src/lib/maskPhoneNumbers.ts';

const masked = (value: unknown): unknown => withMaskedNumbers(value, (text) => `~${text.length}`);

test.each([
  ['5511987654321', '5511•••••4321'],
  ['+5511987654321', '+5511•••••4321'],
  ['11987654321', '11•••••4321'],
  ['1133334444', '11••••4444'],
  ['33334444', '••••4444'],
  ['Not called: 5511987654321 is on the block list.', 'Not called: 5511•••••4321 is on the block list.'],
  ['sip:5511987654321@carrier.example', 'sip:5511•••••4321@carrier.example'],
  ['PJSIP/5511987654321@trunk', 'PJSIP/5511•••••4321@trunk'],
  ['to=%2B5511987654321&x=1', 'to=%2B5511•••••4321&x=1'],
  ['tel5511987654321', 'tel5511•••••4321'],
  ['5511987654321_1.wav', '5511•••••4321_1.wav'],
  ['ligue +55 (11) 98765-4321 hoje', 'ligue +55 (11) •••••-4321 hoje'],
  ['11 98765-4321', '11 •••••-4321'],
  ['11 9 8765 4321', '11 • •••• 4321'],
  // As a telephone copies a number: with blanks, dashes and marks of its own.
  ['\u202a+55\u00a011\u00a098765\u20114321\u202c', '\u202a+55\u00a011\u00a0•••••\u20114321\u202c'],
  ['11 98765–4321', '11 •••••–4321'],
  ['(11) 98765 - 4321', '(11) ••••• - 4321'],
  ['11  98765  4321', '11  •••••  4321'],
  ['11 98 765 43 21', '11 •• ••• 43 21'],
  ['1 1 9 8 7 6 5 4 3 2 1', '1 1 • • • • • 4 3 2 1'],
  ['5511 9876 54321', '5511 •••• •4321'],
  ['11/98765-4321', '11/•••••-4321'],
  ['11_98765_4321.wav', '11_•••••_4321.wav'],
  ['fone:98765-4321', 'fone:•••••-4321'],
  ['tel:11-98765-4321', 'tel:11-•••••-4321'],
  ['Tel.3333-4321', 'Tel.••••-4321'],
  ['+351 912 345 678', '+351 9•• ••5 678'],
  ['005511987654321', '0055•••••••4321'],
  ['11987654321zap', '11•••••4321zap'],
  ['numerodotelefone5511987654321', 'numerodotelefone5511•••••4321'],
  ['gravacao_cliente_2_5511987654321_1.wav', 'gravacao_cliente_2_5511•••••4321_1.wav'],
  ['5511987654321.0', '5511•••••4321.0'],
  ['text=liga%205511987654321', 'text=liga%205511•••••4321'],
  ['text=%2B55%2011%2098765%2D4321', 'text=%2B55%2011%20•••••%2D4321'],
  ['５５１１９８７６５４３２１', '５５１１•••••４３２１'],
  ['GET /accounts/3/conversations/1/5511987654321', 'GET /accounts/3/conversations/1/5511•••••4321'],
])('%s is shown as %s', (text, shown) => {
  expect(maskPhones(text)).toBe(shown);
});

test.each([
  'a_746512037707776',
  '746512037707776',
  '1795325744421_746512037707776_3',
  '1795325744421.747602262048825',
  '2026-11-28T03:00:00.000Z',
  '2026-11-28 10:00:00',
  'results-20261128.csv',
  '20261128030500',
  '1795325744421',
  '12345678.90',
  '192.168.100.200:8080',
  '00112233-4455-6677-8899-001122334455',
  '3f786850e387550fdab836ed7e6dc881de23001b12345678abcdef',
  '259200000ms',
  '189.168.100.20',
  '1990-05-12 10:30:00',
  '1000 - 2000 calls',
  'Campaign 12 calls 1200 destinations at 30 a minute',
])('%s stays as it is', (text) => {
  expect(maskPhones(text)).toBe(text);
});

test('the id that WhatsApp gives a message does not tell the number that is in it', () => {
  const id = Buffer.from(
    '\u001d\u0004\u0018\r5511987654321\u0015\u0002\u0000\u0011\u0018\u00123EB0A7A1D3E3448F97DA\u0000',
  );
  const shown = maskPhones(`wamid.${id.toString('base64')}`);
  expect(shown).toMatch(/^wamid\.••••[\w+/]{11}=$|^wamid\.••••[\w+/=]{12}$/);
  expect(Buffer.from(shown.slice('wamid.••••'.length), 'base64').toString('latin1')).not.toMatch(/\d{8}/);
});

test('fields that are named for a number are masked whatever its length, and ids, moments and counts are not', () => {
  expect(
    masked({
      ...{ id: 746_512_037_707_776, at: 1_795_325_744_421, from: 1_795_325_744_421, destinations: 1_200 },
      ...{ cd_id: 'a_746512037707776', cdls_id: '746512037707776', bytes: 123_456_789_012 },
      ...{ contact: '17841400000000001', dest: '190190', callerId: '1133334444', phone: 5_511_987_654_321 },
      ...{ tel: 987_654_321, recipientId: 5_511_987_654_321, seen_at: 1_795_325_744 },
    }),
  ).toEqual({
    ...{ id: 746_512_037_707_776, at: 1_795_325_744_421, from: 1_795_325_744_421, destinations: 1_200 },
    ...{ cd_id: 'a_746512037707776', cdls_id: '746512037707776', bytes: 123_456_789_012 },
    ...{ contact: '1784•••••••••0001', contact_ref: '~17', dest: '••••90', callerId: '11••••4444' },
    phone: '5511•••••4321',
    ...{ tel: '•••••4321', recipientId: '5511•••••4321', seen_at: 1_795_325_744 },
  });
});

test('JSON within a text stays JSON, keys are masked without losing one, and a cursor that holds a number is a reference', () => {
  const payload = '{"to":5511987654321,"id":746512037707776}';
  expect(masked({ payload })).toEqual({ payload: '{"to":"5511•••••4321","id":746512037707776}' });
  expect(masked({ context: { '5511987654321': 1, '5511999994321': 2 } })).toEqual({
    context: { '5511•••••4321': 1, '5511•••••4321 (2)': 2 },
  });
  expect(masked({ cursor: '1795325744421.1.5511987654321' })).toEqual({ cursor: '~29' });
  expect(masked({ cursor: '1795325744421.747602262048825' })).toEqual({
    cursor: '1795325744421.747602262048825',
  });
});

test('timers that an event asked for keep their milliseconds', () => {
  expect(masked({ asked: ['smsReceipts+259200000', 'call 5511987654321'] })).toEqual({
    asked: ['smsReceipts+259200000', 'call 5511•••••4321'],
  });
});

test('a long text without digits takes no longer for it', () => {
  const took = (text: string): number => {
    const began = performance.now();
    maskPhones(text);
    return performance.now() - began;
  };
  // The quickest of several: what else the machine does only adds to it.
  const quickest = (text: string): number => Math.min(...[1, 2, 3, 4, 5].map(() => took(text)));
  // Eight times as long takes some eight times as long; what looked back at all that came before would take 64 times.
  for (const piece of ['xxxxxxxx', '1234567x', '123 '.repeat(2)])
    expect(quickest(piece.repeat(80_000))).toBeLessThan(30 * Math.max(5, quickest(piece.repeat(10_000))));
});

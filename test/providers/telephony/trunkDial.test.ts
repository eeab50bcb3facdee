import { expect, it } from 'vitest';
import {
  dialPatternsForTrunk,
  dialStringTemplatesFromEndpoints,
  dialString,
} from '../../../src/providers/telephony/asterisk/originate.ts';

const patterns = dialStringTemplatesFromEndpoints('PJSIP/{number}@carrier', 'PJSIP/{number}@chat');
const trunk = (numberFormat: 'e164' | 'plus' | 'national') =>
  dialPatternsForTrunk(patterns, { dialPattern: 'PJSIP/{number}@carrier-b', numberFormat });
const dialled = (number: string, format: 'e164' | 'plus' | 'national') =>
  dialString(trunk(format), { kind: 'number', number });

it.each([
  ['5511987654321', 'e164', '5511987654321'],
  ['5511987654321', 'plus', '+5511987654321'],
  ['5511987654321', 'national', '011987654321'],
  ['551133334444', 'national', '01133334444'],
  // Foreign and special numbers have no national form here.
  ['351211234567', 'national', '351211234567'],
  ['08001234567', 'plus', '08001234567'],
  ['40041234', 'national', '40041234'],
  ['40041234', 'plus', '40041234'],
  ['300123456', 'plus', '300123456'],
  ['376123456', 'plus', '+376123456'],
] as const)('%s is sent as %s: %s', (number, format, sent) =>
  expect(dialled(number, format)).toBe(`PJSIP/${sent}@carrier-b`),
);

it('reaches agents and the chat app as the settings say, whatever the trunk', () => {
  expect(dialString(trunk('plus'), { kind: 'sip', uri: 'ana@pbx' })).toBe('PJSIP/carrier/sip:ana@pbx');
  expect(dialString(trunk('plus'), { kind: 'chat', number: '5511987654321' })).toBe(
    'PJSIP/5511987654321@chat',
  );
});

it('dials as the settings say by a trunk that is not known', () => {
  expect(
    dialString(dialPatternsForTrunk(patterns, undefined), { kind: 'number', number: '5511987654321' }),
  ).toBe('PJSIP/5511987654321@carrier');
});

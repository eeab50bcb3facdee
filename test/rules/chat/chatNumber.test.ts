import { expect, test } from 'vitest';
import { readHomeOrAbroadChatNumber } from '../../../src/rules/chat/chatNumber.ts';

test.each([
  ['11987650000', { number: '5511987650000', home: true }],
  ['(11) 98765-0000', { number: '5511987650000', home: true }],
  ['011987650000', { number: '5511987650000', home: true }],
  ['1132654321', { number: '551132654321', home: true }],
  // The area 55, which is the country's code as well.
  ['55987650000', { number: '5555987650000', home: true }],
  // Whole, foreign, or nothing that Brazil knows: as it stands.
  ['5511987650000', { number: '5511987650000', home: false }],
  ['+51987654321', { number: '+51987654321', home: false }],
  ['15550783881', { number: '15550783881', home: false }],
  ['447911123456', { number: '447911123456', home: false }],
  ['me', { number: 'me', home: false }],
  // Porto Alegre, or Peru.
  ['51987654321', { home: '5551987654321', abroad: '+51987654321' }],
])('%s is read as it is meant', (written, read) => {
  expect(readHomeOrAbroadChatNumber(written)).toEqual(read);
});

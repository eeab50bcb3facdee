/** What operations declare of their answers; that real ones fit is seen wherever a test posts (`helpers/answers.ts`). */
import { expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import * as envelope from '../../src/wire/envelope.ts';
import { holdToDeclaration } from '../helpers/answers.ts';

test.each(operations.map((op) => [op.name, op] as const))(
  'the example of %s is an answer that it declares, and so is a failure of the door',
  (name, op) => {
    holdToDeclaration(name, op.successHttp ?? 200, op.example.response);
    holdToDeclaration(name, 401, envelope.failureEnvelope('100', 'malformed', op.failure, op.numericCodes));
  },
);

test.each([
  ['a key that nobody declared', { return: { status: 'OK', status_code: '0', cdls_id: '1', extra: 1 } }],
  ['a number for a text', { return: { status: 'OK', status_code: '0', cdls_id: 1 } }],
  ['a key that is missing', { return: { status: 'OK', status_code: '0' } }],
  ['another code', { return: { status: 'OK', status_code: '7', cdls_id: '1' } }],
])('%s does not fit', (_, body) => {
  expect(() => holdToDeclaration('MakeSMS', 200, body)).toThrow('MakeSMS answered 200');
});

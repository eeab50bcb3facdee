import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallRow } from '../../src/store/reads/voice/calls.ts';
import { readCallId, writeCallId } from '../../src/wire/callId.ts';
import { parseCallRecord, formatCallRecord } from '../../src/wire/callRecord.ts';

const zone = 'America/Sao_Paulo';
const view = {
  shard: 'a',
  zone,
  ratePerMinute: 1200n,
  numtype: '',
  origin: 'api',
  mediaUrl: (media: string) => `/m/${media}`,
};

const aRow = (changes: Partial<CallRow>): CallRow => ({
  id: 741_205_934_080,
  requested_at: 0,
  destination: '5511987650000',
  customer_campaign: '',
  campaign_id: 0,
  correlation: '',
  status: 'OK',
  reason: '',
  answered_by: 'ND',
  called_at: 0,
  answered_at: null,
  ended_at: null,
  response_1: '',
  response_2: '',
  response_3: '',
  route: '',
  recording: '',
  recording_seconds: 0,
  ...changes,
});

test('what is written can be read back, over midnight too', () => {
  const second = fc.integer({ min: 1_767_225_600, max: 1_800_000_000 }).map((seconds) => seconds * 1000);
  fc.assert(
    fc.property(
      second,
      fc.integer({ min: 0, max: 180 }),
      fc.integer({ min: 0, max: 7200 }),
      (calledAt, rings, talks) => {
        const answered_at = calledAt + rings * 1000;
        const row = aRow({
          called_at: calledAt,
          answered_at,
          ended_at: answered_at + talks * 1000,
          route: 'r',
          response_1: '1',
        });
        expect(parseCallRecord(formatCallRecord(row, view), zone)).toEqual({
          shard: 'a',
          id: row.id,
          status: 'OK',
          calledAt,
          answeredAt: answered_at,
          seconds: talks,
          responses: ['1', '', ''],
          route: 'r',
        });
      },
    ),
  );
});

test('a call that goes on has a start and no end yet', () => {
  const record = formatCallRecord(
    aRow({ status: '', called_at: 1_767_225_600_000, answered_at: 1_767_225_607_000 }),
    view,
  );
  expect(record).toMatchObject({
    cd_status: '',
    time_start: '21:00:07',
    time_end: 'null',
    dur: 0,
    value: '0,000',
  });
});

test('seconds are rounded, and the shortest talk is one', () => {
  const answered_at = 1_767_225_607_000;
  const seconds = (ms: number) =>
    formatCallRecord(aRow({ answered_at, ended_at: answered_at + ms }), view).dur;
  expect([0, 1, 400, 1499, 1500, 8030].map(seconds)).toEqual([0, 1, 1, 1, 2, 8]);
});

test('a call id is the shard’s name and a number', () => {
  expect(writeCallId('b2', 17)).toBe('b2_17');
  expect(readCallId('b2_17', 'a')).toEqual({ shard: 'b2', id: 17 });
  expect(readCallId('17', 'a')).toEqual({ shard: 'a', id: 17 });
  for (const none of ['', 'a_', '_1', 'a_x', 'a_99999999999999999', 'a b_1', '-1'])
    expect(readCallId(none, 'a')).toBeUndefined();
});

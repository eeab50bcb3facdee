/** The same error of the same place is written once, and then counted. */
import { afterEach, expect, test } from 'vitest';
import { openLog } from '../../src/log.ts';

/** A minute passes when the test says so. */
let at = 0;
let due: { at: number; run: () => void }[] = [];
const clock = {
  now: () => at,
  after: (ms: number, run: () => void) => void due.push({ at: at + ms, run }),
};
const minutes = (count: number): void => {
  for (let n = 0; n < count; n += 1) {
    at += 60_000;
    for (const { run } of due.splice(0)) run();
  }
};
afterEach(() => {
  at = 0;
  due = [];
});

interface Written {
  level: string;
  msg: string;
  err?: { message: string };
  again?: number;
  error?: string;
  incidents?: string[];
}

const open = () => {
  const lines: Written[] = [];
  const log = openLog(
    'info',
    { write: (line: string) => void lines.push(JSON.parse(line) as Written) },
    clock,
  );
  return { log, lines };
};

const noRoom = (file: number): Error =>
  Object.assign(new Error(`no space left on ${file}`), { code: 'ENOSPC' });

test('an error that comes a thousand times is one line, and one more a minute that counts', () => {
  const { log, lines } = open();
  for (let n = 0; n < 1_000; n += 1) log.error({ err: noRoom(n) }, 'a file cannot be written');
  expect(lines.map(({ msg, err }) => [msg, err?.message])).toEqual([
    ['a file cannot be written', 'no space left on 0'],
  ]);
  minutes(1);
  expect(lines.slice(1)).toEqual([
    expect.objectContaining({
      ...{ level: 'error', again: 999, error: 'no space left on 0' },
      msg: 'a file cannot be written: again 999 times in the last minute',
    }),
  ]);
  minutes(2);
  expect(lines).toHaveLength(2);
});

test('an error that was not heard of for a minute is written in full when it comes again', () => {
  const { log, lines } = open();
  const fail = (): void => log.warn({ err: noRoom(1) }, 'a file cannot be written');
  fail();
  minutes(2);
  fail();
  expect(lines.map(({ err }) => err?.message)).toEqual(['no space left on 1', 'no space left on 1']);
});

test('other places, codes, messages and levels are other errors', () => {
  const { log, lines } = open();
  const one = noRoom(1);
  const other = Object.assign(new Error('no space left on 1'), { code: 'ENOSPC' });
  for (let n = 0; n < 5; n += 1) {
    log.error({ err: one }, 'a file cannot be written');
    log.error({ err: other }, 'a file cannot be written');
    log.error({ err: Object.assign(noRoom(1), { code: 'EIO' }) }, 'a file cannot be written');
    log.error({ err: one }, 'a list cannot be written');
    log.warn({ err: one }, 'a file cannot be written');
    log.error(one, 'given by itself');
  }
  expect(lines).toHaveLength(6);
});

test('answers of 500 are found by their incident, also those of an error that came again', () => {
  const { log, lines } = open();
  for (const incident of ['aa', 'bb', 'cc']) log.error({ err: noRoom(1), incident }, 'a request failed');
  minutes(1);
  expect(lines.map(({ incidents }) => incidents)).toEqual([undefined, ['bb', 'cc']]);
});

test('lines without an error say other things under the same message: twenty a minute are written', () => {
  const { log, lines } = open();
  for (let n = 0; n < 50; n += 1) log.warn({ n }, 'a receipt fits no message');
  minutes(1);
  for (let n = 0; n < 5; n += 1) log.warn({ n }, 'a receipt fits no message');
  expect(lines.map(({ again }) => again).filter((again) => again !== undefined)).toEqual([30]);
  expect(lines).toHaveLength(26);
});

test('what is no warning, and what ends the process, is always written', () => {
  const { log, lines } = open();
  for (let n = 0; n < 30; n += 1) {
    log.info('said');
    log.fatal({ err: noRoom(1) }, 'ends');
  }
  expect(lines).toHaveLength(60);
});

test('so many kinds are told apart, and no more are remembered', () => {
  const { log, lines } = open();
  for (let n = 0; n < 600; n += 1)
    for (let again = 0; again < 2; again += 1) log.error({ err: noRoom(1) }, `message ${n}`);
  expect(lines).toHaveLength(500 + 2 * 100);
});

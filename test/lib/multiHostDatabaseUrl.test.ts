import { describe, expect, test } from 'vitest';
import { parseMultiHostDatabaseUrl, shownDatabaseAddress } from '../../src/lib/multiHostDatabaseUrl.ts';

const refused = (text: string): string => {
  try {
    parseMultiHostDatabaseUrl(text);
    return 'taken';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('an address of one host', () => {
  test.each([
    'postgresql://ramal:secret@db:5432/ramal',
    'postgres://db/ramal?sslmode=verify-full',
    'postgresql://u:p@[::1]:5433/db',
    'postgresql://u@%2Fvar%2Frun%2Fpostgresql/db',
    'postgresql:///db?host=/var/run/postgresql',
    'postgresql://u:p@db/ramal?target_session_attrs=any',
  ])('%s stays as it is, and is not chosen among', (text) => {
    expect(parseMultiHostDatabaseUrl(text)).toEqual({ single: text });
  });

  test('is looked at like several where a writable server is asked for', () => {
    expect(parseMultiHostDatabaseUrl('postgresql://u:p@vip/db?target_session_attrs=read-write')).toEqual({
      single: 'postgresql://u:p@vip:5432/db',
      hosts: [{ host: 'vip', port: 5432 }],
    });
  });
});

describe('an address of several hosts', () => {
  test('names a port for each, or has the usual one', () => {
    const text = 'postgresql://u:p%40ss@h1:5433,h2,[fd00::2]:5434/db?target_session_attrs=read-write';
    expect(parseMultiHostDatabaseUrl(text)).toEqual({
      single: 'postgresql://u:p%40ss@h1:5433/db',
      hosts: [
        { host: 'h1', port: 5433 },
        { host: 'h2', port: 5432 },
        { host: 'fd00::2', port: 5434 },
      ],
    });
  });

  test('keeps what else it says', () => {
    const text = 'postgresql://u@[::1],h2/db?sslmode=verify-full&options=-c%20geqo%3Doff';
    const { single } = parseMultiHostDatabaseUrl(text);
    expect(new URL(single).searchParams.get('options')).toBe('-c geqo=off');
    expect(single).toMatch(/^postgresql:\/\/u@\[::1\]:5432\/db\?sslmode=verify-full&/);
  });

  test('may name them as parameters, with one port for all or one for each', () => {
    const hosts = (query: string) => parseMultiHostDatabaseUrl(`postgresql:///db?${query}`).hosts;
    expect(hosts('host=a,b&port=6000')).toEqual([
      { host: 'a', port: 6000 },
      { host: 'b', port: 6000 },
    ]);
    expect(hosts('host=a,::1&port=1,2')).toEqual([
      { host: 'a', port: 1 },
      { host: '::1', port: 2 },
    ]);
    expect(refused('postgresql:///db?host=a,b,c&port=1,2')).toContain('as many ports as hosts');
  });

  test('counts a host once', () => {
    expect(parseMultiHostDatabaseUrl('postgresql://a,a:5432,b/db').hosts).toHaveLength(2);
  });

  test('takes a password with an @ in it, as URL does', () => {
    expect(parseMultiHostDatabaseUrl('postgresql://u:p@ss@a,b/db').single).toBe(
      'postgresql://u:p@ss@a:5432/db',
    );
  });
});

test('what cannot serve Ramal is refused with a sentence', () => {
  const of = (attrs: string) => refused(`postgresql://u:hidden@a,b/db?target_session_attrs=${attrs}`);
  for (const attrs of ['any', 'read-only', 'standby', 'prefer-standby', 'nonsense'])
    expect(of(attrs)).toContain('target_session_attrs=read-write');
  expect(of('read-write')).toBe('taken');
  expect(of('primary')).toBe('taken');
  expect(refused('postgresql://u:hidden@a/db?target_session_attrs=standby')).toContain('read-write');
});

test.each([
  'mysql://u:hidden@a/db',
  'db:5432',
  '',
  'postgresql://u:hidden@a:0,b/db',
  'postgresql://u:hidden@a:70000,b/db',
  'postgresql://u:hidden@a:b,c/db',
  'postgresql://u:hidden@a,,b/db',
  'postgresql://u:hidden@a,/db',
  'postgresql://u:hidden@[::1,b/db',
  'postgresql://u:hidden@%zz,b/db',
  `postgresql://u:hidden@${'h,'.repeat(20)}h/db`.replaceAll(/h,/g, () => `h${Math.random()},`),
])('%s is refused, and nothing of it repeated', (text) => {
  expect(refused(text)).toMatch(/^an address /);
  expect(refused(text)).not.toContain('hidden');
});

test('is shown without user, password and parameters', () => {
  expect(shownDatabaseAddress('postgresql://u:hidden@a,[::1]:7/db?sslmode=require')).toBe(
    'postgresql://a:5432,[::1]:7/db',
  );
  expect(shownDatabaseAddress('postgresql://u:hidden@a:1/db')).toBe('postgresql://a:1/db');
});

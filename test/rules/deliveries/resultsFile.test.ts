import { describe, expect, it, test } from 'vitest';
import { isAllowedOutboundAddress } from '../../../src/lib/ipAddressRanges.ts';
import { csvLine } from '../../../src/rules/deliveries/csvLine.ts';
import { resultsFileName } from '../../../src/rules/deliveries/resultsFileName.ts';

describe('a line of CSV', () => {
  it('quotes what would break it, and only that', () => {
    const fields = ['plain', 'a,b', 'a"b', 'a\nb', ' edge', 'a;b', '', 12];
    expect(csvLine(fields, ',')).toBe('plain,"a,b","a""b","a\nb"," edge",a;b,,12\r\n');
    expect(csvLine(['a,b', 'a;b'], ';')).toBe('a,b;"a;b"\r\n');
    expect(csvLine(['a\tb', 'c'], '\t')).toBe('"a\tb"\tc\r\n');
  });

  it('shows what a spreadsheet would run, and leaves numbers alone', () => {
    for (const formula of ['=1+1', '+55', '-2', '@SUM(A1)', '\t=1', '\r=1'])
      expect(csvLine([formula], ',')).toContain(`'${formula}`);
    expect(csvLine([-2, 'a=1', '1-2'], ',')).toBe('-2,a=1,1-2\r\n');
  });
});

test.each([
  ['Natal & São João 2026', 'campaign-17-natal-sao-joao-2026.csv'],
  ['../../etc/passwd', 'campaign-17-etc-passwd.csv'],
  ['日本', 'campaign-17.csv'],
  ['', 'campaign-17.csv'],
  ['x'.repeat(59) + ' y', `campaign-17-${'x'.repeat(59)}.csv`],
])('a campaign named %j is delivered as %s', (name, file) => {
  expect(resultsFileName(17, name)).toBe(file);
});

test('only public addresses may be reached, and those that the operator opened', () => {
  const inside = [
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '0.0.0.0',
    '100.64.0.1',
    '::1',
    'fd00::1',
    'fe80::1',
  ];
  for (const address of [...inside, '::ffff:10.1.2.3', '64:ff9b::a00:1', 'nobody', ''])
    expect([address, isAllowedOutboundAddress(address, [])]).toEqual([address, false]);
  for (const address of ['8.8.8.8', '2606:4700::1111'])
    expect(isAllowedOutboundAddress(address, [])).toBe(true);
  expect(isAllowedOutboundAddress('10.1.2.3', ['10.1.0.0/16'])).toBe(true);
  expect(isAllowedOutboundAddress('::ffff:10.1.2.3', ['10.1.0.0/16'])).toBe(true);
  expect(isAllowedOutboundAddress('10.2.2.3', ['10.1.0.0/16'])).toBe(false);
});

import { describe, expect, it } from 'vitest';
import { splitIntoSmppParts } from '../../../../src/providers/sms/smpp/parts.ts';
import { smsRouteSettingsSchemas } from '../../../../src/rules/sms/smsRouteCarrierSchemas.ts';

const parts = (given: { from?: string; text?: string }, settings: object = {}) =>
  splitIntoSmppParts(
    { to: '5511987654321', from: '', text: 'Olá', reference: 0x1ff, ...given },
    smsRouteSettingsSchemas.smpp.parse({ host: 'x', system_id: 'x', ...settings }),
  );

describe('what is submitted', () => {
  it.each([
    ['RAMAL', 'RAMAL', 5, 0],
    ['27182', '27182', 3, 0],
    ['5511300000000', '5511300000000', 1, 1],
    ['+5511300000000', '5511300000000', 1, 1],
    ['', '', 0, 0],
  ])('names the sender %s by its kind', (from, source_addr, source_addr_ton, source_addr_npi) => {
    expect(parts({ from })).toMatchObject([{ source_addr, source_addr_ton, source_addr_npi }]);
  });

  it('follows the route', () => {
    const settings = {
      ...{ from: 'LOJA', source_ton: 2, source_npi: 8, destination_ton: 2, destination_npi: 0 },
      receipts: false,
    };
    expect(parts({}, settings)).toMatchObject([
      {
        ...{ source_addr: 'LOJA', source_addr_ton: 2, source_addr_npi: 8 },
        ...{ dest_addr_ton: 2, dest_addr_npi: 0, registered_delivery: 0 },
      },
    ]);
  });

  it('is one message up to 160 septets or 70 units, and says its coding', () => {
    expect(parts({ text: 'x'.repeat(160) })).toMatchObject([{ esm_class: 0, data_coding: 0 }]);
    expect(parts({ text: 'ã'.repeat(70) })).toMatchObject([{ esm_class: 0, data_coding: 8 }]);
    expect(parts({ text: 'x'.repeat(161) })).toHaveLength(2);
    expect(parts({ text: 'ã'.repeat(71) })).toHaveLength(2);
  });

  it('begins each part with its header', () => {
    const [first, second] = parts({ text: 'x'.repeat(161) }).map(
      ({ short_message }) => short_message as Buffer,
    );
    expect([...first!.subarray(0, 6)]).toEqual([5, 0, 3, 0xff, 2, 1]);
    expect([...second!.subarray(0, 6)]).toEqual([5, 0, 3, 0xff, 2, 2]);
    expect([first!.length, second!.length]).toEqual([6 + 153, 6 + 8]);
  });
});

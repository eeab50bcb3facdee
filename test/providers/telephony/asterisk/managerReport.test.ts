import { expect, test } from 'vitest';
import { statusesIn } from '../../../../src/providers/telephony/asterisk/trunks/managerReport.ts';

const event = (type: string, ...lines: string[]) => [`Event: ${type}`, ...lines, '', ''].join('\r\n');

test('statuses of registrations are read by their names, and the logins beside them are passed over', () => {
  const text =
    event(
      'OutboundRegistrationDetail',
      'ObjectName: ramal-trunk-2',
      'ClientUri: sip:a@b',
      'Status: Registered',
    ) +
    event('AuthDetail', 'ObjectName: ramal-trunk-2', 'Password: secret') +
    event('OutboundRegistrationDetail', 'ObjectName: ramal-trunk-3', 'Status: Rejected') +
    event('OutboundRegistrationDetailComplete', 'ListItems: 2');
  expect([...statusesIn(text)]).toEqual([
    ['ramal-trunk-2', 'Registered'],
    ['ramal-trunk-3', 'Rejected'],
  ]);
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import {
  asteriskManagerClient,
  parseRegistrationStatuses,
} from '../../../../src/providers/telephony/asterisk/trunks/amiRegistrationStatus.ts';

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
  expect([...parseRegistrationStatuses(text)]).toEqual([
    ['ramal-trunk-2', 'Registered'],
    ['ramal-trunk-3', 'Rejected'],
  ]);
});

test('an answer that never ends is read to a bound, and tells nothing', async () => {
  let sent = 0;
  const server = createServer((_, response) => {
    response.setHeader('set-cookie', 'mansession_id="1f"');
    const more = (): void => {
      if (response.destroyed) return;
      response.write(Buffer.alloc(65_536, 'x'));
      sent += 65_536;
    };
    response.on('drain', more);
    more();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ari`;
    const report = asteriskManagerClient({ url, user: 'ramal', password: 'secret' });
    expect(await report.registrations()).toBeUndefined();
    expect(sent).toBeGreaterThan(1024 * 1024);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

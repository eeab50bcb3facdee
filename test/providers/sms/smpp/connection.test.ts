import { afterEach, beforeEach, expect, test } from 'vitest';
import { SmppConnection } from '../../../../src/providers/sms/smpp/connection.ts';
import { unrestrictedDnsLookup } from '../../../../src/providers/ssrfGuard.ts';
import { parseStoredSmsRouteSettings } from '../../../../src/rules/sms/smsRouteCarrierSchemas.ts';
import { names } from '../../../helpers/names.ts';
import { eventually } from '../../../helpers/patience.ts';
import { type SmppServer, startSmppServer } from '../../../helpers/smppServer.ts';

let server: SmppServer;
let connection: SmppConnection | undefined;

beforeEach(async () => {
  server = await startSmppServer();
});
afterEach(async () => {
  await Promise.all([connection?.close(), server.stop()]);
  connection = undefined;
});

/** A connection that is bound. */
const bound = (settings: object): Promise<SmppConnection> =>
  new Promise((resolve, reject) => {
    const opened = new SmppConnection({
      settings: parseStoredSmsRouteSettings('smpp', {
        ...{ host: '127.0.0.1', port: server.port, system_id: 'ramal' },
        ...settings,
      }),
      password: 'sesame',
      lookup: unrestrictedDnsLookup(names.of('a 7')),
      up: () => resolve(opened),
      lost: (why) => reject(new Error(why)),
      brought: () => {},
    });
    connection = opened;
  });

test('late answers are heard of ten thousand submissions beyond the window, of no older ones', async () => {
  let answer!: () => void;
  const answering = new Promise<void>((resolve) => (answer = resolve));
  server.behaviour.submit = async () => (await answering, 0);
  const link = await bound({ window: 2 });
  const submitted = 10_005;
  const heard: number[] = [];
  for (let number = 1; number <= submitted; number += 1)
    expect(link.submit({ destination_addr: '5511900000001' }, () => heard.push(number))).toBe(true);
  await eventually(() => expect(server.mostInFlight).toBe(submitted));
  answer();
  await eventually(() => expect(heard.at(-1)).toBe(submitted));
  expect(heard[0]).toBe(4);
  expect(heard).toHaveLength(10_002);
});

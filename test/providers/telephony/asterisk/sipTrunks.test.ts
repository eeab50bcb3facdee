/** Trunks with SIP details at an Asterisk that fails in the middle of writing them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createAri } from '../../../../src/providers/telephony/asterisk/ariRestClient.ts';
import { SipTrunkSync } from '../../../../src/providers/telephony/asterisk/trunks/sipTrunkSync.ts';
import { sipSettingsOfTrunk } from '../../../../src/rules/trunks/sipTrunkDetails.ts';

/** Keeps what is put by its path, as the configuration in Asterisk's memory does; `fails` says which requests it does not serve. */
const anAsterisk = async (fails: (method: string, path: string) => boolean) => {
  const objects = new Map<string, unknown>();
  const server = createServer((request, response) => {
    const { method = '', url: path = '' } = request;
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const sent: Buffer[] = [];
    request.on('data', (part: Buffer) => sent.push(part));
    request.on('end', () => {
      if (fails(method, path)) return answer(503, { message: 'busy' });
      if (path.endsWith('/endpoints/PJSIP')) return answer(200, []);
      if (method === 'PUT')
        objects.set(path, (JSON.parse(Buffer.concat(sent).toString()) as { fields: unknown }).fields);
      const known = objects.get(path);
      if (method === 'DELETE') objects.delete(path);
      return known === undefined ? answer(404, { message: 'not found' }) : answer(200, known);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ari`;
  const sorts = (): string[] => [...objects.keys()].map((path) => path.split('/').at(-2)!).toSorted();
  return { url, sorts, stop: () => (server.closeAllConnections(), server.close()) };
};

test('a trunk that an Asterisk could not take in one moment is written again at the next look', async () => {
  let isBusy = true;
  const asterisk = await anAsterisk(
    (method, path) => isBusy && method === 'PUT' && path.includes('/endpoint/'),
  );
  const ari = createAri({ url: asterisk.url, user: 'ramal', password: 'secret' });
  const trunks = new SipTrunkSync({
    ari: () => ari,
    report: () => ({ registrations: () => Promise.resolve(undefined) }),
    log: { warn: () => undefined },
  });
  const sip = sipSettingsOfTrunk({ sip_host: 'sip.example.net', sip_user: '5511400' })!;
  const wanted = [{ id: 2, name: 'carrier-b', sip, password: 'at-the-carrier' }];
  try {
    await expect(trunks.write(wanted)).rejects.toThrow('busy');
    expect(asterisk.sorts()).toEqual(['aor', 'auth']);
    await expect(trunks.keep()).rejects.toThrow('busy');
    isBusy = false;
    await trunks.keep();
    expect(asterisk.sorts()).toEqual(['aor', 'auth', 'endpoint', 'registration']);
  } finally {
    await ari.close();
    asterisk.stop();
  }
});

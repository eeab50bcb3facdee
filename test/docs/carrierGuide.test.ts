/** The guide that connects a carrier, followed to the letter: an Asterisk as it says, and another one as the registrar. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lacking, type LoneAsterisk, loneAsterisk } from '../asterisk/bed.ts';
import { portsOf, ready, startRegistrar } from '../asterisk/registrar.ts';
import { aFollower, type Follower } from './follower.ts';
import { blocksWith, missing } from './pages.ts';
import { expectWorks, follow } from './reader.ts';
import { addTool, toolsIn } from './tools.ts';

const absent = lacking() ?? (missing.length > 0 ? `${missing.join(', ')} missing` : undefined);

const [ownShift, registrarShift] = [6, 8];

describe.skipIf(absent !== undefined)(
  `a carrier with registration and login${absent ? `: ${absent}` : ''}`,
  () => {
    const own = loneAsterisk(ownShift);
    let registrar: LoneAsterisk;
    let reader: Follower;
    beforeAll(async () => {
      registrar = startRegistrar(registrarShift);
      reader = await aFollower(portsOf(ownShift));
      addTool(toolsIn(reader.place), 'systemctl', ready(own));
      addTool(toolsIn(reader.place), 'asterisk', `exec '${own.folder}/rasterisk' "$@"`);
    });
    afterAll(async () => {
      await reader?.stop();
      await Promise.all([own.stop(), registrar?.stop()]);
    });

    test('registers there, and a call by the guide is answered there', async () => {
      const page = 'docs/guides/connect-a-carrier.md';
      const replaced = {
        'sip.example.net:5060': `127.0.0.1:${5060 + registrarShift}`,
        '/etc/asterisk': `${own.folder}/etc`,
        '127.0.0.1:8088': `127.0.0.1:${8088 + ownShift}`,
        '127.0.0.1:8080': `127.0.0.1:${reader.place.port}`,
        '/tmp/trunk.pcap': join(own.folder, 'trunk.pcap'),
      };
      const done = await follow(page, blocksWith(page, 'asterisk'), {
        ...reader.place,
        replaced,
      });
      try {
        expectWorks(done);
        const { said } = done;
        expect(said.join('\n')).toContain('its trunk PJSIP/carrier is');
        expect(said.join('\n')).toMatch(/asterisk +asterisk +on +45 +450 +PJSIP\/\{number\}@carrier/);
        expect(said.filter((block) => /^cd_status +OK$/m.test(block))).toHaveLength(2);
        const trace = said.at(-1)!;
        for (const line of [
          'INVITE sip:5511987654321@',
          'SIP/2.0 401',
          'SIP/2.0 200 OK',
          'ACK sip:',
          'BYE sip:',
        ])
          expect([line, trace.includes(line)]).toEqual([line, true]);
        expect(await registrar.console('dialplan show globals')).toMatch(
          /CALLED=5511987654321 by PJSIP\/5511400-/,
        );
        await expect
          .poll(() => own.console('pjsip show registrations'))
          .toMatch(/carrier-registration.* Registered/);
        await expect
          .poll(() => registrar.console('pjsip show contacts'))
          .toMatch(new RegExp(`5511400/sip:5511400@127\\.0\\.0\\.1:${5060 + ownShift}`));
      } finally {
        await done.close();
      }
    });

    test.each(['README.md', 'docs/guides/own-servers.md'])(
      'the Asterisk of %s is started and reached',
      async (page) => {
        const blocks = blocksWith(page, 'asterisk').filter(({ needs }) => needs === 'asterisk');
        const printed = blocks.map(({ script }) => script).join('\n');
        const replaced = Object.entries({
          'sip.example.net:5060': `127.0.0.1:${5060 + registrarShift}`,
          '/etc/asterisk': `${own.folder}/again`,
          'asterisk:8088': `127.0.0.1:${8088 + ownShift}`,
          'this-host:8080': `127.0.0.1:${reader.place.port}`,
        }).filter(([word]) => printed.includes(word));
        const done = await follow(page, blocks, {
          ...reader.place,
          replaced: Object.fromEntries(replaced),
        });
        expectWorks(done);
        const health = (await (await fetch(`${reader.url}/mcp/health`)).json()) as object;
        expect(JSON.stringify(health)).toContain('connected to Asterisk');
        await done.close();
      },
    );
  },
);

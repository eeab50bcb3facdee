/** The carrier of the bed bears what a real one bears. */
import { createSocket, type Socket } from 'node:dgram';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bed, lacking, startBed } from './bed.ts';

const missing = lacking();

describe.skipIf(missing)(`the carrier${missing ? `: ${missing}` : ''}`, () => {
  let bed: Bed;
  let line: Socket;
  const answers: string[] = [];
  beforeAll(async () => {
    bed = await startBed(5);
    line = createSocket('udp4');
    line.on('message', (data) => answers.push(data.toString().split('\r\n')[0]!));
    await new Promise<void>((resolve) => line.bind(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    line?.close();
    await bed?.stop();
  });

  const send = (text: string): void => line.send(text, 5070 + bed.shift, '127.0.0.1');

  it('answers when a busy Asterisk sends its INVITE again while it rings', async () => {
    send(invite(line.address().port));
    await expect.poll(() => answers).toContain('SIP/2.0 180 Ringing');
    send(invite(line.address().port));
    await expect.poll(() => answers).toContain('SIP/2.0 200 OK');
  });
});

const invite = (port: number): string =>
  [
    'INVITE sip:551130000005@127.0.0.1 SIP/2.0',
    `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bKagain`,
    'From: <sip:1130000000@127.0.0.1>;tag=again',
    'To: <sip:551130000005@127.0.0.1>',
    `Contact: <sip:tester@127.0.0.1:${port}>`,
    'Call-ID: again@127.0.0.1',
    'CSeq: 1 INVITE',
    'X-Ramal-Leg: a.7.1.1',
    'Max-Forwards: 70',
    'Content-Type: application/sdp',
    `Content-Length: ${description.length}`,
    '',
    description,
  ].join('\r\n');

const description = [
  ...['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0'],
  ...['m=audio 30000 RTP/AVP 0', 'a=rtpmap:0 PCMU/8000', ''],
].join('\r\n');

/** Tells a carrier of the bed to refuse every call, or to take calls again: by a call to a user of its own for each. */
import { createSocket } from 'node:dgram';

const againMs = 2_000;
const mostTries = 10;

/** Settles when the carrier has done so; rejects when it does not answer. */
export const switchCarrier = (port: number, user: 'closed' | 'open'): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    const id = `${user}-${process.hrtime.bigint()}`;
    let tries = 0;
    const settle = (error?: Error): void => {
      clearInterval(timer);
      socket.close();
      if (error) reject(error);
      else resolve();
    };
    const ask = (): void => {
      tries += 1;
      if (tries > mostTries) return settle(new Error(`the carrier at ${port} does not answer`));
      socket.send(request('INVITE', user, id, socket.address().port, `<sip:${user}@127.0.0.1>`), port, host);
    };
    const timer = setInterval(ask, againMs);
    socket.on('error', settle);
    socket.on('message', (data) => {
      const [first = '', ...headers] = data.toString().split('\r\n');
      if (!/^SIP\/2.0 [2-6]/.test(first)) return;
      const to = headers.find((line) => line.startsWith('To:'))!.slice('To:'.length);
      socket.send(request('ACK', user, id, socket.address().port, to.trim()), port, host, () => settle());
    });
    socket.bind(0, host, ask);
  });

const host = '127.0.0.1';

const request = (method: string, user: string, id: string, port: number, to: string): string =>
  [
    `${method} sip:${user}@${host} SIP/2.0`,
    `Via: SIP/2.0/UDP ${host}:${port};branch=z9hG4bK${id}`,
    `From: <sip:operator@${host}>;tag=${id}`,
    `To: ${to}`,
    `Contact: <sip:operator@${host}:${port}>`,
    `Call-ID: ${id}@${host}`,
    `CSeq: 1 ${method}`,
    'X-Ramal-Leg: none',
    'Max-Forwards: 70',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');

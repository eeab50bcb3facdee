/** A name server on loopback (UDP): answers what it is told to, and does not answer for names that end in `.slow.test`. */
import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';

export interface NameServer {
  /** As `DNS_SERVERS` wants it. */
  address: string;
  /** Addresses by name. One that is not here does not exist. */
  names: Map<string, string[]>;
  /** Questions so far, by name and kind: `a.test A`. */
  asked: string[];
  /** Seconds that answers may be believed. */
  ttl: number;
  /** Whether it answers a question; default: unless the name ends in `.slow.test`. */
  answers(name: string, kind: 'A' | 'AAAA'): boolean;
  close(): Promise<void>;
}

const kinds = new Map([
  [1, 'A'],
  [28, 'AAAA'],
] as const);

export const startNameServer = async (): Promise<NameServer> => {
  const socket = createSocket('udp4');
  const server: NameServer = {
    ...{ address: '', names: new Map(), asked: [], ttl: 60 },
    answers: (name) => !name.endsWith('.slow.test'),
    close: () => new Promise((resolve) => void socket.close(() => resolve())),
  };
  socket.on('message', (question, { port, address }) => {
    const { name, type, end } = read(question);
    const kind = kinds.get(type as 1 | 28);
    if (!kind) return;
    server.asked.push(`${name} ${kind}`);
    if (!server.answers(name, kind)) return;
    const family = kind === 'A' ? 4 : 6;
    const addresses = server.names.get(name);
    const fitting = addresses?.filter((one) => isIP(one) === family) ?? [];
    const records = fitting.map((one) => record(one, type, server.ttl));
    const head = Buffer.from(question.subarray(0, 12));
    // An answer; recursion is available; no such name, where there is none.
    head.writeUInt16BE(0x8180 | (addresses ? 0 : 3), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, question.subarray(12, end), ...records]), port, address);
  });
  await new Promise<void>((resolve) => void socket.bind(0, '127.0.0.1', resolve));
  server.address = `127.0.0.1:${socket.address().port}`;
  return server;
};

const read = (question: Buffer): { name: string; type: number; end: number } => {
  const labels: string[] = [];
  let at = 12;
  for (let length = question[at]!; length > 0; length = question[at]!) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: question.readUInt16BE(at + 1), end: at + 5 };
};

const record = (address: string, type: number, ttl: number): Buffer => {
  const data = isIP(address) === 4 ? Buffer.from(address.split('.').map(Number)) : sixteen(address);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(ttl, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
};

const sixteen = (address: string): Buffer => {
  const [front = '', back] = address.split('::');
  const groups = (text = ''): string[] => text.split(':').filter(Boolean);
  const [before, after] = [groups(front), groups(back)];
  const all = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
};

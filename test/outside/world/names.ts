/**
 * A name server of the judge's own: it knows `*.fine.test` and `*.silent.test`, and is silent about the latter when it is
 * told to be. Nodes ask it and no other, because each sees a `resolv.conf` of ours in a mount namespace of its own.
 */
import { createSocket, type Socket } from 'node:dgram';
import { writeFileSync } from 'node:fs';

export interface Names {
  /** What stands before a node's command line, so that it asks here. */
  wrapper: readonly string[];
  /** About `*.silent.test` nothing is said. */
  silent: boolean;
  /** Questions that were not answered. */
  unanswered: number;
  stop(): void;
}

const loopback = Buffer.from([127, 0, 0, 1]);
const typeA = 1;

/** `file`: where the nodes' `resolv.conf` is written. */
export const startNames = async (file: string): Promise<Names> => {
  const socket = createSocket('udp4');
  const address = await bindSomewhere(socket);
  writeFileSync(file, `nameserver ${address}\n`, { mode: 0o644 });
  const script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"';
  const names: Names = {
    wrapper: ['unshare', '--mount', 'sh', '-c', script, file],
    silent: false,
    unanswered: 0,
    stop: () => socket.close(),
  };
  socket.on('message', (question, { port, address: from }) => {
    const { name, type, end } = readQuestion(question);
    if (names.silent && name.endsWith('.silent.test')) {
      names.unanswered += 1;
      return;
    }
    socket.send(answerTo(question.subarray(0, end), name, type), port, from);
  });
  return names;
};

/** Port 53 of a loopback address that no other run uses. */
const bindSomewhere = async (socket: Socket): Promise<string> => {
  for (let tries = 0; ; tries += 1) {
    const address = `127.53.${(process.pid + tries) % 250}.${1 + ((process.pid >> 8) % 250)}`;
    const failed = await new Promise<Error | undefined>((resolve) => {
      socket.once('error', resolve);
      socket.bind(53, address, () => resolve(undefined));
    });
    socket.removeAllListeners('error');
    if (!failed) return address;
    if (tries === 20) throw failed;
  }
};

const readQuestion = (packet: Buffer): { name: string; type: number; end: number } => {
  const labels: string[] = [];
  let at = 12;
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = at + 2 < packet.length ? packet.readUInt16BE(at + 1) : 0;
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 };
};

/** 127.0.0.1 for names that are known and asked for by A; nothing for their AAAA; NXDOMAIN for all others. */
const answerTo = (question: Buffer, name: string, type: number): Buffer => {
  const known = name.endsWith('.fine.test') || name.endsWith('.silent.test');
  const answers = known && type === typeA ? 1 : 0;
  const head = Buffer.from(question);
  head.writeUInt16BE(known ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(answers, 6);
  head.writeUInt32BE(0, 8);
  if (answers === 0) return head;
  // A pointer to the name, A, IN, five seconds, four bytes.
  return Buffer.concat([head, Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 5, 0, 4]), loopback]);
};

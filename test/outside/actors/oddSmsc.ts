/**
 * An SMSC of the neighbour's, written byte by byte, because what it does on its bad days no library would send: ids of
 * 14,000 letters, halves, lengths of gigabytes, floods of questions from one that reads nothing. On good days it takes all.
 */
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Dice } from '../dice.ts';
import type { Ledger } from '../evidence.ts';
import { tagIn } from './smsc.ts';

export interface OddSmsc {
  port: number;
  odd: boolean;
  oddAnswers: number;
  stop(): void;
}

const bindTransceiver = 0x09;
const submit = 0x04;
const enquire = 0x15;
const unbind = 0x06;
const answerBit = 0x8000_0000;
const headBytes = 16;

const pdu = (command: number, status: number, sequence: number, body: Buffer = Buffer.alloc(0)): Buffer => {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(headBytes + body.length, 0);
  head.writeUInt32BE(command, 4);
  head.writeUInt32BE(status, 8);
  head.writeUInt32BE(sequence, 12);
  return Buffer.concat([head, body]);
};

const text = (words: string): Buffer => Buffer.from(`${words}\0`, 'latin1');
const letters = (dice: Dice, count: number): string =>
  Array.from({ length: count }, () => dice.between(0, 35).toString(36)).join('');

type Nonsense = (socket: Socket, sequence: number, dice: Dice) => void;

const answers: Record<string, Nonsense> = {
  longId: (socket, sequence, dice) =>
    void socket.write(pdu(submit + answerBit, 0, sequence, text(letters(dice, 14_000)))),
  ratherLongId: (socket, sequence, dice) =>
    void socket.write(pdu(submit + answerBit, 0, sequence, text(letters(dice, 300)))),
  badText: (socket, sequence) =>
    void socket.write(pdu(submit + answerBit, 0, sequence, Buffer.from([0xff, 0xfe, 0x01, 0x80, 0]))),
  noId: (socket, sequence) => void socket.write(pdu(submit + answerBit, 0, sequence)),
  strangerAnswer: (socket, sequence) =>
    void socket.write(pdu(submit + answerBit, 0, sequence + 900_000, text('stranger'))),
  twice: (socket, sequence) => {
    for (const id of ['one', 'two']) socket.write(pdu(submit + answerBit, 0, sequence, text(id)));
  },
  half: (socket, sequence) => {
    const whole = pdu(submit + answerBit, 0, sequence, text('halfway'));
    socket.write(whole.subarray(0, 11), () => socket.destroy());
  },
  gigabytes: (socket, sequence) => {
    const whole = pdu(submit + answerBit, 0, sequence, text('big'));
    whole.writeUInt32BE(0x7fff_ffff, 0);
    socket.write(whole);
  },
  noLength: (socket) => void socket.write(Buffer.alloc(64)),
  garbage: (socket, _, dice) =>
    void socket.write(Buffer.from(Array.from({ length: 500 }, () => dice.between(0, 255)))),
  never: () => {},
  /** Questions by the thousand, and its ears shut. */
  flood: (socket) => {
    socket.pause();
    const questions = Buffer.concat(Array.from({ length: 1_000 }, (_, nth) => pdu(enquire, 0, nth + 1)));
    let left = 100;
    const more = (): void => {
      for (; left > 0 && !socket.destroyed; left -= 1) if (!socket.write(questions)) break;
      if (left > 0 && !socket.destroyed) socket.once('drain', more);
    };
    more();
    setTimeout(() => socket.destroy(), 5_000);
  },
};

const names = Object.keys(answers);

export const startOddSmsc = async (dice: Dice, ledger: Ledger): Promise<OddSmsc> => {
  const sockets = new Set<Socket>();
  let taken = 0;

  const hear = (socket: Socket, packet: Buffer): void => {
    const command = packet.readUInt32BE(4);
    const sequence = packet.readUInt32BE(12);
    if (command === bindTransceiver) socket.write(pdu(command + answerBit, 0, sequence, text('odd')));
    else if (command === enquire || command === unbind) socket.write(pdu(command + answerBit, 0, sequence));
    else if (command === submit) {
      const tag = tagIn(packet.toString('latin1', headBytes));
      const seen = { kind: 'submitted', carrier: 'odd smsc', tag, receipts: false } as const;
      ledger.add({ ...seen, result: smsc.odd ? 'silent' : 'taken' });
      taken += 1;
      if (!smsc.odd) socket.write(pdu(submit + answerBit, 0, sequence, text(`odd${taken}`)));
      else {
        smsc.oddAnswers += 1;
        answers[dice.pick(names)]!(socket, sequence, dice);
      }
    }
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    let rest: Buffer = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (piece: Buffer) => {
      rest = Buffer.concat([rest, piece]);
      while (rest.length >= headBytes && rest.length >= rest.readUInt32BE(0)) {
        const length = Math.max(headBytes, rest.readUInt32BE(0));
        hear(socket, rest.subarray(0, length));
        rest = rest.subarray(length);
      }
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const smsc: OddSmsc = {
    port: (server.address() as AddressInfo).port,
    odd: false,
    oddAnswers: 0,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  return smsc;
};

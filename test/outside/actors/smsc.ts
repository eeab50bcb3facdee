/**
 * An SMSC that behaves: it takes submissions, refuses some numbers, and brings a receipt of each message that it took,
 * over whichever link stands by then. What it took and nobody heard of gets its receipt all the same.
 */
import smpp, { type Pdu, type Session } from 'smpp';
import type { Dice } from '../dice.ts';
import type { Ledger } from '../evidence.ts';

export interface Smsc {
  name: string;
  port: number;
  /** Receipts that nobody has confirmed yet. */
  owed(): number;
  stop(): Promise<void>;
}

interface Message {
  id: string;
  tag: string;
  to: string;
  customer: string;
  reference: number | undefined;
  delivered: boolean;
  dueAt: number;
  bringing: boolean;
}

/** The last two digits of a number decide. */
export const refusedEnding = '09';
const undeliveredEnding = '08';
const invalidDestination = 0x0b;
const receiptMs = [500, 4_000] as const;
const confirmMs = 5_000;

export const tagIn = (text: string): string => /\bw\d+\b/.exec(text)?.[0] ?? '';

export const startSmsc = async (name: string, dice: Dice, ledger: Ledger): Promise<Smsc> => {
  /** Links that are bound, by which customer. */
  const sessions = new Map<Session, string>();
  const owed = new Set<Message>();
  let taken = 0;

  const submitted = (session: Session, pdu: Pdu): void => {
    const { message = '' } = pdu['short_message'] as { message?: string };
    const to = String(pdu['destination_addr']);
    const tag = tagIn(message);
    if (to.endsWith(refusedEnding)) {
      ledger.add({ kind: 'submitted', carrier: name, tag, result: 'refused', receipts: true });
      session.send(pdu.response({ command_status: invalidDestination }));
      return;
    }
    taken += 1;
    const id = `${name}${taken}`;
    ledger.add({ kind: 'submitted', carrier: name, tag, result: 'taken', receipts: true });
    session.send(pdu.response({ message_id: id }));
    owed.add({
      ...{ id, tag, to, bringing: false, customer: sessions.get(session) ?? '' },
      reference: pdu['user_message_reference'] as number | undefined,
      delivered: !to.endsWith(undeliveredEnding),
      dueAt: ledger.now() + dice.between(...receiptMs),
    });
  };

  const bring = (message: Message): void => {
    const own = [...sessions].filter(([, customer]) => customer === message.customer);
    const [session] = own.at(-1) ?? [];
    if (!session) return;
    message.bringing = true;
    const giveUp = setTimeout(() => (message.bringing = false), confirmMs);
    const stat = message.delivered ? 'DELIVRD' : 'UNDELIV';
    const text = `id:${message.id} sub:001 dlvrd:001 submit date:2611202245 done date:2611202246 stat:${stat} err:000 text:`;
    session.deliver_sm(
      {
        ...{ esm_class: 4, source_addr: message.to, data_coding: 0 },
        short_message: { message: Buffer.from(text) },
        ...(message.reference !== undefined && { user_message_reference: message.reference }),
      },
      ({ command_status }) => {
        clearTimeout(giveUp);
        message.bringing = false;
        if (command_status !== 0 || !owed.delete(message)) return;
        const { tag, delivered } = message;
        ledger.add({ kind: 'receipted', carrier: name, tag, delivered });
      },
    );
  };
  const timer = setInterval(() => {
    for (const message of owed) if (!message.bringing && message.dueAt <= ledger.now()) bring(message);
  }, 100);

  const listening = smpp.createServer({}, (session: Session) => {
    session.socket.setNoDelay(true);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => session.destroy());
    session.on('bind_transceiver', (pdu: Pdu) => {
      session.send(pdu.response({ command_status: 0 }));
      sessions.set(session, String(pdu['system_id']));
    });
    session.on('submit_sm', (pdu: Pdu) => submitted(session, pdu));
    session.on('enquire_link', (pdu: Pdu) => void session.send(pdu.response()));
    session.on('unbind', (pdu: Pdu) => {
      sessions.delete(session);
      session.send(pdu.response());
      session.close();
    });
  });
  await new Promise<void>((resolve) => void listening.listen(0, '127.0.0.1', resolve));
  return {
    name,
    port: listening.address().port,
    owed: () => owed.size,
    stop: async () => {
      clearInterval(timer);
      for (const session of sessions.keys()) session.destroy();
      await new Promise<void>((resolve) => void listening.close(resolve));
    },
  };
};

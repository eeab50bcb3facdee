/** An SMSC on loopback: takes submissions as it is told to, counts them, brings receipts, and cuts links. */
import smpp, { type Pdu, type Session } from 'smpp';

/** A submission as it came. */
export interface Taken {
  /** The carrier's id of it; empty: it was refused. */
  id: string;
  to: string;
  from: string;
  /** Without a header; the package reads it by `data_coding`. */
  text: string;
  header: readonly number[];
  coding: number;
  reference: number | undefined;
  registered: boolean;
  /** The name that its link was bound by. */
  systemId: string;
}

export interface SmppServer {
  port: number;
  /** Everything that was taken, in order. */
  taken: Taken[];
  /** Binds so far, refused ones included. */
  binds: Pdu[];
  /** Good-byes. */
  unbinds: number;
  /** Unanswered submissions at a time, at most. */
  mostInFlight: number;
  /** What it does with the next ones; may be changed at any time. */
  behaviour: {
    /** Status of a bind. */
    bind(pdu: Pdu): number;
    /** Status of a submission, when it is to be answered; `never`: it is taken and not answered. Refused ones are not counted. */
    submit(taken: Taken): number | 'never' | Promise<number>;
    /** False: it hears no questions whether the link stands. */
    enquire: boolean;
  };
  /** Ids as they stand in answers, made from a number. */
  idOf(number: number): string;
  /** Links that stand and are bound. */
  links(): number;
  /** Cuts all links, without a word. */
  cut(): void;
  /** Brings something over the newest link (of one who bound by this name); settles with the status it was confirmed with. */
  bring(
    fields: Record<string, unknown>,
    how?: { command?: 'deliver_sm' | 'data_sm'; systemId?: string },
  ): Promise<number>;
  /** Brings a receipt in the text of Appendix B. */
  receipt(
    taken: Pick<Taken, 'id' | 'to'> & { systemId?: string },
    stat?: string,
    more?: Record<string, unknown>,
  ): Promise<number>;
  /** Says good-bye on all links. */
  unbind(): void;
  stop(): Promise<void>;
}

/** `options`: of `net` or `tls`. */
export const startSmppServer = async (options: object = {}): Promise<SmppServer> => {
  /** Links that stand, and by which name they were bound. */
  const sessions = new Map<Session, string>();
  let inFlight = 0;

  const submitted = async (session: Session, pdu: Pdu): Promise<void> => {
    const taken = read(sessions.get(session) ?? '', pdu);
    inFlight += 1;
    server.mostInFlight = Math.max(server.mostInFlight, inFlight);
    const status = await server.behaviour.submit(taken);
    if (status === 'never' || status === 0) {
      taken.id = server.idOf(server.taken.length + 1);
      server.taken.push(taken);
    }
    if (status === 'never') return;
    inFlight -= 1;
    session.send(pdu.response(status === 0 ? { message_id: taken.id } : { command_status: status }));
  };

  const listener = (session: Session): void => {
    sessions.set(session, '');
    session.socket.setNoDelay(true);
    session.on('close', () => {
      sessions.delete(session);
      inFlight = 0;
    });
    session.on('error', () => session.destroy());
    session.on('bind_transceiver', (pdu: Pdu) => {
      server.binds.push(pdu);
      sessions.set(session, String(pdu['system_id']));
      session.send(pdu.response({ command_status: server.behaviour.bind(pdu) }));
    });
    session.on('submit_sm', (pdu: Pdu) => void submitted(session, pdu));
    session.on('enquire_link', (pdu: Pdu) => {
      if (server.behaviour.enquire) session.send(pdu.response());
    });
    session.on('unbind', (pdu: Pdu) => {
      server.unbinds += 1;
      session.send(pdu.response());
      session.close();
    });
  };
  const listening = smpp.createServer(options, listener);
  await new Promise<void>((resolve) => void listening.listen(0, '127.0.0.1', resolve));

  const server: SmppServer = {
    port: listening.address().port,
    taken: [],
    binds: [],
    unbinds: 0,
    mostInFlight: 0,
    behaviour: { bind: () => 0, submit: () => 0, enquire: true },
    idOf: (number) => `m${number}`,
    links: () => [...sessions.values()].filter((name) => name !== '').length,
    cut: () => {
      for (const session of sessions.keys()) session.destroy();
    },
    bring: (fields, { command = 'deliver_sm', systemId } = {}) =>
      new Promise((resolve, reject) => {
        const fitting = [...sessions].filter(([, name]) => systemId === undefined || name === systemId);
        const [session] = fitting.at(-1) ?? [];
        const sent = session?.[command](fields, ({ command_status }) => resolve(command_status));
        if (!sent) reject(new Error('no link stands'));
      }),
    receipt: ({ id, to, systemId }, stat = 'DELIVRD', more = {}) =>
      server.bring(
        {
          esm_class: 4,
          source_addr: to,
          data_coding: 0,
          short_message: {
            message: Buffer.from(
              `id:${id} sub:001 dlvrd:001 submit date:2611202245 done date:2611202246 stat:${stat} err:012 text:`,
            ),
          },
          ...more,
        },
        systemId === undefined ? {} : { systemId },
      ),
    unbind: () => {
      for (const session of sessions.keys()) session.unbind();
    },
    stop: async () => {
      server.cut();
      await new Promise<void>((resolve) => void listening.close(resolve));
    },
  };
  return server;
};

const read = (systemId: string, pdu: Pdu): Taken => {
  const body = pdu['short_message'] as { message: string; udh?: Buffer[] };
  return {
    id: '',
    to: String(pdu['destination_addr']),
    from: String(pdu['source_addr']),
    text: body.message,
    header: body.udh?.flatMap((part) => [...part]) ?? [],
    coding: Number(pdu['data_coding']),
    reference: pdu['user_message_reference'] as number | undefined,
    registered: pdu['registered_delivery'] === 1,
    systemId,
  };
};

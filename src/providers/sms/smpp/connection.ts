/** One connection to an SMSC: connected, bound as transceiver, asked now and then whether it stands, lost once. */
import smpp, { type Pdu } from 'smpp';
import type { SmppSettings } from '../../../rules/smsRoute.ts';
import { statusName } from './status.ts';

export interface ConnectionOptions {
  settings: SmppSettings;
  password: string;
  /** It is bound. */
  up(): void;
  /** It is gone, or never was; told once. */
  lost(why: string): void;
  /** The SMSC brings something; `answer` takes the status of the response. */
  brought(pdu: Pdu, answer: (status: number) => void): void;
}

export interface Connection {
  /** False: it takes nothing now. Parts handed in within one turn leave together. */
  submit(fields: Record<string, unknown>, answered: (response: Pdu) => void): boolean;
  /** Says good-bye, and settles when the connection is gone. */
  close(): Promise<void>;
}

/** To be connected and bound. */
const bindMs = 10_000;
/** Good-bye, and answers to questions whether the link stands. */
const politeMs = 5_000;
/** SMPP 3.4. */
const version = 0x34;

export const connect = (options: ConnectionOptions): Connection => {
  const { settings, password } = options;
  const session = smpp.connect(addressOf(settings));
  // Without it a window of small messages waits for acknowledgements of TCP.
  session.socket.setNoDelay(true);
  let state: 'connecting' | 'bound' | 'leaving' | 'lost' = 'connecting';
  let corked = false;
  let asking: NodeJS.Timeout | undefined;
  let gone!: () => void;
  const isGone = new Promise<void>((resolve) => (gone = resolve));

  const lose = (why: string): void => {
    if (state === 'lost') return;
    state = 'lost';
    clearTimeout(deadline);
    clearInterval(asking);
    session.destroy();
    options.lost(why);
    gone();
  };
  const deadline = setTimeout(() => lose('the carrier did not answer the bind in time'), bindMs);

  const bound = (response: Pdu): void => {
    if (state !== 'connecting') return;
    if (response.command_status !== 0) {
      lose(`the carrier refused the bind: ${statusName(response.command_status)}`);
      return;
    }
    clearTimeout(deadline);
    state = 'bound';
    asking = setInterval(ask, settings.enquire_ms);
    options.up();
  };

  const ask = (): void => {
    const silence = setTimeout(
      () => lose('the carrier fell silent'),
      Math.min(politeMs, settings.enquire_ms),
    ).unref();
    session.once('pdu', () => clearTimeout(silence));
    session.enquire_link({}, () => clearTimeout(silence));
  };

  /** Nothing more is sent; what is under way may still come in. */
  const leave = (): void => {
    if (state === 'lost') return;
    state = 'leaving';
    session.close();
    setTimeout(() => lose('the carrier did not close the link'), politeMs).unref();
  };

  session.on(settings.tls ? 'secureConnect' : 'connect', () => {
    const { system_id, system_type } = settings;
    session.bind_transceiver({ system_id, password, system_type, interface_version: version }, bound);
  });
  session.on('error', (error: Error) => lose(`the carrier cannot be reached: ${sentenceOf(error)}`));
  session.on('close', () => lose('the carrier closed the link'));
  session.on('enquire_link', (pdu: Pdu) => session.send(pdu.response()));
  session.on('unbind', (pdu: Pdu) => {
    session.send(pdu.response());
    leave();
  });
  for (const command of ['deliver_sm', 'data_sm'])
    session.on(command, (pdu: Pdu) =>
      options.brought(pdu, (status) => {
        if (state !== 'lost') session.send(pdu.response({ command_status: status }));
      }),
    );

  return {
    submit: (fields, answered) => {
      if (state !== 'bound') return false;
      if (!corked) {
        corked = true;
        session.socket.cork();
        process.nextTick(() => {
          corked = false;
          session.socket.uncork();
        });
      }
      return session.submit_sm(fields, answered);
    },
    close: async () => {
      if (state === 'connecting') lose('it is closing');
      if (state === 'bound') {
        state = 'leaving';
        session.unbind(leave);
        setTimeout(() => lose('the carrier did not answer the good-bye'), politeMs).unref();
      }
      await isGone;
    },
  };
};

const addressOf = ({ host, port, tls, tls_verify, tls_ca }: SmppSettings): object => ({
  host,
  port,
  ...(tls && {
    tls: true,
    servername: host,
    rejectUnauthorized: tls_verify,
    ...(tls_ca !== undefined && { ca: tls_ca }),
  }),
});

/** A code says it, or a sentence of TLS; neither holds anything secret. */
const sentenceOf = (error: Error): string => (error as NodeJS.ErrnoException).code ?? error.message;

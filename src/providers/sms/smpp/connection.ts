/** One connection to an SMSC: connected, bound as transceiver, asked now and then whether it stands, lost once. */
import { isIP, type LookupFunction } from 'node:net';
import smpp, { type Pdu, type Session } from 'smpp';
import { lruOf } from '../../../lib/lru.ts';
import type { SmppSettings } from '../../../rules/sms/smsRouteCarrierSchemas.ts';
import { limitSmppReadRate } from './limitReadRate.ts';
import { smppStatusName } from './status.ts';

export interface SmppConnectionOptions {
  settings: SmppSettings;
  password: string;
  lookup: LookupFunction;
  /** It is bound. */
  up(): void;
  /** It is gone, or never was; told once. */
  lost(why: string): void;
  /** The SMSC brings something; `answer` takes the status of the response. */
  brought(pdu: Pdu, answer: (status: number) => void): void;
}

/** To be connected and bound. */
const bindMs = 10_000;
/** Good-bye, and answers to questions whether the link stands. */
const politeMs = 5_000;
/** Submissions beyond a full window whose answers are still heard; those that wait longest are forgotten first. */
const mostLate = 10_000;
/** SMPP 3.4. */
const version = 0x34;

export class SmppConnection {
  readonly #options: SmppConnectionOptions;
  readonly #session: Session;
  readonly #deadline: NodeJS.Timeout;
  /** By sequence number. The package would keep what is never answered for as long as the link stands. */
  readonly #unanswered: ReturnType<typeof lruOf<number, (response: Pdu) => void>>;
  readonly #isGone: Promise<void>;
  #gone!: () => void;
  #state: 'connecting' | 'bound' | 'leaving' | 'lost' = 'connecting';
  #asking: NodeJS.Timeout | undefined;
  #corked = false;

  /** Begins to connect. */
  constructor(options: SmppConnectionOptions) {
    this.#options = options;
    this.#isGone = new Promise((resolve) => (this.#gone = resolve));
    this.#unanswered = lruOf(options.settings.window + mostLate);
    this.#session = smpp.connect({ ...addressOf(options.settings), lookup: options.lookup });
    // Without it a window of small messages waits for acknowledgements of TCP.
    this.#session.socket.setNoDelay(true);
    this.#deadline = setTimeout(() => this.#lose('the carrier did not answer the bind in time'), bindMs);
    limitSmppReadRate(this.#session);
    this.#listen(this.#session);
  }

  /** False: it takes nothing now. Parts handed in within one turn leave together. */
  submit(fields: Record<string, unknown>, answered: (response: Pdu) => void): boolean {
    if (this.#state !== 'bound') return false;
    this.#cork();
    const pdu = new smpp.PDU('submit_sm', fields);
    if (!this.#session.send(pdu)) return false;
    this.#unanswered.set(pdu.sequence_number, answered);
    return true;
  }

  /** Says good-bye, and settles when the connection is gone. */
  async close(): Promise<void> {
    if (this.#state === 'connecting') this.#lose('it is closing');
    if (this.#state === 'bound') {
      this.#state = 'leaving';
      this.#session.unbind(() => this.#leave());
      this.#loseLater('the carrier did not answer the good-bye');
    }
    await this.#isGone;
  }

  #listen(session: Session): void {
    const { settings, brought } = this.#options;
    session.on(settings.tls ? 'secureConnect' : 'connect', () => this.#bind());
    session.on('error', (error: Error) => this.#lose(`the carrier cannot be reached: ${sentenceOf(error)}`));
    session.on('close', () => this.#lose('the carrier closed the link'));
    session.on('pdu', (pdu: Pdu) => {
      if (pdu.isResponse()) this.#answered(pdu);
    });
    session.on('enquire_link', (pdu: Pdu) => session.send(pdu.response()));
    session.on('unbind', (pdu: Pdu) => {
      session.send(pdu.response());
      this.#leave();
    });
    for (const command of ['deliver_sm', 'data_sm'])
      session.on(command, (pdu: Pdu) => brought(pdu, (status) => this.#confirm(pdu, status)));
  }

  #bind(): void {
    const { password, settings } = this.#options;
    const { system_id, system_type } = settings;
    this.#session.bind_transceiver(
      { system_id, password, system_type, interface_version: version },
      ({ command_status: status }) => {
        if (status === 0) this.#bound();
        else this.#lose(`the carrier refused the bind: ${smppStatusName(status)}`);
      },
    );
  }

  #bound(): void {
    if (this.#state !== 'connecting') return;
    this.#state = 'bound';
    clearTimeout(this.#deadline);
    this.#asking = setInterval(() => this.#ask(), this.#options.settings.enquire_ms);
    this.#options.up();
  }

  #answered(response: Pdu): void {
    const answered = this.#unanswered.peek(response.sequence_number);
    this.#unanswered.delete(response.sequence_number);
    answered?.(response);
  }

  /** Whether the link stands; anything that comes is an answer. */
  #ask(): void {
    const patience = Math.min(politeMs, this.#options.settings.enquire_ms);
    const silence = setTimeout(() => this.#lose('the carrier fell silent'), patience).unref();
    this.#session.once('pdu', () => clearTimeout(silence));
    this.#session.enquire_link({});
  }

  #confirm(pdu: Pdu, status: number): void {
    if (this.#state !== 'lost') this.#session.send(pdu.response({ command_status: status }));
  }

  #cork(): void {
    if (this.#corked) return;
    this.#corked = true;
    this.#session.socket.cork();
    process.nextTick(() => {
      this.#corked = false;
      this.#session.socket.uncork();
    });
  }

  /** Nothing more is sent; what is under way may still come in. */
  #leave(): void {
    if (this.#state === 'lost') return;
    this.#state = 'leaving';
    this.#session.close();
    this.#loseLater('the carrier did not close the link');
  }

  #loseLater(why: string): void {
    setTimeout(() => this.#lose(why), politeMs).unref();
  }

  #lose(why: string): void {
    if (this.#state === 'lost') return;
    this.#state = 'lost';
    clearTimeout(this.#deadline);
    clearInterval(this.#asking);
    this.#session.destroy();
    this.#options.lost(why);
    this.#gone();
  }
}

const addressOf = ({ host, port, tls, tls_verify, tls_ca }: SmppSettings): object => ({
  host,
  port,
  ...(tls && {
    tls: true,
    // The name that the certificate must be for; TLS knows no addresses there.
    ...(isIP(host) === 0 && { servername: host }),
    rejectUnauthorized: tls_verify,
    ...(tls_ca !== undefined && { ca: tls_ca }),
  }),
});

/** A code says it, or a sentence of TLS; neither holds anything secret. */
const sentenceOf = (error: Error): string => (error as NodeJS.ErrnoException).code ?? error.message;

/** The part of smpp (npm) that we use. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events';
  import type { Socket } from 'node:net';

  /** A protocol unit; its parameters and TLVs are properties, by the names of the specification. */
  export interface Pdu {
    command: string;
    command_status: number;
    sequence_number: number;
    message_id?: string;
    response(fields?: Fields): Pdu;
    isResponse(): boolean;
    [parameter: string]: unknown;
  }
  export type Fields = Record<string, unknown>;
  type Answered = (response: Pdu) => void;

  /** Events: those of the socket (`connect`, `secureConnect`, `close`, `error`), and the name of each command. */
  export interface Session extends EventEmitter {
    socket: Socket;
    /** Each: false when the socket takes nothing any more. */
    bind_transceiver(fields: Fields, answered: Answered): boolean;
    submit_sm(fields: Fields, answered?: Answered): boolean;
    deliver_sm(fields: Fields, answered?: Answered): boolean;
    data_sm(fields: Fields, answered?: Answered): boolean;
    enquire_link(fields: Fields, answered?: Answered): boolean;
    unbind(answered?: Answered): boolean;
    /** Gives a request its sequence number. */
    send(pdu: Pdu): boolean;
    /** Takes no units from the socket until it is resumed. */
    pause(): void;
    resume(): void;
    close(): void;
    destroy(): void;
  }
  export interface Server extends EventEmitter {
    listen(port: number, host: string, ready: () => void): this;
    close(closed: () => void): this;
    address(): { port: number };
  }
  interface Smpp {
    /** With an object the session begins to connect at once; the options are those of `net.connect` or `tls.connect`. */
    connect(options: object): Session;
    createServer(options: object, listener: (session: Session) => void): Server;
    PDU: new (command: string, fields: Fields) => Pdu;
    /** `ESME_…` by name. */
    errors: Readonly<Record<string, number>>;
  }
  const smpp: Smpp;
  export default smpp;
}

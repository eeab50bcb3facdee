/** A connection of the driver's that goes where the writable server is, and says so when it is there no more. */
import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { Client, type ClientConfig } from 'pg';
import { type DatabaseHost, formatDatabaseHost } from '../../lib/multiHostDatabaseUrl.ts';
import type { WritableDatabaseHostSelector } from '../databaseFailover.ts';
import { readOnlyDatabaseHostError } from './noWritableHostError.ts';

type Heard = (error: Error | null, client: Client) => void;

/** What the driver's types leave out: its own end of the wire. */
interface Wire extends EventEmitter {
  stream: Duplex;
}

/** Settings that PostgreSQL (14 and later) reports by itself, when a session begins and when they change. */
const reported = ['in_hot_standby', 'default_transaction_read_only'] as const;
/** A refused write, and a server that ends or has not begun. */
const casting = /^(25006|57P0[1-3])$/;

/** The driver's client for the servers of an address; everything else about it is as always. */
export const createFailoverClientClass = (hosts: WritableDatabaseHostSelector) =>
  class HostsClient extends Client {
    readonly #wire: Wire;
    readonly #reported = new Map<string, string>();

    constructor(config?: ClientConfig) {
      super(config);
      this.#wire = (this as unknown as { connection: Wire }).connection;
    }

    override connect(): Promise<Client>;
    override connect(heard: Heard): void;
    override connect(heard?: Heard): Promise<Client> | void {
      const connected = this.#connect();
      if (!heard) return connected;
      connected.then(
        () => heard(null, this),
        (error: Error) => heard(error, this),
      );
    }

    async #connect(): Promise<Client> {
      const host = await hosts.writable();
      // Who waited for it has given up.
      if (this.#wire.stream.destroyed) throw new Error('timeout exceeded when trying to connect');
      const leave = hosts.register({
        host,
        server: hosts.inUse?.server,
        cut: () => this.#wire.stream.destroy(),
      });
      this.#wire.once('end', leave);
      Object.assign(this, host);
      this.#wire.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) =>
        this.#reported.set(parameterName!, parameterValue!),
      );
      try {
        await super.connect();
        if (!(await this.#takesWrites())) throw readOnlyDatabaseHostError(formatDatabaseHost(host));
      } catch (error) {
        leave();
        hosts.doubt(host);
        void this.end().catch(() => {});
        throw error;
      }
      this.#listen(host);
      return this;
    }

    #listen(host: DatabaseHost): void {
      this.on('error', () => hosts.doubt(host));
      this.#wire.on('errorMessage', ({ code }: { code?: string }) => {
        if (casting.test(code ?? '')) hosts.doubt(host);
      });
    }

    /** A pooler may not hand on what the server reports; then it is asked. */
    async #takesWrites(): Promise<boolean> {
      const told = reported.map((name) => this.#reported.get(name));
      if (told.every((value) => value !== undefined)) return told.every((value) => value === 'off');
      const { rows } = await this.query<{ takes: boolean }>(
        `SELECT NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off' AS takes`,
      );
      return rows[0]!.takes;
    }
  };

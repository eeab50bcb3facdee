/** One look at one server: whether it answers, and whether it takes writes. */
import { Client, type ClientConfig } from 'pg';
import { type DatabaseHost, formatDatabaseHost } from '../../lib/multiHostDatabaseUrl.ts';

/** What was seen of a server. */
export interface DatabaseHostStatus {
  host: DatabaseHost;
  /** `db1:5432`. */
  name: string;
  /**
   * `writable`: it takes writes; `standby`: it follows another; `readOnly`: it refuses writes by a setting; `silent`: it
   * did not answer in time; `away`: it refused, or cannot be reached.
   */
  state: 'writable' | 'standby' | 'readOnly' | 'silent' | 'away';
  /** Why it is `silent` or `away`. */
  error?: Error;
  /** The timeline that it writes, or follows; absent where it did not answer. */
  timeline?: number;
  /** The same for two addresses of one running server only. */
  server?: string;
  /** The same for a server, its standbys and its copies. */
  cluster?: string;
}

/** One that refuses is not asked again sooner, milliseconds, unless there is haste: each try is a line in its log. */
const restMs = 2_000;
/** An answer later than this is none, milliseconds; each for connecting and for the question. */
const answerMs = 2_000;

/** A standby's last checkpoint may be of an earlier timeline than what it has replayed or receives. */
const question = `SELECT pg_is_in_recovery() AS standby,
  current_setting('default_transaction_read_only') = 'on' AS "readOnly",
  (SELECT system_identifier FROM pg_control_system())::text AS cluster,
  (SELECT system_identifier FROM pg_control_system()) || ' ' || extract(epoch FROM pg_postmaster_start_time()) AS server,
  CASE WHEN pg_is_in_recovery() THEN greatest(
      (SELECT timeline_id FROM pg_control_checkpoint()),
      (SELECT min_recovery_end_timeline FROM pg_control_recovery()),
      (SELECT received_tli FROM pg_stat_wal_receiver))
    ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int END AS timeline`;

interface Answer {
  standby: boolean;
  readOnly: boolean;
  cluster: string;
  server: string;
  timeline: number;
}

export class DatabaseHostProbe {
  readonly host: DatabaseHost;
  readonly name: string;
  readonly #settings: ClientConfig;
  #client: Client | undefined;
  #looking: Promise<DatabaseHostStatus> | undefined;
  #refused: { status: DatabaseHostStatus; at: number } | undefined;
  #keeps = false;
  #tookWrites = false;

  /** `url`: the address with one host, whichever; user, password, database and TLS are those of all. */
  constructor(host: DatabaseHost, url: string) {
    this.host = host;
    this.name = formatDatabaseHost(host);
    this.#settings = {
      connectionString: url,
      application_name: 'ramal watch',
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      statement_timeout: answerMs,
      keepAlive: true,
    };
  }

  /**
   * What the server is now; never rejects. One look at a time: who asks meanwhile hears the same. Without `haste` one that
   * refused is left alone for two seconds.
   */
  look(haste: boolean): Promise<DatabaseHostStatus> {
    const refused = this.#refused;
    if (!haste && refused && performance.now() - refused.at < restMs) return Promise.resolve(refused.status);
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  /** From now on its connection stays open between looks. */
  keep(): void {
    this.#keeps = true;
  }

  /** Ends its connection. */
  close(): void {
    this.#keeps = false;
    this.#drop();
  }

  async #look(): Promise<DatabaseHostStatus> {
    const { host, name } = this;
    const isOld = this.#client !== undefined;
    try {
      const client = (this.#client ??= await this.#connect());
      const { rows } = await client.query<Answer>(question);
      const { standby, readOnly, cluster, server, timeline } = rows[0]!;
      const state = standby ? 'standby' : readOnly ? 'readOnly' : 'writable';
      const isLost = isOld && this.#tookWrites && state !== 'writable';
      this.#tookWrites = state === 'writable';
      this.#refused = undefined;
      if (!this.#keeps || isLost) this.#drop();
      // The address may have moved away from the server that is kept.
      if (isLost) return await this.#look();
      return { host, name, state, cluster, server, timeline };
    } catch (error) {
      this.#drop();
      // A connection that was kept may have broken long ago.
      if (isOld && !isLate(error)) return await this.#look();
      if (isLate(error)) return { host, name, state: 'silent', error: asError(error) };
      const status: DatabaseHostStatus = { host, name, state: 'away', error: asError(error) };
      this.#refused = { status, at: performance.now() };
      return status;
    }
  }

  async #connect(): Promise<Client> {
    const client = new Client(this.#settings);
    client.on('error', () => {});
    Object.assign(client, this.host);
    try {
      await client.connect();
      return client;
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
  }

  #drop(): void {
    void this.#client?.end().catch(() => {});
    this.#client = undefined;
  }
}

/** The driver's words for its own time-outs, and the system's for a connection that was not accepted. */
const isLate = (error: unknown): boolean =>
  /timeout expired|Query read timeout|statement timeout/.test((error as Error).message) ||
  (error as { code?: unknown }).code === 'ETIMEDOUT';

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** A link that is kept up: when a connection is lost, another is made after a pause that grows and varies. */
import type { LookupFunction } from 'node:net';
import type { Pdu } from 'smpp';
import type { SmppSettings } from '../../../rules/sms/smsRouteCarrierSchemas.ts';
import { SmppConnection } from './connection.ts';

export interface SmppLinkOptions {
  settings: SmppSettings;
  password: string;
  lookup: LookupFunction;
  up(): void;
  lost(why: string): void;
  brought(pdu: Pdu, answer: (status: number) => void): void;
  now(): number;
}

const longestPauseMs = 30_000;
/** A link that stood for so long begins anew, milliseconds. */
const stoodMs = 10_000;

export class Link {
  readonly #options: SmppLinkOptions;
  #connection: SmppConnection | undefined;
  #down: { since: number; why: string } | undefined;
  #upAt = 0;
  /** In a row; a link that is lost as soon as it is up is one of them. */
  #failures = 0;
  #again: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: SmppLinkOptions) {
    this.#options = options;
    this.#down = { since: options.now(), why: 'the link to the carrier is not up yet' };
    this.#connect();
  }

  /** Since when it is down, by the clock it was given, and why; undefined: it is up. */
  get down(): { since: number; why: string } | undefined {
    return this.#down;
  }

  /** False: it takes nothing now. */
  submit(fields: Record<string, unknown>, answered: (response: Pdu) => void): boolean {
    return this.#connection?.submit(fields, answered) ?? false;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#again);
    await this.#connection?.close();
  }

  #connect(): void {
    const { settings, password, lookup, brought } = this.#options;
    this.#connection = new SmppConnection({
      settings,
      password,
      lookup,
      brought,
      up: () => {
        this.#down = undefined;
        this.#upAt = this.#options.now();
        this.#options.up();
      },
      lost: (why) => this.#lost(why),
    });
  }

  #lost(why: string): void {
    this.#connection = undefined;
    if (this.#options.now() - this.#upAt > stoodMs && !this.#down) this.#failures = 0;
    this.#down = { since: this.#down?.since ?? this.#options.now(), why };
    if (!this.#closed) {
      this.#again = setTimeout(() => this.#connect(), this.#pause());
      this.#failures += 1;
    }
    this.#options.lost(why);
  }

  /** Doubling, half of it by chance, so that many links do not come at once. */
  #pause(): number {
    const whole = Math.min(longestPauseMs, this.#options.settings.reconnect_ms * 2 ** this.#failures);
    return whole * (0.5 + Math.random() / 2);
  }
}

/**
 * Trunks with SIP details, brought to an Asterisk and kept there: written at each connection and at each change, since it
 * forgets them when it restarts. Each node writes the same; what stands there already is left alone, so that a carrier
 * sees one registration however many nodes there are.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  endpointOfTrunk,
  isRegistrationFailure,
  type TrunkRegistration,
} from '../../../../rules/trunks/sipTrunkDetails.ts';
import type { Ari } from '../ariRestClient.ts';
import type { Log } from '../ariContext.ts';
import { writeTrunksToAsterisk } from './writeTrunksToAsterisk.ts';
import type { AsteriskManagerClient } from './amiRegistrationStatus.ts';
import { sipObjectsOf, type SipTrunk } from './trunkToPjsipObjects.ts';

export interface SipTrunksDeps {
  /** The client of the connection that there is. */
  ari(): Ari;
  report(): AsteriskManagerClient;
  log: Log;
}

export class SipTrunkSync {
  readonly #deps: SipTrunksDeps;
  #wanted: readonly SipTrunk[] = [];
  /** Why Asterisk does not take a trunk, by its id. */
  #refused: ReadonlyMap<number, string> = new Map();
  #statuses: ReadonlyMap<string, string> | undefined;
  readonly #told = new Map<number, TrunkRegistration['state']>();
  /** Names of those that are there as they are wanted. */
  #there: ReadonlySet<string> = new Set();
  #writing: Promise<void> = Promise.resolve();
  /** The last writing failed. */
  #isOwed = false;

  constructor(deps: SipTrunksDeps) {
    this.#deps = deps;
  }

  /** Asterisk has these and no others of ours, once it settles. Rejects with `Retryable` when it cannot be reached. */
  write(trunks: readonly SipTrunk[]): Promise<void> {
    const former = this.#wanted;
    this.#wanted = trunks;
    const same = trunks.filter((one) => former.some((other) => isDeepStrictEqual(one, other)));
    this.#there = new Set(same.flatMap(({ name }) => (this.#there.has(name) ? name : [])));
    const written = this.#writing.then(() => this.#writeAll(trunks));
    this.#writing = written.then(
      () => void (this.#isOwed = false),
      () => void (this.#isOwed = true),
    );
    return written;
  }

  /** Whether these are others than were written last. */
  differs(trunks: readonly SipTrunk[]): boolean {
    return !isDeepStrictEqual(trunks, this.#wanted);
  }

  /** Settles when a trunk is there as it was changed last; at once for one that is none of these. */
  async settled(name: string): Promise<void> {
    const isWanted = this.#wanted.some((trunk) => trunk.name === name);
    if (isWanted && !this.#there.has(name)) await this.#writing;
  }

  /** Writes again what could not be written, else asks how registrations stand. Rejects as `write` does. */
  keep(): Promise<void> {
    if (!this.#isOwed) return this.look();
    this.#isOwed = false;
    return this.write(this.#wanted);
  }

  /** Asks how registrations stand, where there are any. */
  async look(): Promise<void> {
    if (this.#wanted.some((trunk) => sipObjectsOf(trunk).registration))
      this.#statuses = await this.#deps
        .report()
        .registrations()
        .catch(() => undefined);
    for (const trunk of this.#wanted) this.#tell(trunk);
  }

  /** How each of them stands. */
  standings(): { trunk: string; registration: TrunkRegistration }[] {
    return this.#wanted.map((trunk) => ({ trunk: trunk.name, registration: this.#standing(trunk) }));
  }

  async #writeAll(trunks: readonly SipTrunk[]): Promise<void> {
    this.#refused = await writeTrunksToAsterisk(this.#deps.ari(), trunks);
    this.#there = new Set(trunks.map(({ name }) => name));
    await this.look();
  }

  #standing(trunk: SipTrunk): TrunkRegistration {
    const refused = this.#refused.get(trunk.id);
    if (refused !== undefined) return { state: 'refused', detail: `Asterisk does not take it: ${refused}` };
    if (!sipObjectsOf(trunk).registration) return standings.notNeeded;
    if (!this.#statuses) return standings.unknown;
    const status = this.#statuses.get(endpointOfTrunk(trunk.id)) ?? '';
    return byStatus[status] ?? standings.unregistered;
  }

  /** What changes to the worse is told once. */
  #tell(trunk: SipTrunk): void {
    const { state, detail } = this.#standing(trunk);
    if (this.#told.get(trunk.id) === state) return;
    this.#told.set(trunk.id, state);
    if (isRegistrationFailure(state))
      this.#deps.log.warn({ trunk: trunk.name, state }, `a trunk is not registered: ${detail}`);
  }
}

const standings = {
  notNeeded: { state: 'notNeeded', detail: 'it is known to Asterisk and does not register' },
  unknown: {
    state: 'unknown',
    detail: 'Asterisk does not tell: manager.conf must let this login read reports by HTTP',
  },
  unregistered: { state: 'unregistered', detail: 'the registrar has not answered' },
} as const satisfies Record<string, TrunkRegistration>;

/** As the manager interface names them. */
const byStatus: Readonly<Record<string, TrunkRegistration | undefined>> = {
  Registered: { state: 'registered', detail: 'the carrier knows where we are' },
  Rejected: { state: 'rejected', detail: 'the carrier rejects the registration: look at user and password' },
};

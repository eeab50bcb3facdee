/**
 * Dials of a leg, and questions about it, one after the other.
 *
 * A request to dial may wait to be tried again while the call has been taken up and asks what became of the leg. Asked
 * beside each other, the question is answered "there is no such leg", the call goes on without it, and then the telephone
 * rings. So a leg that was told to be lost, or that was hung up, is not dialled any more by this process.
 */
import {
  NotRetryable,
  type EffectCall,
  type Fact,
  type EffectResult,
} from '../../engine/contract/performer.ts';
import { legId, type Telephony } from '../contracts/telephony.ts';
import { lruOf } from '../../lib/lru.ts';

/** Legs that are remembered as over; a request to dial is tried again for minutes at most. */
const OVER_AT_MOST = 50_000;

type Performers = Telephony['performers'];

/** The same performers, of one process: `originate`, `adopt` and `lookUp` of a leg wait for each other. */
export const serializeLegDials = (performers: Performers): Performers => {
  const order = new DialOrder();
  const asks =
    <Params>(
      ask: (call: EffectCall<Params>) => Promise<EffectResult | void>,
      legs: (params: Params) => number[],
    ) =>
    (call: EffectCall<Params>) =>
      order.afterOthers(call, legs(call.params), async () => {
        const performed = await ask(call);
        order.noteLost(call, performed?.events ?? []);
        return performed;
      });
  return {
    ...performers,
    originate: (call) =>
      order.afterOthers(call, [call.params.leg], async () => {
        order.expectWanted(call, call.params.leg);
        return performers.originate(call);
      }),
    hangUp: (call) => {
      order.noteOver(call, call.params.leg);
      return performers.hangUp(call);
    },
    adopt: asks(performers.adopt, ({ legs }) => legs),
    lookUp: asks(performers.lookUp, ({ leg }) => [leg]),
  };
};

type Of = Pick<EffectCall, 'machine' | 'signal'>;

class DialOrder {
  /** What is under way for a leg, by its channel; settles when the next one may begin. */
  readonly #latest = new Map<string, Promise<void>>();
  readonly #over = lruOf<string, true>(OVER_AT_MOST);

  /** Does the deed once what was asked of these legs before has ended, or its time is over. */
  async afterOthers<Result>(of: Of, legs: readonly number[], deed: () => Promise<Result>): Promise<Result> {
    const channels = legs.map((leg) => legId(of.machine, leg));
    const before = channels.flatMap((channel) => this.#latest.get(channel) ?? []);
    const result = before.length === 0 ? deed() : Promise.all(before).then(deed);
    const ended = endOf(result, of.signal);
    for (const channel of channels) this.#latest.set(channel, ended);
    void ended.then(() => this.#forget(channels, ended));
    return result;
  }

  /** Throws `NotRetryable('late')` for a leg that the call does not count on any more. */
  expectWanted({ machine }: Of, leg: number): void {
    const channel = legId(machine, leg);
    if (this.#over.has(channel))
      throw new NotRetryable('late', `${channel} was given up before it was dialled`);
  }

  noteLost(of: Of, facts: readonly Fact[]): void {
    for (const { type, lost, leg } of facts)
      if (type === 'hungUp' && lost === true && typeof leg === 'number') this.noteOver(of, leg);
  }

  noteOver({ machine }: Of, leg: number): void {
    this.#over.set(legId(machine, leg), true);
  }

  #forget(channels: readonly string[], ended: Promise<void>): void {
    for (const channel of channels) if (this.#latest.get(channel) === ended) this.#latest.delete(channel);
  }
}

/** Settles with the deed, however it goes, or when its time is over. */
const endOf = (deed: Promise<unknown>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    deed.then(end, end);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });

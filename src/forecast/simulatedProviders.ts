/** The providers of a forecast: they answer at once, and capacity is the real limiter on the virtual clock. */
import type { CallEffects } from '../../machines/call/events.ts';
import type { TelephonyEffects } from '../../machines/contracts/telephony.ts';
import { CapacityLimiter } from '../providers/clearance/capacityLimiter.ts';
import { RecentTimes } from '../providers/clearance/recentTimes.ts';
import type { Calls, LiveCall } from './calls.ts';
import type { VirtualClock } from './clock.ts';
import type { Scenario } from './scenario.ts';

/** Milliseconds that a provider takes. */
const PROVIDER_MS = 20;
const SPEECH_MS = 500;
/** A caller id may be shown again after so long: an hour by the minutes of the clock. */
const SHOWN_MS = 61 * 60_000;
/** A speaker's pace, to guess how long a text lasts. */
const CHARACTERS_PER_SECOND = 14;

type ProviderEffects = Omit<CallEffects, keyof TelephonyEffects>;

export interface SimulatedProviders {
  performers: { [Name in keyof ProviderEffects]: (call: LiveCall, params: ProviderEffects[Name]) => void };
  /** The slot of this call is used by this leg. */
  dialled(call: LiveCall, leg: number): void;
  /** The leg is gone. */
  release(call: LiveCall, leg: number): void;
  /** The call is gone, with all that it held or waited for. */
  leave(call: LiveCall): void;
}

export const openSimulatedProviders = (
  scenario: Scenario,
  clock: VirtualClock,
  calls: () => Calls,
): SimulatedProviders => {
  const { concurrentCalls } = scenario.account;
  const limiter = new CapacityLimiter({ capacityOf: () => scenario.carrier, clock });
  const lane = 'campaign';
  const share = concurrentCalls === null ? {} : { share: { owner: 'account', slots: concurrentCalls } };
  const cleared = { type: 'cleared', route: 'forecast' };
  const keyOf = (call: LiveCall): string => String(call.id);

  const full = (until: number, reason = 'capacity') => ({
    type: 'postponed',
    reason,
    detail: 'no capacity',
    until,
  });
  const shown = new RecentTimes(SHOWN_MS);

  /** The trunk has room: so must the caller ids have. */
  const answerTo = (call: LiveCall) => {
    const now = clock.now();
    if (shown.count(now) >= (scenario.callsPerHour ?? Infinity)) {
      limiter.release(keyOf(call));
      return full(now + shown.untilFewer(now), 'callerId');
    }
    if (scenario.callsPerHour !== undefined) shown.add(now);
    return cleared;
  };

  const askGate = (call: LiveCall, priority: number): void => {
    const answer = limiter.ask(
      keyOf(call),
      { priority, lane, ...share },
      {
        granted: () => calls().hearLater(call, 0, answerTo(call)),
        turnedAway: (comeBackAt) => calls().hearLater(call, 0, full(comeBackAt)),
      },
    );
    if (answer === 'waiting') return;
    calls().hear(call, 'granted' in answer ? answerTo(call) : full(answer.comeBackAt));
  };

  return {
    performers: {
      requestClearance: (call, { priority }) => {
        clock.set(PROVIDER_MS, () => {
          if (call.standing.snapshot.value === 'clearing') askGate(call, priority);
        });
      },
      withdrawClearance: (call) => limiter.release(keyOf(call)),
      blockNumber: () => {},
      restNumber: () => {},
      prepareAudio: (call, { texts }) => {
        const audio = texts.map(({ text }, index) => ({
          media: `spoken ${index}`,
          seconds: Math.max(1, text.length / CHARACTERS_PER_SECOND),
        }));
        calls().hearLater(call, SPEECH_MS, { type: 'audioPrepared', audio });
      },
      // A member is always free: `pas` bounds how many are wanted at a time.
      resolveTarget: (call) =>
        calls().hearLater(call, PROVIDER_MS, {
          type: 'targetResolved',
          how: 'endpoint',
          endpoint: { kind: 'sip', uri: 'sip:forecast' },
        }),
      sendSms: (call) =>
        calls().hearLater(call, PROVIDER_MS, { type: 'smsAccepted', providerId: 'forecast', slow: false }),
    },
    dialled: (call, leg) => limiter.dialled(keyOf(call), leg),
    release: (call, leg) => limiter.release(keyOf(call), leg),
    leave: (call) => limiter.release(keyOf(call)),
  };
};

/** The providers of a forecast but admission and network: they answer at once. */
import type { CallEffects } from '../../machines/call/events.ts';
import type { TelephonyEffects } from '../../machines/contracts/telephony.ts';
import type { CallAdmissionSimulator } from './simulatedCallAdmission.ts';
import type { SimulatedForecastCalls, OngoingForecastCall } from './simulatedCalls.ts';
import type { VirtualClock } from './clock.ts';

/** Milliseconds that a provider takes. */
const PROVIDER_MS = 20;
const SPEECH_MS = 500;
/** A speaker's pace, to guess how long a text lasts. */
const CHARACTERS_PER_SECOND = 14;

type ProviderEffects = Omit<CallEffects, keyof TelephonyEffects>;

export type ForecastProviders = {
  [Name in keyof ProviderEffects]: (call: OngoingForecastCall, params: ProviderEffects[Name]) => void;
};

export const openSimulatedCallProviders = (
  admission: CallAdmissionSimulator,
  clock: VirtualClock,
  calls: () => SimulatedForecastCalls,
): ForecastProviders => ({
  requestClearance: (call, question) => {
    clock.set(PROVIDER_MS, () => {
      if (call.standing.snapshot.value === 'clearing') admission.ask(call, question);
    });
  },
  withdrawClearance: (call) => admission.release(call),
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
});

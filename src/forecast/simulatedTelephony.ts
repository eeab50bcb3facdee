/** The telephone network of a forecast: legs that ring, are answered, hear prompts and end, in virtual time. */
import type { AudioPrompt } from '../../machines/contracts/prompt.ts';
import type { LegOutcome, TelephonyEffects } from '../../machines/contracts/telephony.ts';
import {
  type SimulatedForecastCalls,
  contextOfSimulatedCall,
  type OngoingForecastCall,
  listWithoutItem,
} from './simulatedCalls.ts';
import type { VirtualClock } from './clock.ts';
import { simulatedCooperativeCalleeKeys, type ForecastCallees } from './simulatedCallees.ts';

/** Milliseconds that the network, and people, take for this and that. */
const HANG_UP_MS = 50;
const DETECTION_MS = 2_000;
const SECOND_LEG_MS = 4_000;
const RECORDING_MS = 500;
const FIRST_KEY_MS = 1_500;
const NEXT_KEY_MS = 400;
const BEEP_MS = 500;
/** Of a file whose length is not known. */
const UNKNOWN_SECONDS = 10;

export interface ForecastTelephonyDeps {
  clock: VirtualClock;
  people: ForecastCallees;
  mediaSeconds: Readonly<Record<string, number>>;
  /** Hears of callees' legs. */
  callee: SimulatedLegObserver;
}

/** What others are told of a callee's leg, before its call hears of it. */
export interface SimulatedLegObserver {
  dialled(call: OngoingForecastCall, leg: number, trunk: string): void;
  answered(call: OngoingForecastCall): void;
  over(call: OngoingForecastCall, leg: number): void;
}

type Perform<Name extends keyof TelephonyEffects> = (
  call: OngoingForecastCall,
  params: TelephonyEffects[Name],
) => void;

/** What the network does about each effect. `calls` hear what comes of it. */
export const openForecastTelephony = (
  needs: ForecastTelephonyDeps,
  calls: () => SimulatedForecastCalls,
): {
  performers: { [Name in keyof TelephonyEffects]: Perform<Name> };
  /** The call waits for keys: a person who presses does so now. */
  listens(call: OngoingForecastCall): void;
} => {
  const { clock, people, mediaSeconds, callee } = needs;
  const later = (
    call: OngoingForecastCall,
    ms: number,
    event: { type: string; [key: string]: unknown },
  ): void => calls().hearLater(call, ms, event);

  const end = (
    call: OngoingForecastCall,
    leg: number,
    how: { outcome: LegOutcome; cause: number; by: string },
  ): void => {
    if (!call.legs.includes(leg)) return;
    call.legs = listWithoutItem(call.legs, leg);
    if (leg === contextOfSimulatedCall(call).dial.leg) {
      callee.over(call, leg);
      call.person = undefined;
      finishRecording(call);
    }
    calls().hear(call, { type: 'hungUp', leg, sipStatus: 0, ...how });
  };

  const answer = (call: OngoingForecastCall, leg: number): void => {
    if (!call.legs.includes(leg)) return;
    if (leg === contextOfSimulatedCall(call).dial.leg) callee.answered(call);
    calls().hear(call, { type: 'answered', leg });
  };

  const finishRecording = (call: OngoingForecastCall): void => {
    const { recording } = contextOfSimulatedCall(call);
    if (!recording?.open) return;
    later(call, RECORDING_MS, {
      type: 'recorded',
      leg: 0,
      recording: recording.name,
      media: 'recording',
      seconds: 1,
    });
  };

  const dial: Perform<'originate'> = (call, { leg, ringSeconds, trunk = '' }) => {
    callee.dialled(call, leg, trunk);
    const person = people.next(ringSeconds);
    call.person = person;
    if ('answersAfterMs' in person) clock.set(person.answersAfterMs, () => answer(call, leg));
    else
      clock.set(person.failsAfterMs, () =>
        end(call, leg, { outcome: person.outcome, cause: person.cause, by: 'carrier' }),
      );
  };

  const leaves = (call: OngoingForecastCall, leg: number, ms: number): void => {
    const { person } = call;
    if (leg !== contextOfSimulatedCall(call).dial.leg || !person || !('leaves' in person) || !person.leaves)
      return;
    clock.set(people.patience(ms), () => end(call, leg, { outcome: 'normal', cause: 16, by: 'them' }));
  };

  const lengthOf = (call: OngoingForecastCall, prompt: AudioPrompt): number => {
    if ('silenceMs' in prompt) return prompt.silenceMs;
    if ('tone' in prompt) return BEEP_MS;
    const spoken = contextOfSimulatedCall(call).audio.made.find(({ media }) => media === prompt.media);
    return 1_000 * (spoken?.seconds ?? mediaSeconds[prompt.media] ?? UNKNOWN_SECONDS);
  };

  const performers: { [Name in keyof TelephonyEffects]: Perform<Name> } = {
    originate: (call, params) => {
      call.legs = call.legs.concat(params.leg);
      if (params.onBehalfOf === undefined) dial(call, params);
      else clock.set(SECOND_LEG_MS, () => answer(call, params.leg));
    },
    hangUp: (call, { leg }) => {
      clock.set(HANG_UP_MS, () => end(call, leg, { outcome: 'normal', cause: 16, by: 'us' }));
    },
    play: (call, { leg, playback, prompts }) => {
      const ms = prompts.reduce((sum, prompt) => sum + lengthOf(call, prompt), 0);
      later(call, ms, { type: 'played', leg, playback });
      leaves(call, leg, ms);
    },
    detectMachine: (call, { leg }) =>
      later(call, DETECTION_MS, { type: 'machineDetected', leg, result: 'human' }),
    bridge: (call, { legs: [, partner] }) => {
      clock.set(people.talk(), () => end(call, partner, { outcome: 'normal', cause: 16, by: 'them' }));
    },
    record: (call, { recording, maxSeconds, scope }) => {
      if (scope === 'leg')
        later(call, maxSeconds * 500, {
          type: 'recorded',
          leg: 0,
          recording,
          media: 'recording',
          seconds: 1,
        });
    },
    stopRecord: (call) => finishRecording(call),
    // These make no difference to a forecast.
    stopPlay: nothing,
    hold: nothing,
    unbridge: nothing,
    sendDigits: nothing,
    // No process is ever lost.
    adopt: nothing,
    lookUp: nothing,
  };

  const listens = (call: OngoingForecastCall): void => {
    if (!call.person || !('presses' in call.person) || !call.person.presses) return;
    const context = contextOfSimulatedCall(call);
    for (const [nth, digit] of simulatedCooperativeCalleeKeys(context).split('').entries())
      later(call, FIRST_KEY_MS + nth * NEXT_KEY_MS, {
        type: 'digitReceived',
        leg: context.dial.leg,
        digit,
      });
  };

  return { performers, listens };
};

const nothing = (): void => {};

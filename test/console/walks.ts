/** Walks of machines: facts of their charts at random, many of them such as a healthy world sends, timers, and restarts. */
import { readStatechart } from '../../src/console/statechart/statechartData.ts';
import { machineKinds } from '../../machines/index.ts';
import type { Life } from './lives.ts';

const STEPS = 60;

/** Numbers between 0 and 1; the same seed, the same numbers. */
const dice = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

const eventsOf = new Map(
  machineKinds.map(({ name, current, versions }) => {
    const { transitions } = readStatechart(name, current, versions[current]!);
    const events = transitions.map(({ event }) => event).filter((event) => /^\w+$/.test(event));
    return [name, [...new Set(events)]];
  }),
);

/** Facts of every kind: an event takes of them what it knows. */
const factsAt = (life: Life, roll: () => number): Record<string, unknown> => {
  const context = life.context as unknown as {
    lastLeg?: number;
    talk?: { plays: number };
    submission?: number;
    attempts?: number;
    editedAt?: number;
  };
  const leg = Math.ceil(roll() * (context.lastLeg ?? 1));
  return {
    ...{
      leg,
      playback: `p${context.talk?.plays ?? 1}`,
      digit: String(Math.floor(roll() * 3)),
      media: 'm',
      seconds: 3,
    },
    ...{ audio: Array.from({ length: 6 }, () => ({ media: 'm', seconds: 2 })), route: 'r', result: 'human' },
    ...{
      outcome: roll() < 0.5 ? 'busy' : 'noAnswer',
      cause: 17,
      sipStatus: 486,
      by: 'them',
      recording: 'r1',
    },
    ...{
      reason: 'timeout',
      message: 'no',
      detail: 'no',
      until: life.rows.at(-1)!.at + 60_000,
      params: { leg },
    },
    ...{ how: 'line', line: 9, member: 'a', endpoint: { kind: 'sip', uri: 'sip:a@b' }, effect: 'originate' },
    ...{
      state: 'up',
      slow: true,
      providerId: 'x1',
      call: 100,
      waits: true,
      attempt: context.attempts ?? 1,
      editedAt: context.editedAt ?? 0,
      json: '{}',
    },
    ...{
      submission: context.submission ?? 1,
      upstreamId: '9001',
      status: roll() < 0.5 ? 'PENDING' : 'APPROVED',
    },
    ...{
      answer: '{}',
      ask: `a${Math.floor(roll() * 9)}`,
      parcel: { subject: { seq: 2 }, last: roll() < 0.5 },
    },
    ...{
      destinations: 9,
      skipped: {},
      regions: { SP: 9 },
      code: '7',
      text: 'no',
      afterMs: 5_000,
      resume: 'x',
    },
  };
};

/** Facts that lead on from a state; of the longest name that it begins with. */
const LEADING: Readonly<Record<string, readonly string[]>> = {
  ...{ preparing: ['audioPrepared'], awaitingTurn: ['attemptGranted'], clearing: ['cleared'] },
  ...{
    'dialing.placing': ['ringing', 'answered'],
    'dialing.ringing': ['answered'],
    checking: ['legFound', 'answered'],
  },
  ...{
    answered: ['played', 'digitReceived'],
    'answered.transferring': ['targetResolved', 'memberOffered', 'answered'],
  },
  ...{ closing: ['hungUp'], postponed: ['retryNow'], texting: ['smsAccepted'], filing: ['recorded'] },
  ...{ accepted: ['slow', 'acknowledged'], submitted: ['acknowledged'], acknowledged: ['receipt'] },
  ...{
    loading: ['destinationsGenerated'],
    stored: ['submit'],
    submitting: ['templateAccepted', 'templateUnsettled'],
  },
  ...{ attempting: ['delivered', 'notDelivered', 'partly', 'deferred'], idle: ['enqueue', 'callerJoined'] },
};

const leadingFrom = (state: string): readonly string[] =>
  LEADING[state] ?? (state.includes('.') ? leadingFrom(state.slice(0, state.lastIndexOf('.'))) : []);

/** They end a walk early. */
const ENDS =
  /^(cancel|campaignOver|lineRemoved|delete|close|resolveUnknown|prepareAudioFailed|generateDestinationsFailed)$/;

/** A machine that has heard of some sixty facts and timers. */
export const walk = (life: Life, kind: string, seed: number): Life => {
  const roll = dice(seed);
  const events = eventsOf.get(kind)!;
  let at = life.rows[0]!.at;
  for (let step = 0; step < STEPS; step += 1) {
    at += Math.floor(roll() * 20_000);
    const timer = life.nextTimer;
    if (timer && roll() < 0.15) life.fires(timer, (at = Math.max(at, timer.due)));
    else {
      const type = nextEvent(life.state, events, roll);
      const { ask, ...facts } = factsAt(life, roll);
      life.hears({ ...facts, ...(type !== 'attemptGranted' && { ask }), type }, at);
    }
    if (roll() < 0.1) life.moves();
  }
  return life;
};

const nextEvent = (state: string, events: readonly string[], roll: () => number): string => {
  const leading = leadingFrom(state);
  if (roll() < 0.6 && leading.length > 0) return leading[Math.floor(roll() * leading.length)]!;
  const random = events[Math.floor(roll() * events.length)]!;
  return ENDS.test(random) && roll() < 0.8 ? 'somethingElse' : random;
};

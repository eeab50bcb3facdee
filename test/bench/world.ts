/** An instant world for benchmarks: performers that accept at once, and facts that follow as soon as they can. */
import type { CallInput, SecondLegTarget } from '../../machines/call/input.ts';
import type { QueueLineInput } from '../../machines/callQueue/context.ts';
import type { EffectPerformers } from '../../src/engine/contract/ports.ts';
import type { MachineEngine } from '../../src/engine/contract/api.ts';
import type { EffectCall, Fact, EffectResult, EffectPerformer } from '../../src/engine/contract/performer.ts';

const number = '551132654321';

/** A call that is confirmed with a key and then transferred: effects and timers at every turn. */
export const callInput = (
  requestedAt: number,
  transfer: SecondLegTarget = { kind: 'number', number },
): CallInput => ({
  mode: 'confirm',
  requestedAt,
  destination: '5511987654300',
  callerId: '551130000000',
  prompts: {
    opening: [
      {
        text: 'Olá Maria, sua consulta está confirmada para amanhã. Pressione um.',
        voice: 'Espeak|pt-br',
      },
    ],
    slots: {},
    noDigit: { text: 'Nenhuma tecla.', voice: 'Espeak|pt-br' },
  },
  keys: {},
  digits: { count: 1, waitSeconds: 7, confirm: '1' },
  transfer,
  waitInLine: false,
  lineSeconds: 60,
  music: 'music',
  schedule: { tries: 1, intervalMs: 60_000 },
  priority: 0,
  ringSeconds: 30,
  limitSeconds: 600,
  answerSeconds: 0,
  policy: { skipBlocklist: false, audioKey: 'k', waitForWindow: false },
  customerCampaign: '',
  correlation: 'order-4711',
  origin: 'api',
  fixedRoutes: [],
  placeholders: { nome: 'Maria' },
});

/** A line with one member, who takes one call at a time. */
export const lineInput: QueueLineInput = {
  strategy: 'ringall',
  active: true,
  members: [{ member: 'm1', endpoint: { kind: 'number', number }, penalty: 0, active: true, capacity: 1 }],
};

export interface World {
  performers: EffectPerformers;
  /** To be set before the first call. */
  engine: Pick<MachineEngine, 'send'> | null;
  /** Milliseconds from handing a fact in to its being durable. */
  latencies: number[];
  /** Settles when a call's last fact is durable; to be asked before the call starts. */
  ended(call: number): Promise<void>;
}

/** A world of one's own. `talks`: false leaves calls in the talk of both legs for good. */
export const instantWorld = ({ talks = true }: { talks?: boolean } = {}): World => {
  const waiting = new Map<number, () => void>();
  const latencies: number[] = [];
  const tell = async (call: EffectCall, ...facts: Fact[]): Promise<void> => {
    for (const fact of facts) {
      const sent = performance.now();
      await world.engine!.send(call.machine, fact);
      latencies.push(performance.now() - sent);
    }
  };
  const end = async (call: EffectCall): Promise<void> => {
    const [callee, agent] = call.params['legs'] as [number, number];
    await tell(call, gone(agent), gone(callee));
    waiting.get(call.machine.id)?.();
    waiting.delete(call.machine.id);
  };
  const world: World = {
    engine: null,
    latencies,
    ended: (call) => new Promise((resolve) => waiting.set(call, resolve)),
    performers: {
      prepareAudio: accept(() => [{ type: 'audioPrepared', audio: [media('m1', 4.2), media('m2', 1.3)] }]),
      requestClearance: accept(() => [{ type: 'cleared', route: 'bench' }]),
      resolveTarget: accept((call) => [resolved(call.params['target'] as SecondLegTarget)]),
      originate: follow((call) => {
        const leg = call.params['leg'];
        return tell(call, { type: 'ringing', leg }, { type: 'answered', leg });
      }),
      play: follow((call) => {
        const { leg, playback } = call.params;
        return tell(call, { type: 'played', leg, playback }, { type: 'digitReceived', leg, digit: '1' });
      }),
      bridge: talks ? follow(end) : accept(),
      hangUp: follow((call) => tell(call, gone(call.params['leg']))),
      hold: accept(),
      unbridge: accept(),
      adopt: accept(),
    },
  };
  return world;
};

/** Accepts, with facts or nothing to tell. */
const accept =
  (facts?: (call: EffectCall) => Fact[]): EffectPerformer<never> =>
  async (call: EffectCall): Promise<EffectResult | void> =>
    facts ? { events: facts(call) } : undefined;

/** Accepts, and tells what follows a moment later. */
const follow =
  (next: (call: EffectCall) => Promise<void>): EffectPerformer<never> =>
  async (call: EffectCall): Promise<void> => {
    setImmediate(() => void next(call));
  };

const media = (id: string, seconds: number): { media: string; seconds: number } => ({ media: id, seconds });

const resolved = (target: SecondLegTarget): Fact =>
  target.kind === 'queue'
    ? { type: 'targetResolved', how: 'line', line: target.queue }
    : { type: 'targetResolved', how: 'endpoint', endpoint: { kind: 'number', number } };

const gone = (leg: unknown): Fact => ({
  type: 'hungUp',
  leg,
  outcome: 'normal',
  cause: 16,
  sipStatus: 200,
  by: 'them',
});

/** The sandbox carrier under a virtual clock, and on a file that is cut and shared. */
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TelephonyEffects } from '../../../../machines/contracts/telephony.ts';
import { Retryable, NotRetryable } from '../../../../src/engine/contract/performer.ts';
import {
  sandboxTelephony,
  type SandboxTelephonyOptions,
} from '../../../../src/providers/telephony/sandbox.ts';
import type { CarrierClock } from '../../../../src/providers/telephony/sandbox/clock.ts';
import {
  parseSandboxCallLogLines,
  type Line,
} from '../../../../src/providers/telephony/sandbox/callLogLineFormat.ts';
import {
  sandboxCallLogInFile,
  sandboxCallLogInMemory,
} from '../../../../src/providers/telephony/sandbox/sharedCallLogFile.ts';
import { aListener } from '../../../helpers/report.ts';

/** Time that only moves when told to. */
const aVirtualClock = () => {
  let time = 1_767_225_600_000;
  const timers = new Set<{ due: number; run: () => void }>();
  const clock: CarrierClock = {
    now: () => time,
    after: (ms, run) => {
      const timer = { due: time + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    soon: (run) => queueMicrotask(run),
  };
  const pass = (ms: number): void => {
    const end = time + ms;
    for (;;) {
      const [next] = [...timers].toSorted((a, b) => a.due - b.due);
      if (!next || next.due > end) break;
      timers.delete(next);
      time = Math.max(time, next.due);
      next.run();
    }
    time = end;
  };
  return { clock, timers, pass, stepBack: (ms: number) => (time -= ms) };
};

const media = {
  stat: async () => ({ bytes: 0, seconds: 1, modifiedAt: 0 }),
  put: async () => ({ bytes: 0, seconds: 0, modifiedAt: 0 }),
};
let effects = 0;
const effectOf = <Params>(id: number, params: Params, signal = new AbortController().signal) => ({
  id: `e${(effects += 1)}`,
  name: '',
  params,
  machine: { shard: 'a', account: 7, id, kind: 'call' },
  attempt: 1,
  seen: {},
  signal,
});
const aDial = (number: string): TelephonyEffects['originate'] => ({
  leg: 1,
  to: { kind: 'number', number },
  callerId: '',
  ringSeconds: 30,
  limitSeconds: 600,
});
const hangUp: TelephonyEffects['hangUp'] = { leg: 1, reason: 'normal' };

const aVirtualCarrier = async (lines: Line[] = [], rest: Partial<SandboxTelephonyOptions> = {}) => {
  const listener = aListener();
  const time = aVirtualClock();
  const by = `p${(effects += 1)}`;
  const carrier = sandboxTelephony({
    dataDir: '',
    media,
    report: listener.report,
    clock: time.clock,
    log: sandboxCallLogInMemory(lines, by),
    by,
    ...rest,
  });
  await carrier.start();
  const facts = (id: number): string[] =>
    listener.of({ shard: 'a', account: 7, id }).facts.map(({ type }) => type);
  return { ...time, carrier, facts, ...carrier.performers };
};

describe('under a virtual clock', () => {
  it('has one timer, for whatever is due first, however many channels live', async () => {
    const { originate, timers, pass, facts } = await aVirtualCarrier();
    await Promise.all(
      Array.from({ length: 10_000 }, (_, id) => originate(effectOf(id, aDial('5511999990000')))),
    );
    expect(timers.size).toBe(1);
    pass(2_100);
    expect(timers.size).toBe(1);
    expect([facts(0), facts(9_999)]).toEqual(Array.from({ length: 2 }, () => ['ringing', 'answered']));
  });

  it('shows a page the telephone of the called person, who answers, hears and presses there', async () => {
    const { carrier, originate, play, pass, facts } = await aVirtualCarrier([], { speed: 1_000 });
    const machine = { shard: 'a', account: 7, id: 1 };
    expect(carrier.phone!.see(machine, 1)).toBeUndefined();
    await originate(effectOf(1, aDial('11987699000')));
    // A person is no faster than the world, whatever the sandbox is.
    pass(10_000);
    expect(carrier.phone!.see(machine, 1)).toEqual({ state: 'ringing', inHand: true, hears: null });
    await carrier.phone!.act(machine, 1, { what: 'answer' });
    await play(effectOf(1, { leg: 1, playback: 'menu', prompts: [{ media: 'tts1' }, { silenceMs: 500 }] }));
    pass(600);
    expect(carrier.phone!.see(machine, 1)).toEqual({
      ...{ state: 'up', inHand: true },
      hears: { playback: 'menu', media: ['tts1'], lastsMs: 1_500, forMs: 600 },
    });
    expect((await carrier.phone!.act(machine, 1, { what: 'press', key: '2' }))!.state).toBe('up');
    expect((await carrier.phone!.act(machine, 1, { what: 'hangUp' }))!.state).toBe('ended');
    expect(facts(1)).toEqual(['ringing', 'answered', 'digitReceived', 'hungUp']);
  });

  it('hears of what a person does at a page of another process', async () => {
    const lines: Line[] = [];
    const first = await aVirtualCarrier(lines);
    const second = await aVirtualCarrier(lines);
    await first.originate(effectOf(1, aDial('11987699000')));
    first.pass(1_000);
    second.pass(1_000);
    await second.carrier.phone!.act({ shard: 'a', account: 7, id: 1 }, 1, { what: 'answer' });
    first.pass(500);
    expect(first.facts(1)).toEqual(['ringing', 'answered']);
    expect(second.facts(1)).toEqual([]);
  });

  it('does not undo what has happened when the clock steps back', async () => {
    const lines: Line[] = [];
    const { originate, hangUp: end, pass, stepBack, facts } = await aVirtualCarrier(lines);
    await originate(effectOf(1, aDial('5511999990000')));
    pass(5_000);
    stepBack(4_000);
    await end(effectOf(1, hangUp));
    expect(facts(1)).toEqual(['ringing', 'answered', 'hungUp']);
    expect(lines.map(({ at }) => at - lines[0]!.at)).toEqual([0, 2_100]);
  });

  it('dials once when a leg is asked for twice in one tick', async () => {
    const lines: Line[] = [];
    const { originate } = await aVirtualCarrier(lines);
    const asks = await Promise.allSettled(
      [1, 1].map((id) => originate(effectOf(id, aDial('5511999990000')))),
    );
    expect(asks.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(lines).toHaveLength(1);
  });

  it('does not dial what the engine has given up on', async () => {
    const lines: Line[] = [];
    const { originate } = await aVirtualCarrier(lines);
    const late = originate(effectOf(1, aDial('5511999990000'), AbortSignal.abort()));
    await expect(late).rejects.toBeInstanceOf(NotRetryable);
    expect(lines).toEqual([]);
  });

  it.each([
    [{ kind: 'sip', uri: 'sip:agent01@example.org:5060;transport=tcp' }, ['hungUp']],
    [{ kind: 'sip', uri: 'sip:anna@10.0.0.1' }, ['ringing', 'answered']],
    [{ kind: 'chat', number: '5511999990003' }, ['hungUp']],
    [{ kind: 'websocket', url: 'wss://example.org/agents/04' }, ['hungUp']],
    [{ kind: 'websocket', url: 'wss://example.org/agents' }, ['ringing', 'answered']],
  ] as const)('reads the last two digits of any endpoint: %j', async (to, expected) => {
    const { originate, pass, facts } = await aVirtualCarrier();
    await originate(effectOf(1, { ...aDial(''), to }));
    pass(3_000);
    expect(facts(1)).toEqual(expected);
  });

  it('refuses commands for a leg that is not answered yet', async () => {
    const { originate, play } = await aVirtualCarrier();
    await originate(effectOf(1, aDial('5511999990000')));
    const early = play(effectOf(1, { leg: 1, playback: 'p', prompts: [] }));
    await expect(early).rejects.toMatchObject({ name: 'NotRetryable', reason: 'notAnswered' });
  });

  it('takes nothing more, to be tried again elsewhere, once it is stopped', async () => {
    const { carrier, originate } = await aVirtualCarrier();
    await carrier.stop();
    await expect(originate(effectOf(1, aDial('5511999990000')))).rejects.toBeInstanceOf(Retryable);
  });
});

describe('on a file', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sandbox-file-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  const aFileCarrier = async (longBytes: number) => {
    const listener = aListener();
    const by = `p${(effects += 1)}`;
    const log = sandboxCallLogInFile({ folder: join(dataDir, 'sandbox'), by, longBytes });
    const carrier = sandboxTelephony({ dataDir, media, report: listener.report, speed: 20, log, by });
    await carrier.start();
    return {
      carrier,
      ...carrier.performers,
      of: (id: number) => listener.of({ shard: 'a', account: 7, id }),
    };
  };

  it('goes on with its channels when the log is cut, in this process and in the next', async () => {
    const first = await aFileCarrier(2_000);
    for (let id = 0; id < 30; id += 1) await first.originate(effectOf(id, aDial('5511999990000')));
    await first.of(0).until({ type: 'answered' });
    expect(parseSandboxCallLogLines(readFileSync(join(dataDir, 'sandbox', 'calls.log'), 'utf8'))[0]?.do).toBe(
      'carried',
    );
    await first.carrier.stop();

    const second = await aFileCarrier(2_000);
    const found = await second.adopt(effectOf(0, { legs: [1] }));
    expect(found?.events).toMatchObject([{ type: 'legFound', state: 'up' }]);
    await second.hangUp(effectOf(0, hangUp));
    const end = await second.of(0).until({ type: 'hungUp' });
    expect(end).toMatchObject({ outcome: 'normal', by: 'us', seq: 3 });
    await second.carrier.stop();
  });

  it('says that it is not well while its log cannot be reached, and confirms nothing', async () => {
    const { carrier, originate } = await aFileCarrier(2_000);
    expect(carrier.health().ok).toBe(true);
    rmSync(join(dataDir, 'sandbox'), { recursive: true });
    const dial = originate(effectOf(1, aDial('5511999990000')));
    await expect(dial).rejects.toMatchObject({
      name: 'Retryable',
      message: expect.stringContaining('ENOENT'),
    });
    expect(carrier.health()).toMatchObject({ ok: false, detail: expect.stringContaining('ENOENT') });
    await carrier.stop();
  });
});

describe('a leg that nobody dialled', () => {
  const everybody = {
    knowsAll: async (_shard: string, openedBy: ReadonlySet<string>) =>
      openedBy.has('p1') && openedBy.has('p2'),
  };
  const twoProcesses = async () => {
    const lines: Line[] = [];
    const first = await aVirtualCarrier(lines, { process: 'p1' });
    const second = await aVirtualCarrier(lines, { process: 'p2', ...everybody });
    return { lines, first, second };
  };
  const lookedUp = async ({ lookUp }: Awaited<ReturnType<typeof aVirtualCarrier>>, id: number) =>
    (await lookUp(effectOf(id, { leg: 1 })))?.events?.[0];

  it('is known never to have been, and is not taken any more from a process that wakes up late', async () => {
    const { lines, first, second } = await twoProcesses();
    expect(await lookedUp(second, 1)).toMatchObject({ type: 'hungUp', lost: true, neverSince: 0 });
    await expect(first.originate(effectOf(1, aDial('5511999990000')))).rejects.toMatchObject({
      reason: 'late',
    });
    expect(lines.filter((line) => line.do === 'originate')).toEqual([]);
  });

  it('is not known to one who cannot see all that dial', async () => {
    const lines: Line[] = [];
    const second = await aVirtualCarrier(lines, { process: 'p2', ...everybody });
    expect(await lookedUp(second, 1)).not.toHaveProperty('neverSince');
    const alone = await aVirtualCarrier();
    expect(await lookedUp(alone, 1)).not.toHaveProperty('neverSince');
  });

  it('is told from one that was dialled', async () => {
    const { first, second } = await twoProcesses();
    await first.originate(effectOf(1, aDial('5511999990000')));
    expect(await lookedUp(second, 1)).toEqual({ type: 'legFound', leg: 1, state: 'dialing' });
  });

  it('is told from one that ended and was forgotten, by when that was', async () => {
    const { first, second } = await twoProcesses();
    const began = first.clock.now();
    for (const id of [1, 2]) {
      await first.originate(effectOf(id, aDial('5511999990001')));
      await lookedUp(second, 99);
      for (const { pass } of [first, second]) pass(3_600_000);
    }
    const fact = await lookedUp(second, 1);
    expect(fact).toMatchObject({ type: 'hungUp', lost: true });
    expect(fact?.['neverSince']).toBeGreaterThan(began);
  });
});

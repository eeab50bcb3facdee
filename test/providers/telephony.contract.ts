/**
 * What every carrier must do, whichever it is: one suite, run against the sandbox and against a real Asterisk.
 *
 * A bed brings the carrier, its numbers and its dial count; the suite brings the calls. Every wait is for a fact,
 * never for a time, so the same sentences hold for a carrier that answers in milliseconds and for one that rings.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint, TelephonyEffects } from '../../machines/vocabulary/telephony.ts';
import type { EffectCall, Performed, Report } from '../../src/providers/performer.ts';
import { Terminal } from '../../src/providers/performer.ts';
import { legId, type Telephony } from '../../src/providers/telephony.ts';
import { aListener, type Heard, type Listener, type MachineName } from '../helpers/report.ts';
import { aWav, measureWav } from '../helpers/wav.ts';

/** One running instance of a provider, as one process would have it. */
export interface Instance {
  telephony: Telephony;
  /** Cuts it off as `kill -9` would: no goodbye to the carrier, nothing more reported. */
  abandon(): Promise<void>;
}

/** Numbers of the bed's carrier, by what happens when one dials them. */
export interface BedNumbers {
  answers: string;
  busy: string;
  neverAnswers: string;
  congestion: string;
  unreachable: string;
  machine: string;
  human: string;
  /** Answers and hangs up while the first prompt plays. */
  hangsUp: string;
  /** Answers and presses `digits` while or shortly after a prompt plays. */
  presses: { number: string; digits: string };
  /** Answers and talks, so that recordings have sound. */
  speaks: string;
}

export interface TelephonyBed {
  numbers: BedNumbers;
  /** A new instance against the same carrier, started. May be called again while another runs. */
  start(report: Report): Promise<Instance>;
  /** How often the carrier was asked to ring for this channel (`legId`), over all instances. */
  dialCount(channel: string): Promise<number>;
  /** The media store that every instance was given. */
  media: {
    put(account: number, id: string, wav: Buffer): Promise<void>;
    read(account: number, id: string): Promise<Buffer>;
  };
  close(): Promise<void>;
}

const account = 7;
const prompt = 'contract-prompt';
/** Ids never meet, also on a carrier that outlives the test run. */
let lastMachine = Date.now();

type Perform = <Name extends keyof TelephonyEffects>(
  name: Name,
  params: TelephonyEffects[Name],
) => Promise<void>;

type Dial = (leg: number, number: string, terms?: Partial<TelephonyEffects['originate']>) => Promise<void>;

interface TestCall {
  heard: Heard;
  machine: MachineName;
  perform: Perform;
  /** Originates a leg to a number with the usual terms. */
  dial: Dial;
  /** Originates a leg and waits until it is answered. */
  answered: Dial;
  /** The same call in the hands of another instance. */
  on: (instance: Instance) => TestCall;
}

/** A call as the engine would run it on this instance: facts that come with an acceptance are heard as well. */
const aCall = (instance: Instance, listener: Listener, machine?: MachineName): TestCall => {
  const named = machine ?? { shard: 'a', account, id: (lastMachine += 1) };
  const heard = listener.of(named);
  let effects = 0;
  const perform: Perform = async (name, params) => {
    const call: EffectCall<typeof params> = {
      id: `a.${account}.${named.id}.${(lastMachine += 1)}.${(effects += 1)}`,
      name,
      params,
      machine: { ...named, kind: 'call' },
      attempt: 1,
      seen: { ...heard.seen },
      signal: AbortSignal.timeout(10_000),
    };
    const performed: Performed | void = await instance.telephony.performers[name](call);
    for (const fact of performed?.events ?? []) heard.take(fact);
  };
  const dial: TestCall['dial'] = (leg, number, terms = {}) =>
    perform('originate', {
      leg,
      to: { kind: 'number', number } satisfies Endpoint,
      callerId: '1130000000',
      ringSeconds: 20,
      limitSeconds: 600,
      ...terms,
    });
  return {
    heard,
    machine: named,
    perform,
    dial,
    answered: async (leg, number, terms) => {
      await dial(leg, number, terms);
      await heard.until({ type: 'answered', leg });
    },
    on: (other) => aCall(other, listener, named),
  };
};

const bothUp = async ({ answered }: TestCall, first: string, second: string): Promise<void> => {
  await answered(1, first);
  await answered(2, second, { onBehalfOf: 1 });
};

const aPrompt = [{ media: prompt }];
const longSilence = [{ silenceMs: 300_000 }];

/** Runs the whole contract against the carrier that `makeBed` brings up. */
/** `rejects`: a number that turns callers away, where a carrier has one. */
export const describeTelephony = (
  name: string,
  makeBed: () => Promise<TelephonyBed>,
  { rejects }: { rejects?: string } = {},
): void => {
  describe(`telephony contract: ${name}`, { timeout: 40_000 }, () => {
    let bed: TelephonyBed;
    let instance: Instance;
    let listener: Listener;
    const opened: TestCall[] = [];
    const started: Instance[] = [];

    const another = async (): Promise<Instance> => {
      const fresh = await bed.start(listener.report);
      started.push(fresh);
      return fresh;
    };
    const call = (): TestCall => {
      const made = aCall(instance, listener);
      opened.push(made);
      return made;
    };

    beforeAll(async () => {
      bed = await makeBed();
      listener = aListener();
      instance = await another();
      await bed.media.put(account, prompt, aWav(1));
    }, 120_000);
    afterEach(async () => {
      for (const { perform } of opened.splice(0)) {
        for (const leg of [1, 2]) await perform('hangUp', { leg, reason: 'normal' });
      }
    });
    afterAll(async () => {
      for (const one of started) await one.telephony.stop();
      await bed?.close();
    }, 60_000);

    describe('how a leg goes', () => {
      it('rings, is answered, and ends when we hang up', async () => {
        const { heard, answered, perform } = call();
        await answered(1, bed.numbers.answers);
        await perform('hangUp', { leg: 1, reason: 'normal' });
        const end = await heard.until({ type: 'hungUp', leg: 1 });
        expect(end).toMatchObject({ outcome: 'normal', cause: 16, by: 'us' });
        expect(heard.facts.map((fact) => fact.type)).toEqual(['ringing', 'answered', 'hungUp']);
      });

      it('numbers the facts of a leg in ascending order', async () => {
        const { heard, answered, perform } = call();
        await answered(1, bed.numbers.answers);
        await perform('hangUp', { leg: 1, reason: 'normal' });
        await heard.until({ type: 'hungUp', leg: 1 });
        expect(heard.facts.map((fact) => fact.source)).toEqual(['leg 1', 'leg 1', 'leg 1']);
        const numbers = heard.facts.map((fact) => fact.seq ?? 0);
        expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
      });

      it('ends when the far end hangs up', async () => {
        const { heard, answered, perform } = call();
        await answered(1, bed.numbers.hangsUp);
        await perform('play', { leg: 1, playback: 'p1', prompts: aPrompt });
        expect(await heard.until({ type: 'hungUp', leg: 1 })).toMatchObject({
          outcome: 'normal',
          by: 'them',
        });
      });

      it('is told busy', async () => {
        const { heard, dial } = call();
        await dial(1, bed.numbers.busy);
        const end = await heard.until({ type: 'hungUp', leg: 1 });
        expect(end).toMatchObject({ outcome: 'busy', cause: 17, sipStatus: 486 });
      });

      it('rings in vain for as long as we let it', async () => {
        const { heard, dial } = call();
        await dial(1, bed.numbers.neverAnswers, { ringSeconds: 2 });
        await heard.until({ type: 'ringing', leg: 1 });
        expect(await heard.until({ type: 'hungUp', leg: 1 })).toMatchObject({
          outcome: 'noAnswer',
          cause: 19,
        });
      });

      if (rejects !== undefined)
        it('is rejected', async () => {
          const { heard, dial } = call();
          await dial(1, rejects);
          const end = await heard.until({ type: 'hungUp', leg: 1 });
          expect(end).toMatchObject({ outcome: 'busy', cause: 21, sipStatus: 603 });
        });

      it('meets congestion', async () => {
        const { heard, dial } = call();
        await dial(1, bed.numbers.congestion);
        const end = await heard.until({ type: 'hungUp', leg: 1 });
        expect(end).toMatchObject({ outcome: 'congestion', cause: 34, sipStatus: 503 });
      });

      it('cannot reach the number', async () => {
        const { heard, dial } = call();
        await dial(1, bed.numbers.unreachable);
        const end = await heard.until({ type: 'hungUp', leg: 1 });
        expect(end).toMatchObject({ outcome: 'unreachable', cause: 1, sipStatus: 404 });
      });

      it('is cancelled when we hang up before the answer', async () => {
        const { heard, dial, perform } = call();
        await dial(1, bed.numbers.neverAnswers);
        await heard.until({ type: 'ringing', leg: 1 });
        await perform('hangUp', { leg: 1, reason: 'normal' });
        expect(await heard.until({ type: 'hungUp', leg: 1 })).toMatchObject({
          outcome: 'cancelled',
          by: 'us',
        });
      });

      it('is ended by the carrier at its limit, whatever happens to us', async () => {
        const { heard, answered } = call();
        await answered(1, bed.numbers.answers, { limitSeconds: 4 });
        expect(await heard.until({ type: 'hungUp', leg: 1 })).toMatchObject({ outcome: 'normal' });
      });

      it('is dialled once, also when the originate is repeated while it lives', async () => {
        const { heard, machine, answered, dial } = call();
        await answered(1, bed.numbers.answers);
        const again = dial(1, bed.numbers.answers);
        await expect(again).rejects.toBeInstanceOf(Terminal);
        await expect(again).rejects.toMatchObject({ reason: 'duplicate' });
        expect(heard.facts.filter((fact) => fact.type === 'answered')).toHaveLength(1);
        expect(await bed.dialCount(legId(machine, 1))).toBe(1);
      });

      it('accepts a hang-up of a leg that is gone, and refuses to play on it', async () => {
        const { heard, dial, perform } = call();
        await dial(1, bed.numbers.busy);
        await heard.until({ type: 'hungUp', leg: 1 });
        await perform('hangUp', { leg: 1, reason: 'normal' });
        const play = perform('play', { leg: 1, playback: 'p1', prompts: aPrompt });
        await expect(play).rejects.toMatchObject({ name: 'Terminal', reason: 'gone' });
      });
    });

    describe('what is heard on a leg', () => {
      it('plays prompts in order and says when they are over', async () => {
        const { heard, answered, perform } = call();
        await answered(1, bed.numbers.answers);
        const prompts = [{ media: prompt }, { silenceMs: 200 }, { tone: 'beep' as const }];
        await perform('play', { leg: 1, playback: 'first', prompts });
        await perform('play', { leg: 1, playback: 'second', prompts: aPrompt });
        await heard.until({ type: 'played', leg: 1, playback: 'second' });
        const played = heard.facts.filter((fact) => fact.type === 'played').map((fact) => fact.playback);
        expect(played).toEqual(['first', 'second']);
      });

      it('says so when a prompt cannot be played', async () => {
        const { heard, answered, perform } = call();
        await answered(1, bed.numbers.answers);
        await perform('play', {
          leg: 1,
          playback: 'p1',
          prompts: [{ media: 'nowhere-to-be-found' }],
        });
        await expect(heard.until({ type: 'playFailed', leg: 1, playback: 'p1' })).resolves.toBeDefined();
      });

      it('stops a playback', async () => {
        const { heard, answered, perform } = call();
        await answered(1, bed.numbers.answers);
        await perform('play', { leg: 1, playback: 'long', prompts: longSilence });
        await perform('stopPlay', { leg: 1, playback: 'long' });
        await perform('play', { leg: 1, playback: 'short', prompts: aPrompt });
        await expect(heard.until({ type: 'played', leg: 1, playback: 'short' })).resolves.toBeDefined();
      });

      it('hears the digits that are pressed', async () => {
        const { number, digits } = bed.numbers.presses;
        const { heard, answered, perform } = call();
        await answered(1, number);
        await perform('play', { leg: 1, playback: 'p1', prompts: aPrompt });
        expect(await heard.until({ type: 'digitReceived', leg: 1 })).toMatchObject({
          digit: digits[0],
        });
      });

      it('sends digits to the far end', async () => {
        const { answered, perform } = call();
        await answered(1, bed.numbers.answers);
        await expect(perform('sendDigits', { leg: 1, digits: '12#' })).resolves.toBeUndefined();
      });

      it('takes a person for a person', async () => {
        const { heard, answered, perform } = call();
        await answered(1, bed.numbers.human);
        await perform('detectMachine', { leg: 1 });
        expect(await heard.until({ type: 'machineDetected', leg: 1 })).toMatchObject({
          result: 'human',
        });
      });

      it('takes a machine for a machine, and can play to it', async () => {
        const { heard, answered, perform } = call();
        await answered(1, bed.numbers.machine);
        await perform('detectMachine', { leg: 1 });
        expect(await heard.until({ type: 'machineDetected', leg: 1 })).toMatchObject({
          result: 'machine',
        });
        await perform('play', { leg: 1, playback: 'p1', prompts: aPrompt });
        await expect(heard.until({ type: 'played', leg: 1, playback: 'p1' })).resolves.toBeDefined();
      });
    });

    describe('two legs', () => {
      it('holds one with music, plays to it, and goes on holding it', async () => {
        const { heard, answered, perform } = call();
        await answered(1, bed.numbers.answers);
        for (const music of ['music', 'ringing', 'silence'] as const)
          await perform('hold', { leg: 1, music });
        await perform('play', { leg: 1, playback: 'p1', prompts: aPrompt });
        await expect(heard.until({ type: 'played', leg: 1, playback: 'p1' })).resolves.toBeDefined();
      });

      it('joins them so that one hears the other', async () => {
        const made = call();
        await bothUp(made, bed.numbers.answers, bed.numbers.speaks);
        await made.perform('hold', { leg: 1, music: 'silence' });
        await made.perform('bridge', { legs: [1, 2] });
        await made.perform('record', {
          leg: 1,
          recording: 'talk',
          scope: 'call',
          maxSeconds: 3,
          beep: false,
        });
        const recorded = await made.heard.until({ type: 'recorded', leg: 1, recording: 'talk' });
        const { seconds, peak } = measureWav(await bed.media.read(account, String(recorded.media)));
        expect(seconds).toBeGreaterThan(1);
        expect(peak).toBeGreaterThan(1000);
      });

      it('leaves the second up when the first ends', async () => {
        const made = call();
        await bothUp(made, bed.numbers.answers, bed.numbers.answers);
        await made.perform('bridge', { legs: [1, 2] });
        await made.perform('hangUp', { leg: 1, reason: 'normal' });
        await made.heard.until({ type: 'hungUp', leg: 1 });
        await made.perform('play', { leg: 2, playback: 'p1', prompts: aPrompt });
        await expect(made.heard.until({ type: 'played', leg: 2, playback: 'p1' })).resolves.toBeDefined();
      });

      it('parts them and leaves both up', async () => {
        const made = call();
        await bothUp(made, bed.numbers.answers, bed.numbers.answers);
        await made.perform('bridge', { legs: [1, 2] });
        await made.perform('unbridge', { legs: [1, 2] });
        for (const leg of [1, 2]) {
          await made.perform('play', { leg, playback: `p${leg}`, prompts: aPrompt });
          await expect(made.heard.until({ type: 'played', leg, playback: `p${leg}` })).resolves.toBeDefined();
        }
      });
    });

    describe('recording', () => {
      it('records what the far end says, and measures it from the file', async () => {
        const { heard, answered, perform } = call();
        await answered(1, bed.numbers.speaks);
        await perform('record', {
          leg: 1,
          recording: 'says',
          scope: 'leg',
          maxSeconds: 2,
          beep: true,
        });
        const recorded = await heard.until({ type: 'recorded', leg: 1, recording: 'says' });
        const { seconds, peak } = measureWav(await bed.media.read(account, String(recorded.media)));
        expect(recorded.seconds).toBeCloseTo(seconds, 1);
        expect(seconds).toBeGreaterThan(1.5);
        expect(seconds).toBeLessThan(3.5);
        expect(peak).toBeGreaterThan(1000);
      });

      it('records both sides of a call until it is stopped', async () => {
        const { heard, answered, perform } = call();
        await answered(1, bed.numbers.answers);
        await perform('record', {
          leg: 1,
          recording: 'both',
          scope: 'call',
          maxSeconds: 300,
          beep: false,
        });
        await perform('play', { leg: 1, playback: 'p1', prompts: aPrompt });
        await heard.until({ type: 'played', leg: 1, playback: 'p1' });
        await perform('stopRecord', { leg: 1, recording: 'both' });
        const recorded = await heard.until({ type: 'recorded', leg: 1, recording: 'both' });
        const { seconds, peak } = measureWav(await bed.media.read(account, String(recorded.media)));
        expect(seconds).toBeGreaterThan(0.5);
        expect(peak).toBeGreaterThan(1000);
      });

      it('keeps what was recorded when the leg ends', async () => {
        const { heard, answered, perform } = call();
        await answered(1, bed.numbers.answers);
        await perform('record', {
          leg: 1,
          recording: 'cut',
          scope: 'call',
          maxSeconds: 300,
          beep: false,
        });
        await perform('play', { leg: 1, playback: 'p1', prompts: aPrompt });
        await heard.until({ type: 'played', leg: 1, playback: 'p1' });
        await perform('hangUp', { leg: 1, reason: 'normal' });
        const recorded = await heard.until({ type: 'recorded', leg: 1, recording: 'cut' });
        const { seconds } = measureWav(await bed.media.read(account, String(recorded.media)));
        expect(seconds).toBeGreaterThan(0.5);
      });
    });

    describe('when another process takes over', () => {
      it('goes on with live legs and says which are gone', async () => {
        const first = await another();
        const before = aCall(first, listener);
        await before.answered(1, bed.numbers.answers);
        await before.answered(2, bed.numbers.answers);
        await first.abandon();

        const second = await another();
        const after = before.on(second);
        opened.push(after);
        await after.perform('hangUp', { leg: 2, reason: 'normal' });
        await after.perform('adopt', { legs: [1, 2, 3] });

        expect(await after.heard.until({ type: 'legFound', leg: 1 })).toMatchObject({
          state: 'up',
        });
        await after.heard.until({ type: 'hungUp', leg: 2 });
        await after.heard.until({ type: 'hungUp', leg: 3, lost: true });
        await after.perform('play', { leg: 1, playback: 'p1', prompts: aPrompt });
        await after.heard.until({ type: 'played', leg: 1, playback: 'p1' });
        await after.perform('hangUp', { leg: 1, reason: 'normal' });
        await after.heard.until({ type: 'hungUp', leg: 1 });
        expect(await bed.dialCount(legId(after.machine, 1))).toBe(1);
      });

      it('hears the end of a leg that was still ringing', async () => {
        const first = await another();
        const before = aCall(first, listener);
        await before.dial(1, bed.numbers.neverAnswers, { ringSeconds: 60 });
        await before.heard.until({ type: 'ringing', leg: 1 });
        await first.abandon();

        const after = before.on(await another());
        opened.push(after);
        await after.perform('adopt', { legs: [1] });
        await after.heard.until({ type: 'legFound', leg: 1 });
        await after.perform('hangUp', { leg: 1, reason: 'normal' });
        expect(await after.heard.until({ type: 'hungUp', leg: 1 })).toMatchObject({
          outcome: 'cancelled',
        });
      });

      it('looks up a leg: found when it lives, lost when it was never made', async () => {
        const { heard, answered, perform } = call();
        await perform('lookUp', { leg: 2 });
        await heard.until({ type: 'hungUp', leg: 2, lost: true });
        await answered(1, bed.numbers.answers);
        await perform('lookUp', { leg: 1 });
        expect(await heard.until({ type: 'legFound', leg: 1 })).toMatchObject({ state: 'up' });
      });
    });
  });
};

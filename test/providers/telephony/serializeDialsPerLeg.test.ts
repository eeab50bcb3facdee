/** A leg that a call was told is lost is never dialled afterwards, by either carrier: here with the sandbox. */
import { describe, expect, it } from 'vitest';
import type { TelephonyEffects } from '../../../machines/contracts/telephony.ts';
import type { EffectCall } from '../../../src/engine/contract/performer.ts';
import type { Telephony } from '../../../src/providers/contracts/telephony.ts';
import { serializeLegDials } from '../../../src/providers/telephony/serializeDialsPerLeg.ts';
import { sandboxTelephony } from '../../../src/providers/telephony/sandbox.ts';
import { sandboxCallLogInMemory } from '../../../src/providers/telephony/sandbox/sharedCallLogFile.ts';
import type { Line } from '../../../src/providers/telephony/sandbox/callLogLineFormat.ts';
import { eventually } from '../../helpers/patience.ts';

let effects = 0;
const effectOf = <Params>(params: Params, signal = new AbortController().signal): EffectCall<Params> => ({
  id: `e${(effects += 1)}`,
  name: '',
  params,
  machine: { shard: 'a', account: 7, id: 1, kind: 'call' },
  attempt: 1,
  seen: {},
  signal,
});
const aDial = (leg = 1): TelephonyEffects['originate'] => ({
  leg,
  to: { kind: 'number', number: '5511999990000' },
  callerId: '',
  ringSeconds: 30,
  limitSeconds: 600,
});
const media = {
  stat: async () => ({ bytes: 0, seconds: 1, modifiedAt: 0 }),
  put: async () => ({ bytes: 0, seconds: 0, modifiedAt: 0 }),
};

/** A carrier whose requests arrive when they are let through. */
const aSlowCarrier = async () => {
  const lines: Line[] = [];
  const carrier = sandboxTelephony({
    dataDir: '',
    media,
    report: () => {},
    log: sandboxCallLogInMemory(lines, 'p'),
    by: 'p',
  });
  await carrier.start();
  const waiting = new Map<string, () => void>();
  const held = <Call, Result>(name: string, perform: (call: Call) => Promise<Result>) => {
    return async (call: Call): Promise<Result> => {
      await new Promise<void>((resolve) => waiting.set(name, resolve));
      return perform(call);
    };
  };
  const { originate, adopt, lookUp, ...rest } = carrier.performers;
  const slow: Telephony['performers'] = {
    ...rest,
    originate: held('originate', originate),
    adopt: held('adopt', adopt),
    lookUp: held('lookUp', lookUp),
  };
  const arrive = async (name: string): Promise<void> => {
    await eventually(() => expect([...waiting.keys()]).toContain(name));
    waiting.get(name)!();
    waiting.delete(name);
  };
  const dials = (): string[] => lines.filter((line) => line.do === 'originate').map(({ channel }) => channel);
  return {
    ...serializeLegDials(slow),
    arrive,
    dials,
    asked: () => [...waiting.keys()],
    stop: () => carrier.stop(),
  };
};

describe('a dial and a question about its leg', () => {
  it('is not dialled once the call was told that there is no such leg', async () => {
    const { adopt, originate, arrive, dials, stop } = await aSlowCarrier();
    const asked = adopt(effectOf({ legs: [1] }));
    const dialled = originate(effectOf(aDial()));
    await arrive('adopt');
    expect(await asked).toMatchObject({ events: [{ type: 'hungUp', leg: 1, lost: true }] });
    await expect(dialled).rejects.toMatchObject({ reason: 'late' });
    await expect(originate(effectOf(aDial()))).rejects.toMatchObject({ reason: 'late' });
    expect(dials()).toEqual([]);
    await stop();
  });

  it('is found by a question that came while it was dialled', async () => {
    const { adopt, lookUp, originate, arrive, asked, dials, stop } = await aSlowCarrier();
    const dialled = originate(effectOf(aDial()));
    const found = adopt(effectOf({ legs: [1] }));
    const foundAgain = lookUp(effectOf({ leg: 1 }));
    await eventually(() => expect(asked()).toEqual(['originate']));
    await arrive('originate');
    await dialled;
    await arrive('adopt');
    expect(await found).toMatchObject({ events: [{ type: 'legFound', leg: 1 }] });
    await arrive('lookUp');
    expect(await foundAgain).toMatchObject({ events: [{ type: 'legFound', leg: 1 }] });
    expect(dials()).toEqual(['a.7.1.1']);
    await stop();
  });

  it('is asked for by another number all the same', async () => {
    const { adopt, originate, arrive, dials, stop } = await aSlowCarrier();
    const asked = adopt(effectOf({ legs: [1] }));
    await arrive('adopt');
    await asked;
    const dialled = originate(effectOf(aDial(2)));
    await arrive('originate');
    await dialled;
    expect(dials()).toEqual(['a.7.1.2']);
    await stop();
  });

  it('is not dialled after it was hung up', async () => {
    const { hangUp, originate, dials, stop } = await aSlowCarrier();
    await hangUp(effectOf({ leg: 1, reason: 'normal' as const }));
    await expect(originate(effectOf(aDial()))).rejects.toMatchObject({ reason: 'late' });
    expect(dials()).toEqual([]);
    await stop();
  });

  it('waits for a request whose answer does not come no longer than that request may take', async () => {
    const { adopt, originate, arrive, asked, stop } = await aSlowCarrier();
    const time = new AbortController();
    void originate(effectOf(aDial(), time.signal));
    const question = adopt(effectOf({ legs: [1] }));
    await eventually(() => expect(asked()).toEqual(['originate']));
    time.abort();
    await arrive('adopt');
    expect(await question).toMatchObject({ events: [{ type: 'hungUp', lost: true }] });
    await stop();
  });
});

/**
 * What every carrier must do, whichever it is: one suite, run against the sandbox and against a real Asterisk.
 *
 * A bed brings the carrier, its numbers and its dial count; the suite brings the calls. Every wait is for a fact,
 * never for a time, so the same sentences hold for a carrier that answers in milliseconds and for one that rings.
 */
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { aListener, type Listener } from '../helpers/report.ts';
import { aWav } from '../helpers/wav.ts';
import type { Instance, TelephonyBed } from './telephony/contract/bed.ts';
import { account, aCall, prompt, type Scene, type TestCall } from './telephony/contract/call.ts';
import { describeHearing } from './telephony/contract/heard.ts';
import { describeLegs } from './telephony/contract/legs.ts';
import { describeRecording } from './telephony/contract/recording.ts';
import { describeTakeover } from './telephony/contract/takeover.ts';
import { describeTwoLegs } from './telephony/contract/twoLegs.ts';

/**
 * Runs the whole contract against the carrier that `makeBed` brings up. `rejects`: a number that turns callers away,
 * where a carrier has one.
 */
export const describeTelephony = (
  name: string,
  makeBed: () => Promise<TelephonyBed>,
  terms: { rejects?: string } = {},
): void => {
  describe(`telephony contract: ${name}`, () => {
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
    const on: Scene = {
      get bed() {
        return bed;
      },
      call: () => {
        const made = aCall(instance, listener);
        opened.push(made);
        return made;
      },
      another,
      callOn: (other) => aCall(other, listener),
      ends: (call) => void opened.push(call),
    };

    beforeAll(async () => {
      bed = await makeBed();
      listener = aListener();
      instance = await another();
      await bed.media.put(account, prompt, aWav(1));
    });
    afterEach(async () => {
      for (const { perform } of opened.splice(0)) {
        for (const leg of [1, 2]) await perform('hangUp', { leg, reason: 'normal' });
      }
    });
    afterAll(async () => {
      for (const one of started) await one.telephony.stop();
      await bed?.close();
    });

    describeLegs(on, terms);
    describeHearing(on);
    describeTwoLegs(on);
    describeRecording(on);
    describeTakeover(on);
  });
};

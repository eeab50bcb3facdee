/** What only a real Asterisk can do to us: gaps, takeovers, orphans, and its own surprises. */
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { lacking, tellsOnFailure } from '../../asterisk/bed.ts';
import { describeAgents } from './asterisk/agent.ts';
import { describeAudio } from './asterisk/audio.ts';
import { describeDialling } from './asterisk/dialling.ts';
import { describeGaps } from './asterisk/gap.ts';
import { describeTakeovers } from './asterisk/takeover.ts';
import { type AsteriskBed, startAsteriskBed } from './asteriskBed.ts';

const missing = lacking();

describe.skipIf(missing)(`asterisk${missing ? `: ${missing}` : ''}`, () => {
  let bed: AsteriskBed;
  beforeAll(async () => {
    bed = await startAsteriskBed();
  });
  tellsOnFailure(() => bed?.carrier);
  afterEach(() => bed.tidy());
  afterAll(() => bed?.stop());

  const on = (): AsteriskBed => bed;
  describeGaps(on);
  describeTakeovers(on);
  describeDialling(on);
  describeAgents(on);
  describeAudio(on);
});

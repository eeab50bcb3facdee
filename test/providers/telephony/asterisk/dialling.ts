/** What Asterisk is asked to dial, and what it makes of it. */
import { describe, expect, it } from 'vitest';
import { dialStringTemplatesFromEndpoints } from '../../../../src/providers/telephony/asterisk.ts';
import { type AsteriskBed } from '../asteriskBed.ts';
import { answers, busyFirst } from './numbers.ts';

export const describeDialling = (bed: () => AsteriskBed): void => {
  describe('dialling', () => {
    it('refuses a leg that lives, and is not fooled by the same answer for one that could not be made', async () => {
      const first = bed().aCall(await bed().aNode());
      await first.answered(answers);
      const node = await bed().aNode({
        dial: { number: 'PJSIP/{number}@carrier', sip: 'PJSIP/nobody/{uri}' },
      });
      await expect(first.on(node).dial(answers)).rejects.toMatchObject({ reason: 'duplicate' });
      const impossible = bed()
        .aCall(node)
        .dial(answers, { to: { kind: 'sip', uri: 'sip:a@b' } });
      await expect(impossible).rejects.toMatchObject({ reason: 'unreachable' });
      expect(await bed().carrier.dials(first.channel(1))).toBe(1);
    });

    it('takes a carrier that says nothing for unreachable', async () => {
      const node = await bed().aNode({ dial: dialStringTemplatesFromEndpoints('PJSIP/{number}@dead') });
      const call = bed().aCall(node);
      await call.dial(answers, { ringSeconds: 2 });
      expect(await call.heard.until({ type: 'hungUp' })).toMatchObject({ outcome: 'unreachable' });
    });

    it('meets a busy callee first and an answer with the next leg', async () => {
      const call = bed().aCall(await bed().aNode());
      await call.dial(busyFirst);
      expect(await call.heard.until({ type: 'hungUp', leg: 1 })).toMatchObject({ outcome: 'busy' });
      await call.answered(busyFirst, { leg: 2 });
    });

    it('does not dial what is no number and no address', async () => {
      const call = bed().aCall(await bed().aNode());
      await expect(call.dial('55&PJSIP/1')).rejects.toMatchObject({ reason: 'unreachable' });
      const inject = call.dial('', { to: { kind: 'sip', uri: 'sip:a@b&PJSIP/1' } });
      await expect(inject).rejects.toMatchObject({ reason: 'unreachable' });
    });
  });
};

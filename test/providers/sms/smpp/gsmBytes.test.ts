import { describe, expect, it } from 'vitest';
import {
  restoreAsciiMisreadAsGsm,
  gsmBytes,
  ucs2Bytes,
} from '../../../../src/providers/sms/smpp/gsmBytes.ts';

describe('the bytes of an SMS', () => {
  it('are GSM 03.38, with escapes', () => {
    expect([...gsmBytes('@Aa_é€[~')]).toEqual([0, 65, 97, 17, 5, 27, 101, 27, 60, 27, 61]);
    expect([...gsmBytes('ΔÇà§')]).toEqual([16, 9, 127, 95]);
  });
  it('have no place for other characters', () => {
    expect(() => gsmBytes('ã')).toThrow(RangeError);
    expect(() => gsmBytes('\u001b')).toThrow(RangeError);
  });
  it('are UCS-2, pairs and all', () => {
    expect([...ucs2Bytes('ã😀')]).toEqual([0x00, 0xe3, 0xd8, 0x3d, 0xde, 0x00]);
  });
  it('are put right when ASCII was read as GSM', () => {
    expect(restoreAsciiMisreadAsGsm('id:a§b¡c¤ stat:DELIVRD')).toBe('id:a_b@c$ stat:DELIVRD');
  });
});

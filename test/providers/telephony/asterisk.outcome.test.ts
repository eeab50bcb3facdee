import { describe, expect, it } from 'vitest';
import {
  farEndSipStatus,
  legOutcomeOf,
  type AsteriskLegEnd,
} from '../../../src/providers/telephony/asterisk/outcome.ts';

const ending = (told: Partial<AsteriskLegEnd>): AsteriskLegEnd => ({
  answered: false,
  rang: false,
  cancelled: false,
  dialStatus: '',
  cause: 0,
  sipStatus: 0,
  ...told,
});

describe('how a leg of Asterisk ended', () => {
  it.each<[string, Partial<AsteriskLegEnd>, string]>([
    ['answered, then hung up', { answered: true, cause: 16 }, 'normal'],
    ['answered, and the far end gave no reason', { answered: true, cause: 0 }, 'normal'],
    ['486', { dialStatus: 'BUSY', cause: 17, sipStatus: 486 }, 'busy'],
    ['600', { dialStatus: 'BUSY', cause: 17, sipStatus: 600 }, 'busy'],
    ['603, which Dial calls no answer', { dialStatus: 'NOANSWER', cause: 21, sipStatus: 603 }, 'declined'],
    ['607', { dialStatus: 'NOANSWER', cause: 21, sipStatus: 607 }, 'unwanted'],
    ['608', { dialStatus: 'NOANSWER', cause: 21, sipStatus: 608 }, 'rejected'],
    ['403', { dialStatus: 'NOANSWER', cause: 21, sipStatus: 403 }, 'forbidden'],
    ['no SIP, rejected', { cause: 21 }, 'declined'],
    ['our ring time', { rang: true, dialStatus: 'RINGING', cause: 19, sipStatus: 480 }, 'noAnswer'],
    ['480 after ringing', { rang: true, dialStatus: 'NOANSWER', cause: 19, sipStatus: 480 }, 'noAnswer'],
    ['480 without ringing', { dialStatus: 'NOANSWER', cause: 19, sipStatus: 480 }, 'noAnswer'],
    ['408 after ringing', { rang: true, dialStatus: 'NOANSWER', cause: 18, sipStatus: 408 }, 'noAnswer'],
    ['a dead peer, our ring time', { cause: 19, sipStatus: 480 }, 'unreachable'],
    ['a dead peer, Asterisk gives up', { dialStatus: 'NOANSWER', cause: 18, sipStatus: 408 }, 'unreachable'],
    ['404, which Dial calls no answer', { dialStatus: 'NOANSWER', cause: 1, sipStatus: 404 }, 'unreachable'],
    ['410', { dialStatus: 'NOANSWER', cause: 22, sipStatus: 410 }, 'unreachable'],
    ['484', { dialStatus: 'NOANSWER', cause: 28, sipStatus: 484 }, 'unreachable'],
    ['502', { dialStatus: 'NOANSWER', cause: 27, sipStatus: 502 }, 'unreachable'],
    ['500, which Dial calls no answer', { dialStatus: 'NOANSWER', cause: 38, sipStatus: 500 }, 'congestion'],
    ['503', { dialStatus: 'CONGESTION', cause: 34, sipStatus: 503 }, 'congestion'],
    ['504', { dialStatus: 'NOANSWER', cause: 102, sipStatus: 504 }, 'congestion'],
    ['no SIP, no circuit', { cause: 34 }, 'congestion'],
    ['an agent that is not there', { rang: true, cause: 20 }, 'unreachable'],
    ['cancelled by us', { rang: true, cancelled: true, dialStatus: 'NOANSWER', cause: 16 }, 'cancelled'],
    ['cancelled by us as busy', { rang: true, cancelled: true, cause: 17 }, 'cancelled'],
    ['cancelled by the process before us', { rang: true, dialStatus: 'NOANSWER', cause: 16 }, 'cancelled'],
  ])('%s', (_, told, outcome) => {
    expect(legOutcomeOf(ending(told))).toBe(outcome);
  });
});

describe('the status that came from the far end', () => {
  it.each<[string, Partial<AsteriskLegEnd>, number]>([
    ['none at the end of our ring time, where nothing rang', { cause: 19, sipStatus: 480 }, 0],
    ['its 480', { dialStatus: 'NOANSWER', cause: 19, sipStatus: 480 }, 480],
    ['480 where it rang', { rang: true, dialStatus: 'RINGING', cause: 19, sipStatus: 480 }, 480],
    ['503', { dialStatus: 'CONGESTION', cause: 34, sipStatus: 503 }, 503],
  ])('%s', (_, told, status) => {
    expect(farEndSipStatus(ending(told))).toBe(status);
  });
});

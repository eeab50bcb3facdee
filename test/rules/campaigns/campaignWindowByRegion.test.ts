import { describe, expect, it } from 'vitest';
import {
  campaignEndInRegion,
  campaignWindowInRegion,
  type CampaignWindowRules,
} from '../../../src/rules/campaigns/campaignWindowByRegion.ts';
import { DEFAULT_WINDOWS } from '../../../src/rules/voice/callingWindows.ts';

const rules = (
  changes: Partial<CampaignWindowRules['hours']> = {},
  rest: Partial<CampaignWindowRules> = {},
): CampaignWindowRules => ({
  hours: {
    dateStart: '2026-11-16',
    dateEnd: '2026-11-20',
    timeStart: '09:00:00',
    timeEnd: '17:59:59',
    ...changes,
  },
  homeZone: 'America/Sao_Paulo',
  ...rest,
});
const utc = (text: string): number => Date.parse(`2026-11-${text}Z`);

describe('the window of a campaign', () => {
  it('is read on the clock of the region', () => {
    const at = utc('17T13:30:00');
    expect(campaignWindowInRegion('SP', at, rules())).toMatchObject({
      open: true,
      until: utc('17T21:00:00'),
    });
    expect(campaignWindowInRegion('AC', at, rules())).toMatchObject({
      open: false,
      until: utc('17T14:00:00'),
    });
  });

  it('includes its last second', () => {
    expect(campaignWindowInRegion('SP', utc('17T20:59:59'), rules()).open).toBe(true);
    expect(campaignWindowInRegion('SP', utc('17T21:00:00'), rules())).toMatchObject({
      open: false,
      until: utc('18T12:00:00'),
    });
  });

  it('reads numbers without a region on the account’s clock', () => {
    const manaus = rules({}, { homeZone: 'America/Manaus' });
    expect(campaignWindowInRegion('', utc('17T12:30:00'), manaus)).toMatchObject({
      open: false,
      until: utc('17T13:00:00'),
    });
  });

  it('waits for its first day and does not open after its last', () => {
    expect(campaignWindowInRegion('SP', utc('10T15:00:00'), rules())).toMatchObject({
      open: false,
      until: utc('16T12:00:00'),
    });
    expect(campaignWindowInRegion('SP', utc('20T21:00:00'), rules())).toEqual({
      open: false,
      until: campaignEndInRegion('SP', rules()),
      detail: 'SP (18:00 there) is outside its hours; it does not open again',
    });
    expect(campaignEndInRegion('SP', rules())).toBe(utc('20T21:00:00'));
    expect(campaignEndInRegion('AC', rules())).toBe(utc('20T23:00:00'));
  });

  it('lasts from day to day when it has no end', () => {
    const always = rules({ timeStart: '00:00:00', timeEnd: '23:59:59' });
    const now = campaignWindowInRegion('SP', utc('17T15:00:00'), always);
    expect(now).toMatchObject({ open: true, until: utc('18T03:00:00') });
    expect(campaignWindowInRegion('SP', now.until, always).open).toBe(true);
  });

  it('keeps the regional table and holidays when the account wants it', () => {
    const kept = rules({ timeEnd: '23:59:59' }, { table: DEFAULT_WINDOWS });
    expect(campaignWindowInRegion('SP', utc('17T15:00:00'), kept)).toMatchObject({
      open: true,
      until: utc('18T00:00:00'),
    });
    const holiday = campaignWindowInRegion('SP', utc('20T15:00:00'), kept);
    expect(holiday.open).toBe(false);
    expect(holiday.detail).toContain('Consciência Negra');
    expect(campaignWindowInRegion('SP', utc('20T15:00:00'), rules()).open).toBe(true);
  });

  it('says where, why and when it opens', () => {
    expect(campaignWindowInRegion('AC', utc('17T13:30:00'), rules()).detail).toBe(
      'AC (08:30 there) is outside its hours; opens 2026-11-17 09:00 America/Rio_Branco',
    );
  });

  it('gives an answer when its hours and the table have nothing in common', () => {
    const night = rules(
      { dateEnd: '2099-12-31', timeStart: '02:00:00', timeEnd: '03:00:00' },
      { table: DEFAULT_WINDOWS },
    );
    expect(campaignWindowInRegion('SP', utc('17T13:30:00'), night).open).toBe(false);
  });
});

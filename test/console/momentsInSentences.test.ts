/** Moments in sentences of the service stand as the other times of a page do, not as programs write them. */
import { describe, expect, test } from 'vitest';
import { partsOfSentence } from '../../src/console/app/momentsInSentences.ts';
import { aList, anAsset } from '../helpers/campaigns.ts';
import { describeInBrowser } from '../helpers/console.ts';
import { demoAccount } from '../helpers/service.ts';

describe('the moments of a sentence', () => {
  const momentsIn = (sentence: string, zone?: string) =>
    partsOfSentence(sentence, zone).flatMap(({ at }) =>
      at === undefined ? [] : [new Date(at).toISOString()],
    );

  test('are instants, and times on the clock of the account where that is known', () => {
    const sentence = 'It was postponed at 2026-11-30T02:30:00.000Z, and goes on at 2026-12-01 09:00:00.';
    expect(momentsIn(sentence)).toEqual(['2026-11-30T02:30:00.000Z']);
    expect(momentsIn(sentence, 'America/Sao_Paulo')).toEqual([
      ...['2026-11-30T02:30:00.000Z', '2026-12-01T12:00:00.000Z'],
    ]);
  });

  test('leave the rest of the sentence as it is, and are no other numbers', () => {
    const sentence = 'Number 5511-987, day 2026-12-01, order 2026-99-99T99:99:99Z.';
    expect(momentsIn(sentence, 'UTC')).toEqual([]);
    expect(
      partsOfSentence(sentence, 'UTC')
        .map(({ text }) => text)
        .join(''),
    ).toBe(sentence);
  });
});

describe('the days of a sentence', () => {
  const daysIn = (sentence: string) =>
    partsOfSentence(sentence, undefined).flatMap(({ text, isDay }) => (isDay ? [text] : []));

  test('are those that stand alone', () => {
    expect(daysIn('The last day is 2026-12-24. It began on 2026-12-01, or 2026-13-40.')).toEqual([
      ...['2026-12-24', '2026-12-01'],
    ]);
  });

  test('are none of a name, of an address, or of a time whose zone is not known', () => {
    const sentence =
      'results-2026-12-24.csv, 2026-12-24.csv, /a/2026-12-24, at 2026-12-24 09:00:00, 2026-12-24T09:00';
    expect(daysIn(sentence)).toEqual([]);
  });
});

describeInBrowser('in a browser', {}, (here) => {
  test('the page of a machine says when it goes on as its other times are said', async () => {
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    const given = {
      name: 'Later',
      cdlc_id: await aList(here.on),
      content: await anAsset(here.on),
      cp_ativo: 1,
    };
    const { cp_id: id } = (
      await here.on.admin('POST', `/accounts/${demoAccount}/campaigns`, {
        ...given,
        date_start: day,
        date_end: day,
      })
    ).body;
    const sentences = async (): Promise<string> =>
      (await here.on.admin('GET', `/machines/a_${id}/explain`)).body.sentences.join(' ');
    await expect.poll(sentences).toMatch(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/);
    const { page } = await here.open(`/admin/machines/a_${id}?account=${demoAccount}`, {
      zone: 'Asia/Tokyo',
    });
    const lead = page.locator('p.lead');
    const moment = lead.locator('time').first();
    await moment.waitFor();
    expect(await lead.textContent()).not.toMatch(/\d{4}-\d{2}-\d{2}/);
    expect(await moment.getAttribute('title')).toContain('Your time');
    await page.context().close();
  });
});

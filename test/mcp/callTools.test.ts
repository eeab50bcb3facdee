/** What the tools tell of calls (spec 4.1). */
import { beforeAll, describe, expect, test } from 'vitest';
import { demoAccount, demoToken } from '../helpers/service.ts';
import { toolBed } from './bed.ts';

const many = 2_300;

const bed = toolBed();
const { call, outcomeOf } = bed;
beforeAll(async () => {
  await bed.on.database.pool.query(
    `INSERT INTO calls (account_id, id, requested_at, mode, destination, called_at, status, response_1, campaign_id, customer_campaign)
      SELECT $1, n, 1000000000000, 'play', '5511987650000', 1000000000000 + n, 'OK', CASE WHEN n = 7 THEN '1' ELSE '' END,
        CASE WHEN n > 10 THEN 77 ELSE 0 END, 'spring' FROM generate_series(1, $2::int) n`,
    [demoAccount, many],
  );
});

describe('get_call_status', () => {
  const days = { date_start: '2001-01-01', date_end: '2001-12-31' };

  test('shows a thousand, newest first, in its own form [4.1/max_records] [4.1/get_call_status]', async () => {
    const { calls, total, pagination, success, ...rest } = await outcomeOf('get_call_status', {
      cpid: 'spring',
    });
    expect([success, total, calls.length, pagination, rest]).toEqual([
      true,
      1_000,
      1_000,
      { has_more: true, next_id: String(many - 999) },
      {},
    ]);
    expect(calls[0]).toEqual({
      ...{
        cd_id: `a_${many}`,
        cd_status: 'OK',
        dest: '5511987650000',
        date: '2001-09-08',
        dur: '0',
        cdr_url: '',
      },
    });
  });

  test('goes on where the page before ended [4.1/last_id]', async () => {
    const first = await outcomeOf('get_call_status', { cpid: 'spring', max_records: 1_200 });
    expect([first.total, first.pagination]).toEqual([
      1_200,
      { has_more: true, next_id: String(many - 1_199) },
    ]);
    const second = await outcomeOf('get_call_status', {
      cpid: 'spring',
      max_records: 1_200,
      last_id: first.pagination.next_id,
    });
    expect([second.total, second.pagination]).toEqual([many - 1_200, { has_more: false, next_id: '' }]);
    const ids = [...first.calls, ...second.calls].map(({ cd_id }: { cd_id: string }) => cd_id);
    expect(new Set(ids).size).toBe(many);
  });

  test('gives all of them for -1, ten thousand at a time [4.1/max_records]', async () => {
    expect(await outcomeOf('get_call_status', { cpid: 'spring', max_records: -1 })).toMatchObject({
      ...{ total: many, pagination: { has_more: false, next_id: '' } },
    });
  });

  test('filters [4.1/cp_id] [4.1/cpid] [4.1/cd_id] [4.1/ctid] [4.1/date_start] [4.1/date_end] [4.1/only_dtmf]', async () => {
    const count = async (given: object) =>
      (await outcomeOf('get_call_status', { ...given, max_records: -1 })).total;
    expect(await count({ cp_id: '77' })).toBe(many - 10);
    expect(await count({ cp_id: 77, cpid: 'winter' })).toBe(0);
    expect(await count({ cd_id: 'a_3' })).toBe(1);
    expect(await count({ cd_id: 'b_3' })).toBe(0);
    expect(await count({ ctid: 'null', cpid: 'spring' })).toBe(many);
    expect(await count({ ...days, cpid: 'spring' })).toBe(0);
    expect(await count({ cpid: 'spring', only_dtmf: true })).toBe(1);
    expect(await count({ cpid: 'spring', only_dtmf: false })).toBe(many);
  });

  test('finds nothing by what cannot be read, and says so', async () => {
    expect(await outcomeOf('get_call_status', { date_start: 'yesterday' })).toEqual({
      ...{ success: true, calls: [], total: 0, pagination: { has_more: false, next_id: '' } },
      warning: 'date_start must be a date, YYYY-MM-DD',
    });
    expect(await outcomeOf('get_call_status', { max_records: -2 })).toMatchObject({
      total: 0,
      warning: expect.stringMatching(/^max_records /),
    });
  });

  test('shows nobody else’s calls', async () => {
    expect((await call('get_call_status', { cd_id: 'a_3' }, bed.stranger)).total).toBe(0);
  });
});

describe('explain_call', () => {
  const explained = async (given: object) => {
    const { cd_id } = await outcomeOf('make_tts_call', given);
    return { cd_id, told: () => outcomeOf('explain_call', { cd_id }) };
  };

  test('tells how a call ended and what to do', async () => {
    const { cd_id, told } = await explained({ dest: '11987650004', text: 'nobody there' });
    await bed.on.ended(cd_id);
    expect(await told()).toEqual({
      ...{ success: true, cd_id, cd_status: 'CHANUNAVAIL', dest: '5511987650004', ended: true, attempts: 1 },
      explanation: [
        expect.stringContaining('asked for'),
        expect.stringMatching(/^It ended at [\d: -]+\.$/),
        expect.stringContaining('could not be reached'),
        'A sandbox carries it: it reaches no telephone and no network outside.',
        'Times are those of America/Sao_Paulo.',
      ],
      next: 'Check the number before you try again.',
      time_zone: 'America/Sao_Paulo',
    });
  });

  test('tells the sentences of the administration, in Portuguese when asked to', async () => {
    const { cd_id } = await explained({ dest: '11987650104', text: 'ninguém' });
    await bed.on.ended(cd_id);
    const { sentences } = (await bed.on.admin('GET', `/machines/${cd_id}/explain?lang=pt`)).body;
    const told = await outcomeOf('explain_call', { cd_id, lang: 'pt' });
    expect(told.explanation).toEqual([expect.stringMatching(/^Foi pedida em /), ...sentences]);
    expect(told.next).toBe('Confira o número antes de tentar de novo.');
    expect(await outcomeOf('explain_call', { cd_id, lang: 'fr' })).toMatchObject({
      ...{ success: false, status_code: 299, error: 'lang must be one of en, pt' },
    });
  });

  test('tells what a call waits for', async () => {
    const { told } = await explained({ dest: '11987650021', text: 'again', repeat: '2|5||2001-01-01 00:00' });
    await expect.poll(async () => (await told()).attempts).toBe(1);
    await expect.poll(async () => (await told()).next).toMatch(/goes on by itself at \d{4}-/);
    expect((await told()).explanation.join(' ')).toContain('attempt 1 ended BUSY');
  });

  test('tells that a paused campaign holds it, and not that it goes on by itself', async () => {
    const { on } = bed;
    const { cp_id } = (
      await on.post('CreateCampaign', {
        ...{ name: 'held', datajson: [{ phone: '11987650121' }], text: 'Olá', cp_ativo: 1 },
        ...{ time_start: '00:00', time_end: '23:59', resends: 2, time_resends: 60 },
      })
    ).body.return;
    const read = async () => (await on.post('GetCallStatus', { cp_id })).body.calls[0]?.cd_id as string;
    await expect.poll(read).toBeTruthy();
    const cd_id = await read();
    const told = () => outcomeOf('explain_call', { cd_id });
    await expect.poll(async () => (await told()).explanation.join(' ')).toContain('attempt 1 ended BUSY');
    await on.post('ChangeCampaign', { cp_id, active: 0 });
    const { next, explanation } = await told();
    expect(next).toBe('Activate the campaign with ChangeCampaign, active=1.');
    expect(explanation.join(' ')).toContain(`its campaign ${cp_id} is paused`);
    expect(explanation.join(' ')).not.toContain('goes on by itself');
  });

  test('tells that a number is blocked', async () => {
    await bed.on.admin('POST', `/accounts/${demoAccount}/blocklist`, {
      number: '5511912345678',
      reason: 'asked to',
    });
    const { cd_id, told } = await explained({ dest: '11912345678', text: 'blocked', free: false });
    await bed.on.ended(cd_id);
    expect(await told()).toMatchObject({
      cd_status: 'CANCEL',
      attempts: 0,
      next: 'Do not call this number for it.',
    });
  });

  test('tells of a call of long ago what its record knows', async () => {
    expect(await outcomeOf('explain_call', { cd_id: 'a_3' })).toMatchObject({
      success: true,
      ended: true,
      cd_status: 'OK',
    });
  });

  test('knows nobody else’s calls, and no other machines', async () => {
    for (const [cd_id, token] of [
      ['a_3', bed.stranger],
      ['a_99999', demoToken],
      ['b_3', demoToken],
      ['x', demoToken],
    ] as const)
      expect(await call('explain_call', { cd_id }, token)).toMatchObject({
        success: false,
        status_code: 404,
        error: expect.stringContaining(cd_id),
      });
  });
});

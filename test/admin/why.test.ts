/** Why a number was called, or was not: over the whole service, with what the rules answered then. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toLocal } from '../../src/lib/localTime.ts';
import { aList, anAsset, anId } from '../helpers/campaigns.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';

interface Rule {
  rule: string;
  answer: string;
  says: string;
}

let on: TestService;
let content: string;
let last = 11_940_000_000;
/** Its newest call waits for the hours of its region. */
const waitsForHours = '11939999999';
/** A number that no other test calls; its last two digits say what the sandbox does with it. */
const aNumber = (ending: string): string => String((last += 100) + Number(ending));

const allDay = Object.fromEntries(
  ['weekdays', 'saturdays', 'sundays', 'holidays'].map((day) => [day, ['00:00-24:00']]),
);
/** Hours that are not now. */
const closedNow = () => {
  const hour = Number(toLocal(Date.now(), 'America/Sao_Paulo').time.slice(0, 2));
  const hours = [hour < 12 ? '22:00-23:00' : '02:00-03:00'];
  return Object.fromEntries(Object.keys(allDay).map((day) => [day, hours]));
};
/** Changed, and heard of by the admission, which believes what it read for three seconds. */
const hours = async (calling_windows: object): Promise<void> => {
  await on.admin('PATCH', `/accounts/${demoAccount}`, { calling_windows });
  const may = calling_windows === allDay ? 'now' : 'later';
  const asked = async () => (await why(waitsForHours, `account=${demoAccount}`)).now[0].may;
  await expect.poll(asked).toBe(may);
};

beforeAll(async () => {
  on = await startTestService({ SANDBOX_SPEED: '200' });
  content = await anAsset(on);
  await call(waitsForHours, { bkddd: 2 });
});
afterAll(() => on.stop());
beforeEach(() => hours(allDay));

const call = async (dest: string, given: object = {}): Promise<string> => {
  const { body } = await on.post('MakeTTSCall', { dest, text: 'Oi', httpdup: 0, ...given });
  expect(body.return.status).toBe('OK');
  return body.return.cd_id;
};
const why = async (what: string, query = 'lang=en') =>
  (await on.admin('GET', `/why/${encodeURIComponent(what)}?${query}`)).body;

/** The answer once it says so. */
const told = async (
  what: string,
  ready: (body: { happened: { what: string; rule: string }[] }) => boolean,
): Promise<void> => {
  await expect.poll(async () => ready(await why(what))).toBe(true);
};

const answers = (rules: readonly Rule[]): Record<string, string> =>
  Object.fromEntries(rules.map(({ rule, answer, says }) => [rule, `${answer}: ${says}`]));

describe('a call', () => {
  test('that was made is told with every rule that was asked, and who asked for it', async () => {
    const number = aNumber('99');
    const id = await call(number, { cpid: 'spring', numlim: 3, bkddd: 2 });
    await on.ended(id);
    const { answer, happened, now, region } = await why(number);
    expect(region).toBe('SP');
    expect(answer[0]).toMatch(/^Called once in 30 days, last at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.$/);
    expect(answer[1]).toBe('It may be called now.');
    expect(now).toMatchObject([{ account: demoAccount, may: 'now', blocked: null }]);
    expect(happened).toMatchObject([{ what: 'called', call: id, campaign: null, times: 1 }]);
    expect(happened[0].sentence).toMatch(/^Called, attempt 1\. Its outcome is OK at attempt 1: /);
    const { origin, rules, text } = happened[0].statement;
    expect(origin).toMatch(/^The call was asked for at .* by token \d+.*, for this number alone\.$/);
    expect(answers(rules)).toEqual({
      account: 'yes: active',
      campaign: 'notAsked: the call is one of no campaign',
      list: 'yes: on neither the account’s nor the global one',
      optOut: 'yes: never pressed: that would be on the account’s block list',
      rest: 'yes: not against calls of this campaign',
      calls: 'yes: 0 before this one, limit 3',
      audio: 'notAsked: the call has no such limit',
      window: 'yes: SP, 00:00-24:00: open',
      holiday: expect.stringMatching(/^yes: /),
      other: 'notAsked: asked for campaigns only',
      trunk: 'yes: one may carry it',
      callerId: 'notAsked: the call shows its own, out of no pool',
      line: expect.stringMatching(/^yes: free/),
    });
    expect(text).toContain(`Call to 55${number}`);
    expect(text).toContain(origin);
    expect(text).toContain('- Calls in 30 days: 0 before this one, limit 3');
  });

  test('that was refused by a block list stays explained when the number is taken off it', async () => {
    const number = aNumber('99');
    const entry = { number, reason: 'asked us' };
    await on.admin('POST', `/accounts/${demoAccount}/blocklist`, entry);
    const id = await call(number);
    await on.ended(id);
    const blocked = await why(number);
    expect(blocked.answer).toEqual([
      'Never called.',
      `It is not called: 55${number} is on the account's block list: asked us.`,
    ]);
    expect(blocked.now).toMatchObject([{ may: 'never', rule: 'blocklist', blocked: 'account' }]);
    await on.admin('DELETE', `/accounts/${demoAccount}/blocklist/${number}`);
    const { now, happened } = await why(number);
    expect(now).toMatchObject([{ may: 'now', blocked: null }]);
    expect(happened).toMatchObject([
      { what: 'notCalled', call: id, rule: 'blocklist', ruleName: 'the number is on a block list' },
    ]);
    expect(happened[0].sentence).toBe(`Not called: 55${number} is on the account's block list: asked us.`);
    expect(answers(happened[0].statement.rules)).toMatchObject({
      account: 'yes: active',
      list: 'no: on the account’s block list',
      calls: 'notAsked: not asked any more',
      line: 'notAsked: not asked any more',
    });
    expect((await why(number, 'lang=pt')).happened[0].sentence).toBe(
      `Não chamado: 55${number} está na lista de bloqueio da conta: asked us.`,
    );
  });

  test('that waits for its window says until when, and what the hours are', async () => {
    await hours(closedNow());
    const number = aNumber('99');
    const id = await call(number, { bkddd: 2 });
    await told(number, ({ happened }) => happened.some(({ what }) => what === 'postponed'));
    const { answer, now, happened } = await why(number);
    expect(now).toMatchObject([{ may: 'later', rule: 'window', until: expect.any(Number) }]);
    expect(answer[1]).toMatch(
      /^It is not called before .*: it is outside the calling hours of DDD 11 \(SP\)\.$/,
    );
    expect(happened).toMatchObject([
      { what: 'waiting', call: id, rule: 'window', until: now[0].until },
      { what: 'postponed', call: id, rule: 'window', until: now[0].until },
    ]);
    expect(answers(happened[1].statement.rules)).toMatchObject({
      window: expect.stringMatching(/^no: SP, \d\d:00-\d\d:00: closed at that hour$/),
    });
    // It is told as it was answered, whatever the hours are now.
    await hours(allDay);
    expect((await why(number)).happened[1].statement).toEqual(happened[1].statement);
    await on.admin('POST', `/machines/${id}/events`, { type: 'cancel' });
  });

  test('beyond the limit of its number is told with the count', async () => {
    const number = aNumber('99');
    const limited = { cpid: 'autumn', numlim: 1 };
    await on.ended(await call(number, limited));
    const second = await call(number, limited);
    await on.ended(second);
    const { now, happened } = await why(number);
    expect(happened).toMatchObject([{ what: 'notCalled', call: second, rule: 'numlim' }, { what: 'called' }]);
    expect(happened[0].sentence).toContain('has had its 1 calls of campaign autumn in 30 days');
    expect(answers(happened[0].statement.rules)['calls']).toBe('no: 1 before this one, limit 1');
    expect(now).toMatchObject([{ may: 'never', rule: 'numlim' }]);
  });

  test('that was tried again has an entry for each attempt', async () => {
    const number = aNumber('01');
    const id = await call(number, { repeat: '2|60' });
    const state = async () => (await on.admin('GET', `/machines/${id}`)).body.state;
    await expect.poll(state).toBe('retrying');
    expect((await why(number)).happened).toMatchObject([
      { what: 'waiting', rule: 'retry', until: expect.any(Number) },
      { what: 'called', rule: 'busy' },
    ]);
    await on.admin('POST', `/machines/${id}/events`, { type: 'retryNow' });
    await on.ended(id);
    const { answer, happened } = await why(number);
    expect(answer[0]).toMatch(/^Called once/);
    const dials = happened.filter(({ what }: { what: string }) => what === 'called');
    expect(dials.map(({ sentence }: { sentence: string }) => sentence.slice(0, 40))).toEqual([
      expect.stringMatching(/^Called, attempt 2\. Its outcome is BUSY/),
      expect.stringMatching(/^Called, attempt 1\. Its outcome is BUSY/),
    ]);
  });

  test('is found by its cd_id and its ctid as well', async () => {
    const number = aNumber('99');
    const id = await call(number, { ctid: `order ${number}` });
    await on.ended(id);
    expect(await why(id)).toMatchObject({ number: `55${number}`, call: id, happened: [{ call: id }] });
    expect(await why(`order ${number}`)).toMatchObject({ number: `55${number}`, call: id });
    expect((await on.admin('GET', '/why/a_17')).http).toBe(404);
  });

  test('and a masked one, copied from a page, is refused with what to do instead', async () => {
    const { http, body } = await on.admin('GET', `/why/${encodeURIComponent('5511•••••4321')}`);
    expect([http, body.error]).toEqual([
      404,
      expect.stringContaining('5511•••••4321 hides digits of its number: open'),
    ]);
  });
});

describe('a record of a campaign', () => {
  const campaign = async (list: number, given: object = {}): Promise<string> => {
    const name = `campaign ${anId()}`;
    const { body } = await on.post('CreateCampaign', { name, cdlc_id: list, content, ...given });
    expect(body.return.status).toBe('OK');
    return body.return.cp_id;
  };

  test('that is called says which row of which list it was, who uploaded it and created the campaign', async () => {
    const number = aNumber('99');
    const upload = new FormData();
    const rows = `phone;name\n${aNumber('99')};Bia\n${number};Ana\n`;
    upload.set('tsid', 'DEMO0token0DEMO0token0DEMO0tok');
    upload.set('anything', new File([rows], 'debtors.csv'));
    const { body } = await on.post('CreateDestinationBase', upload);
    expect(body.return.status).toBe('OK');
    const id = await campaign(Number(body.return.cdlc_id), { cp_ativo: 1 });
    await told(number, ({ happened }) => happened.some(({ what }) => what === 'called'));
    const { happened } = await why(number);
    const called = happened.find(({ what }: { what: string }) => what === 'called');
    expect(called.campaign.id).toBe(Number(id));
    expect(called.sentence).toMatch(/^Called by campaign \d+, attempt 1\./);
    expect(called.statement.origin).toMatch(
      /^The number stood in row \d of debtors\.csv, uploaded at .* by token \d+.*, for the campaign campaign \d+, created at .* by token \d+.*\.$/,
    );
    expect(answers(called.statement.rules)).toMatchObject({
      campaign: 'yes: active; attempt 1 granted',
      rest: 'yes: not against calls of this campaign',
      window: 'yes: SP, 00:00-24:00: open',
      other: 'yes: none going on',
    });
  });

  test('is called outside of a window that its campaign does not keep, and is told so', async () => {
    await on.admin('PATCH', `/accounts/${demoAccount}`, { campaign_windows: false });
    await hours(closedNow());
    const number = aNumber('99');
    await campaign(await aList(on, { numbers: [`55${number}`] }), { cp_ativo: 1 });
    await told(number, ({ happened }) => happened.some(({ what }) => what === 'called'));
    const { happened } = await why(number);
    const called = happened.find(({ what }: { what: string }) => what === 'called');
    expect(answers(called.statement.rules)['window']).toMatch(
      /^notAsked: SP, .*: closed at that hour; it does not apply: the campaign keeps its own hours$/,
    );
    await on.admin('PATCH', `/accounts/${demoAccount}`, { campaign_windows: true });
  });

  test('waits while the campaign is paused, and its duplicate was left out', async () => {
    const number = aNumber('99');
    const list = await aList(on, { numbers: [`55${number}`, `55${number}`] });
    const id = await campaign(list, { cp_ativo: 0 });
    await expect
      .poll(async () => (await why(number)).happened.map(({ what }: { what: string }) => what))
      .toEqual(['waiting', 'leftOut']);
    const { answer, happened, now } = await why(number);
    expect(happened).toMatchObject([
      { rule: 'paused', campaign: { id: Number(id) }, call: null },
      { rule: 'skipped:duplicate', campaign: { id: Number(id) } },
    ]);
    expect(happened[0].sentence).toMatch(/^Waits in the list of campaign \d+: the campaign is paused/);
    expect(happened[1].sentence).toMatch(
      /^Left out of campaign \d+: the number stands before in the list\.$/,
    );
    expect(now).toMatchObject([{ may: 'never', rule: 'paused' }]);
    expect(answer[0]).toBe('Never called.');
    const waiting = `/accounts/${demoAccount}/campaigns/${id}/waiting?lang=en`;
    expect((await on.admin('GET', waiting)).body).toMatchObject({
      ...{ destinations: 1, ended: 0, under_way: 0, uncounted: false },
      waiting: [{ what: 'row', reason: 'paused', count: 1 }],
      left_out: [{ reason: 'duplicate', count: 1 }],
    });
  });

  test('is postponed while another call to the number goes on', async () => {
    const number = aNumber('99');
    await on.database.pool.query(
      `INSERT INTO claims (account_id, key, until, owner) VALUES ($1, $2, $3, '17')`,
      [demoAccount, `live:55${number}`, Date.now() + 3_600_000],
    );
    const id = await campaign(await aList(on, { numbers: [`55${number}`] }), { cp_ativo: 1 });
    await told(number, ({ happened }) => happened.some(({ rule }) => rule === 'busyNumber'));
    const { happened } = await why(number);
    expect(happened).toMatchObject([
      { what: 'waiting', rule: 'busyNumber' },
      {
        what: 'postponed',
        rule: 'busyNumber',
        sentence:
          'Not called at that moment: another call to the same number was going on. It was asked again.',
      },
    ]);
    const waiting = `/accounts/${demoAccount}/campaigns/${id}/waiting?lang=pt`;
    expect((await on.admin('GET', waiting)).body.waiting).toMatchObject([
      {
        what: 'call',
        reason: 'busyNumber',
        name: 'outra chamada para o mesmo número está em curso',
        ...{ count: 1, until: expect.any(Number) },
      },
    ]);
  });
});

describe('who asks', () => {
  test('a number that was never called and is on a block list is told whose list has it', async () => {
    const number = aNumber('99');
    await on.admin('POST', `/accounts/${demoAccount}/blocklist`, { number, reason: 'asked us' });
    const never = `It is not called: 55${number} is on the account's block list: asked us.`;
    expect(await why(number)).toMatchObject({
      answer: ['Never called.', never],
      now: [{ account: demoAccount, may: 'never', blocked: 'account' }],
      happened: [],
    });
  });

  test('a number that nothing is known of says so', async () => {
    const number = aNumber('99');
    const known = { number: `55${number}`, answer: ['Nothing is known of this number.'], now: [] };
    expect(await why(number)).toMatchObject({ ...known, happened: [], cursor: null });
    // Of an account it is said whether it may call all the same.
    expect(await why(number, `lang=en&account=${demoAccount}`)).toMatchObject({
      answer: ['Never called.', 'It may be called now.'],
    });
  });

  test('an account is told only of its own calls, and none other is asked', async () => {
    const { body: stranger } = await on.admin('POST', '/accounts', { name: 'Stranger' });
    const number = aNumber('99');
    await on.ended(await call(number));
    expect(await why(number, `account=${stranger.cdcs_id}`)).toMatchObject({
      happened: [],
      accounts: { [stranger.cdcs_id]: 'Stranger' },
    });
    expect((await on.admin('GET', `/why/${number}?account=999999`)).http).toBe(404);
  });

  test('calls come in pages, and none is told twice', async () => {
    const number = aNumber('99');
    const calls = await Promise.all(Array.from({ length: 23 }, () => call(number)));
    await Promise.all(calls.map((id) => on.ended(id)));
    const first = await why(number);
    const rest = await why(number, `cursor=${first.cursor}`);
    const told = [...first.happened, ...rest.happened].map((one: { call: string }) => one.call);
    expect([first.happened.length, rest.happened.length, rest.cursor]).toEqual([20, 3, null]);
    expect(new Set(told)).toEqual(new Set(calls));
  });

  test('an operator may read it, and no one without a key', async () => {
    const { body } = await on.admin('POST', '/operators', { name: 'Ana', role: 'operator' });
    const headers = { authorization: `Bearer ${body.key}` };
    expect((await on.admin('GET', '/why/11987650000', undefined, headers)).http).toBe(200);
    expect((await on.admin('GET', '/why/11987650000', undefined, {})).http).toBe(401);
  });
});

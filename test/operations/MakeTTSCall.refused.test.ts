/** Calls that cannot be placed as they were asked for. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstIdAt } from '../../src/engine/contract/idGenerator.ts';
import { type MachineEngine, Unavailable } from '../../src/engine/contract/api.ts';
import { MakeTTSCallOperation } from '../../src/operations/voice/MakeTTSCall.ts';
import { runOperation } from '../../src/operations/run.ts';
import type { Services } from '../../src/operations/services.ts';
import { toLocal } from '../../src/lib/localTime.ts';
import { ControlDatabase } from '../../src/store/controlDatabase.ts';
import { demoAccount, demoToken, startTestService, type TestService } from '../helpers/service.ts';
import { aMediaFile, askedCalls, dest } from './askedCalls.ts';
import type { ParamDeclarations } from '../../src/operations/param.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

const { ask, born, refused, withAccount } = askedCalls(() => on);

test('blanks around a word, a flag, a number or a key do not count', async () => {
  const padded = { type: ' 2 ', dtmfconf: ' 5 ', fifo: ' 1 ', dtime: ' 9 ' };
  expect(await born(padded)).toMatchObject({
    mode: 'confirm',
    waitInLine: true,
    digits: { confirm: '5', waitSeconds: 9 },
  });
  expect(await refused({ dtmfconf: '55' })).toEqual([400, '299', 'dtmfconf must be at most 1 character']);
  expect(await refused({ fifo: '2' })).toEqual([400, '299', 'fifo must be 0 or 1']);
  expect(await refused({ fifo: true })).toEqual([400, '299', 'fifo must be 0 or 1']);
});

describe('refusals', () => {
  test('[4.2/rule] [7/201] something must be said', async () => {
    const asked = async (given: object) =>
      (await on.post('MakeTTSCall', { dest, ...given })).body.return.status_code;
    expect(await asked({})).toBe('201');
    expect(await asked({ content1: 'x' })).toBe('201');
    expect(await asked({ text: ' \n', nome: '  ', content: '' })).toBe('201');
    expect(await asked({ text11: 'x' })).toBe('0');
    expect(await asked({ nome: 'Ana' })).toBe('0');
    expect(await asked({ extra4: 'x' })).toBe('0');
    expect(await asked({ cod_cli: 'x' })).toBe('0');
  });

  test('[4.2/failure] [7/203] a destination that is none', async () => {
    expect(await refused({ dest: 'letters' })).toEqual([400, '203', expect.any(String)]);
    expect(await refused({ dest: '' })).toEqual([400, '203', 'dest is missing']);
    expect(await refused({ dest: '1012345678' })).toEqual([400, '203', expect.any(String)]);
    expect(await refused({ dest: 'letters'.repeat(10) })).toEqual([400, '203', expect.any(String)]);
    expect(await refused({ dest: [dest] })).toEqual([400, '203', 'dest must be text']);
    expect(await refused({ dest: 1.5 })).toEqual([400, '203', 'dest must be text']);
  });

  test('[7/204] audio that is not the account’s', async () => {
    expect(await refused({ content: 'nobody' })).toMatchObject([
      400,
      '204',
      expect.stringContaining('content'),
    ]);
    expect(await refused({ amd: 'nobody' })).toMatchObject([400, '204', expect.stringContaining('amd')]);
    expect(await refused({ content: 'x'.repeat(500) })).toEqual([400, '204', expect.any(String)]);
    expect(await refused({ content15: {} })).toEqual([400, '204', expect.any(String)]);
    await aMediaFile(on, 'gone', Date.now() - 1000);
    expect(await refused({ contentend: 'gone' })).toEqual([400, '204', expect.any(String)]);
  });

  test('[7/220] a ctid is used once where the account wants it', async () => {
    expect((await ask({ ctid: 'old' })).body.return.status).toBe('OK');
    await withAccount({ cdcs_uni_ctid: 1 }, { cdcs_uni_ctid: 0 }, async () => {
      expect((await ask({ ctid: 'once' })).body.return.status).toBe('OK');
      expect(await refused({ ctid: 'once' })).toEqual([400, '220', expect.any(String)]);
      expect(await refused({ ctid: 'old' })).toEqual([400, '220', expect.any(String)]);
      const many = await Promise.all(Array.from({ length: 8 }, () => ask({ ctid: 'race' })));
      expect(many.filter(({ body }) => body.return.status === 'OK')).toHaveLength(1);
    });
    expect((await ask({ ctid: 'once' })).body.return.status).toBe('OK');
  });

  test('[7/230] outside the regional window bkddd=1 refuses, and says until when', async () => {
    const hour = (Number(toLocal(Date.now(), 'America/Sao_Paulo').time.slice(0, 2)) + 12) % 24;
    const range = [`${String(hour).padStart(2, '0')}:00-${String(hour).padStart(2, '0')}:30`];
    const windows = { weekdays: range, saturdays: range, sundays: range, holidays: range };
    await withAccount({ calling_windows: windows }, { calling_windows: null }, async () => {
      expect(await refused({ bkddd: 1 })).toMatchObject([400, '230', expect.stringContaining('opens')]);
      expect((await ask({ bkddd: 0 })).body.return.status).toBe('OK');
      expect((await ask({ bkddd: 1, dest: '08001234567' })).body.return.status).toBe('OK');
    });
  });

  test('[4.2/httpdup] [7/244] the same call within the window', async () => {
    const same = { dest: '11987650010', text: 'the same' };
    expect((await ask(same)).body.return.status).toBe('OK');
    expect(await refused(same)).toEqual([400, '244', expect.any(String)]);
    expect(await refused({ ...same, dest: '+55 (11) 98765-0010' })).toEqual([400, '244', expect.any(String)]);
    expect((await ask({ ...same, nome: 'Ana' })).body.return.status).toBe('OK');
    expect((await ask({ ...same, httpdup: 0 })).body.return.status).toBe('OK');
    expect(await refused({ ...same, httpdup: 601 })).toMatchObject([
      400,
      '299',
      expect.stringContaining('httpdup'),
    ]);
    expect(await refused({ ...same, httpdup: -1 })).toEqual([400, '299', expect.any(String)]);
    expect((await ask({ text: 'short window', httpdup: 1 })).body.return.status).toBe('OK');
    const until = await on.database.pool.query<{ until: number }>(
      `SELECT until FROM claims WHERE key LIKE 'duplicate:%' ORDER BY until`,
    );
    expect(Math.max(...until.rows.map((row) => row.until))).toBeLessThanOrEqual(Date.now() + 10_500);
  });

  test('[7/290] type 100 needs an active agent', async () => {
    expect(await refused({ type: 100 })).toEqual([400, '290', expect.any(String)]);
    expect(await refused({ type: 100, dtmfini: '99999' })).toEqual([400, '290', expect.any(String)]);
    expect(await refused({ type: 100, dtmfini: 'ana' })).toEqual([400, '290', expect.any(String)]);
    expect(await refused({ type: 100, dtmfini: '9'.repeat(30) })).toEqual([400, '290', expect.any(String)]);
    const path = `/accounts/${demoAccount}/agents`;
    const agent = (await on.admin('POST', path, { kind: 'sip', target: 'sip:ana@example.com' })).body;
    expect(await born({ type: 100, dtmfini: agent.ccba_id })).toMatchObject({
      mode: 'agent',
      transfer: { kind: 'agent', agent: agent.ccba_id },
    });
    await on.admin('PATCH', `${path}/${agent.ccba_id}`, { active: false });
    expect(await refused({ type: 100, dtmfini: agent.ccba_id })).toEqual([400, '290', expect.any(String)]);
  });

  test('[7/301] [7/302] [7/304] [7/305] a follow-up that is not whole', async () => {
    expect(await refused({ sms_text: 'x' })).toEqual([400, '301', expect.any(String)]);
    expect(await refused({ sms_dtmf: '1' })).toEqual([400, '301', expect.any(String)]);
    expect(await refused({ sms_action: 'ok' })).toEqual([400, '302', expect.any(String)]);
    expect(await refused({ sms_action: 'ok', sms_text: '  ' })).toEqual([400, '302', expect.any(String)]);
    expect(await refused({ sms_action: 'ok', sms_text: '<NOME>' })).toEqual([
      400,
      '302',
      'sms_text says nothing once it is filled in',
    ]);
    expect(await refused({ sms_action: 'ok', sms_text: '<NOME>', nome: 'x'.repeat(161) })).toEqual([
      400,
      '305',
      'sms_text must be at most 160 characters once it is filled in',
    ]);
    expect(await refused({ sms_action: 'never', sms_text: 'x' })).toEqual([400, '304', expect.any(String)]);
    expect(await refused({ sms_action: 'ok', sms_text: 'x'.repeat(161) })).toEqual([
      400,
      '305',
      expect.any(String),
    ]);
    expect(await refused({ sms_action: 'ok', sms_text: 'x'.repeat(100_000) })).toEqual([
      400,
      '305',
      expect.any(String),
    ]);
    expect(await refused({ sms_action: 'x'.repeat(500), sms_text: 'x' })).toEqual([
      400,
      '304',
      expect.any(String),
    ]);
    expect(await refused({ sms_action: {}, sms_text: 'x' })).toEqual([400, '304', expect.any(String)]);
  });

  test('a parameter with a code of its own names one that is declared', () => {
    const named = Object.values(MakeTTSCallOperation.params as ParamDeclarations).flatMap(
      ({ refusedAs }) => refusedAs ?? [],
    );
    expect(named.length).toBeGreaterThan(0);
    for (const word of named) expect(Object.keys(MakeTTSCallOperation.errors)).toContain(word);
  });

  test.each([
    ['ndig', 0],
    ['ndig', 21],
    ['dtime', 0],
    ['dtime', 61],
    ['fifo', 2],
    ['fifolim', 0],
    ['fifolim', 3601],
    ['senddtmf', 'x'],
    ['senddtmftime', 61],
    ['rec', -1],
    ['rec', 7201],
    ['startrec', 'later'],
    ['ringtime', 0],
    ['ringtime', 181],
    ['timelimit', 0],
    ['timelimit', 14_401],
    ['answer', -1],
    ['answer', 121],
    ['free', 3],
    ['moh', 0],
    ['moh', 4],
    ['numlim', 1001],
    ['audiolim', -1],
    ['bkddd', 3],
    ['setbrasil', 2],
    ['text', 'x'.repeat(5001)],
    ['ctid', 'x'.repeat(65)],
    ['cpid', 'x'.repeat(65)],
    ['sms_dtmf', '12'],
    ['dtmfini', 'x'],
    ['dtmfini', '12'],
    ['priority', 101],
    ['text', { a: 1 }],
    ['ringtime', '12.5'],
    ['ringtime', true],
    ['text', 'a\u0000b'],
    ['nome', '\ud800'],
  ])('[7/299] %s of the wrong sort is refused by name', async (parameter, value) => {
    expect(await refused({ [parameter]: value })).toMatchObject([
      400,
      '299',
      expect.stringContaining(parameter),
    ]);
  });

  test('nothing is written for a refusal', async () => {
    const count = async () =>
      (
        await on.database.pool.query<{ n: number }>(
          'SELECT (SELECT count(*) FROM machines)::int + (SELECT count(*) FROM claims)::int AS n',
        )
      ).rows[0]!.n;
    const before = await count();
    for (const given of [
      { dest: 'x' },
      { text: '' },
      { sms_text: 'x' },
      { ringtime: 999 },
      { content: 'nobody' },
    ])
      await refused(given);
    expect(await count()).toBe(before);
  });
});

describe('bad days', () => {
  /** The operation itself, with an engine that differs in one verb. */
  const withEngine = async (verbs: Partial<MachineEngine>, given: object) => {
    const { engine } = on.service;
    const at: MachineEngine = {
      accepting: true,
      start: (request) => engine.start(request),
      send: (ref, event) => engine.send(ref, event),
      keep: (shard, records) => engine.keep(shard, records),
      waitFor: (ref, milestone, ms) => engine.waitFor(ref, milestone, ms),
      mintId: (shard) => engine.mintId(shard),
      now: (shard) => engine.now(shard),
      isOpen: (shard) => engine.isOpen(shard),
      reopenedAt: (shard) => engine.reopenedAt(shard),
      standsOpen: (shard) => engine.standsOpen(shard),
      isClosed: (shard) => engine.isClosed(shard),
      view: (ref) => engine.view(ref),
      history: (ref, after, limit) => engine.history(ref, after, limit),
      orderEffect: (ref, effect, order) => engine.orderEffect(ref, effect, order),
      operatorEvents: (kind) => engine.operatorEvents(kind),
      stop: () => engine.stop(),
      ...verbs,
    };
    const control = new ControlDatabase(on.database.prisma, () => Date.now());
    const owner = (await control.tokenOwner(demoToken))!;
    const services: Services = {
      engine: at,
      database: () => on.database.pool,
      longReads: () => on.database.pool,
      payersOf: (account) => Promise.resolve([account]),
      chat: {
        line: () => Promise.resolve(undefined),
        graph: { ask: () => Promise.resolve({ outcome: 'unreachable', text: 'no upstream here' }) },
        hasSandbox: false,
      },
      callsInSandbox: true,
      isTrunk: () => false,
      isShownNowhere: () => false,
      isBlockedForAll: () => Promise.resolve(false),
      firstIdAt,
      voicesOf: () => Promise.resolve([]),
      voiceNamed: () => Promise.resolve('Espeak|pt-br'),
      cannotSpeak: undefined,
      speak: () => Promise.resolve({ outcome: 'away', why: 'nobody speaks here' }),
      audio: {
        newId: () => Promise.resolve(1),
        make: () => Promise.resolve({ outcome: 'away', text: 'nobody makes sound here' }),
        forget: () => Promise.resolve(),
      },
      lists: {
        maxRecords: 1,
        newId: () => Promise.resolve(1),
        load: () => Promise.reject(new Error('no lists here')),
      },
      download: () => Promise.resolve({ outcome: 'refused', why: 'is not fetched here' }),
      newMachineId: () => Promise.resolve(1),
      agentIsActive: () => Promise.resolve(true),
      mediaUrl: (account, media) => `/media/${account}/${media}`,
      callbacks: { sealLogin: () => '' },
      readTarget: () => ({ refused: 'is not called here' }),
      log: { error: () => {} },
    };
    return runOperation(
      MakeTTSCallOperation,
      { ...owner, provided: { dest, text: 'Olá', ...given } },
      services,
    );
  };

  test('[7/250] a call that cannot be started says why', async () => {
    const answer = await withEngine({ start: () => Promise.reject(new Error('the chart threw')) }, {});
    expect(answer).toEqual({
      http: 400,
      body: {
        return: {
          status: 'call placement failed',
          status_code: '250',
          cd_id: '0',
          errodet: 'the chart threw',
        },
      },
    });
  });

  test('[7/260] audio that cannot be made', async () => {
    const waitFor: MachineEngine['waitFor'] = (_ref, milestone) =>
      Promise.resolve(milestone === 'refused' ? 'reached' : 'ended');
    const answer = await withEngine({ waitFor }, { priority: -20 });
    expect(answer).toMatchObject({ http: 400, body: { return: { status_code: '260', cd_id: '0' } } });
  });

  test('a call that ended before its audio was made, and keeps its claims, was accepted', async () => {
    const waitFor: MachineEngine['waitFor'] = () => Promise.resolve('ended');
    const answer = await withEngine({ waitFor }, { priority: -20, httpdup: 0 });
    const warning = expect.stringContaining('ended before its audio was made') as string;
    expect(answer).toMatchObject({ http: 200, body: { return: { status_code: '0', warning } } });
  });

  test('a long queue is no refusal: come back later', async () => {
    const busy = withEngine({ start: () => Promise.reject(new Unavailable('too many starts', 3)) }, {});
    await expect(busy).rejects.toMatchObject({ retryAfterSeconds: 3 });
  });
});

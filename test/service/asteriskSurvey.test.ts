/** Questions and validations on a real Asterisk, answered with digits that the SIP side presses (cp_type 4 and 6). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallInput } from '../../machines/call/input.ts';
import { startService, type StartedService } from '../../src/compose/service.ts';
import { readConfig } from '../../src/config.ts';
import { openLog } from '../../src/log.ts';
import { lacking, startBed, type Bed } from '../asterisk/bed.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';
import { aCall, text } from '../machines/calls.ts';
import { aDataDir, freePort } from './service.ts';
import { passes } from '../helpers/milestones.ts';

const absent = lacking();
const account = 3;
let dialled = 100;
/** A mobile number of its own with this ending. */
const ending = (digits: string): string => `551198${String(10_000 + dialled++)}${digits}`;

describe.skipIf(absent !== undefined)(`questions on a real Asterisk${absent ? ` (${absent})` : ''}`, () => {
  const folder = aDataDir();
  let bed: Bed;
  let database: TestDatabase;
  let service: StartedService;

  beforeAll(async () => {
    [bed, database] = await Promise.all([startBed(4), freshDatabase()]);
    const port = await freePort();
    const config = readConfig({
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_URL: database.url,
      DATA_DIR: folder.path,
      CARRIER: 'asterisk',
      ARI_URL: `${bed.login.url}/ari`,
      ARI_USER: bed.login.user,
      ARI_PASSWORD: bed.login.password,
      NODE_NAME: 'survey-test',
    });
    service = await startService(config, openLog('silent'));
  });
  afterAll(async () => {
    await service?.stop();
    await bed?.stop();
    await database?.drop();
    folder.remove();
  });

  /** Places the call, and answers its record and the cues it heard once it has ended. */
  const placed = async (
    changes: Parameters<typeof aCall>[0],
  ): Promise<{ record: Record<string, unknown>; states: string[] }> => {
    const input: CallInput = aCall({
      ringSeconds: 10,
      limitSeconds: 40,
      requestedAt: Date.now(),
      ...changes,
    });
    const started = await service.engine.start({ kind: 'call', shard: 'a', account, input });
    if (started.outcome !== 'started') throw new Error(started.outcome);
    const { ref } = started;
    await passes(service.engine, ref, 'ended');
    const found = await database.pool.query<Record<string, unknown>>(
      'SELECT * FROM calls WHERE account_id = $1 AND id = $2',
      [account, ref.id],
    );
    const history = await service.engine.history(ref, -1, 100);
    return { record: found.rows[0]!, states: history.map(({ state }) => state) };
  };

  it('asks twice, replies to the first answer by its digit, and keeps both', async () => {
    const { record, states } = await placed({
      mode: 'question',
      destination: ending('72'),
      prompts: {
        opening: [text('How many stars?')],
        slots: { 5: text('Five, thank you.') },
        ending: text('Goodbye.'),
      },
      digits: { count: 1, waitSeconds: 8 },
      secondAnswer: 1,
    });
    expect(record).toMatchObject({ status: 'OK', reason: 'completed', response_1: '5', response_2: '5' });
    expect(states).toContain('answered.survey.replying');
    expect(states).toContain('answered.ending');
  });

  it('confirms, compares the digits with the end of the value, and hands over', async () => {
    const { record, states } = await placed({
      mode: 'validate',
      destination: ending('71'),
      prompts: {
        opening: [text('Is it you?')],
        slots: {},
        validate: { ask: text('Your code?'), match: text('Right.') },
        beforeTransfer: text('One moment.'),
        ending: text('Goodbye.'),
      },
      digits: { count: 1, waitSeconds: 10 },
      validation: { confirm: '1', digits: 3, expected: '123.456' },
      transfer: { kind: 'number', number: ending('30') },
      limitSeconds: 20,
    });
    expect(record).toMatchObject({ status: 'OK', reason: 'transferred', response_1: '1', response_2: '456' });
    expect(states).toContain('answered.survey.announcing');
    expect(states).toContain('answered.talking.steady');
  });

  it('refuses wrong digits twice and says goodbye', async () => {
    const { record, states } = await placed({
      mode: 'validate',
      destination: ending('72'),
      prompts: {
        opening: [text('Is it you?')],
        slots: {},
        wrong: text('No.'),
        validate: { ask: text('Your code?') },
        ending: text('Goodbye.'),
      },
      digits: { count: 1, waitSeconds: 10 },
      validation: { confirm: '5', digits: 1, expected: '678' },
    });
    expect(record).toMatchObject({
      status: 'OK',
      reason: 'notValidated',
      response_1: '5',
      response_2: '5',
      response_3: '5',
    });
    expect(states.filter((state) => state === 'answered.correcting').length).toBeGreaterThanOrEqual(2);
    expect(states).not.toContain('answered.survey.praising');
  });

  it('waits once more for an answer that never comes', async () => {
    const { record, states } = await placed({
      mode: 'question',
      destination: ending('00'),
      prompts: { opening: [text('How many stars?')], slots: {}, noDigit: text('Please answer.') },
      digits: { count: 1, waitSeconds: 4 },
    });
    expect(record).toMatchObject({ status: 'OK', reason: 'noAnswerByKey', response_1: '' });
    expect(states).toContain('answered.correcting');
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SecondLegTarget } from '../../../machines/call/input.ts';
import { Retryable } from '../../../src/engine/contract/performer.ts';
import type { AgentAndQueueStatusRepository } from '../../../src/providers/contracts/target.ts';
import { openSecondLegDestinationResolver } from '../../../src/providers/target/secondLegDestinationResolver.ts';
import type { SecondLegObjection } from '../../../src/providers/target/secondLegCostObjection.ts';
import { findAgentActiveFlag, findQueueActiveFlag } from '../../../src/store/reads/voice/targets.ts';
import { freshDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
  await database.pool.query(`INSERT INTO agents (account_id, id, name, kind, target, active, created_at)
    VALUES (7, 1, 'Ana', 'sip', 'sip:ana@x', true, 0), (7, 2, 'Bia', 'sip', 'sip:bia@x', false, 0),
           (8, 3, 'Caio', 'sip', 'sip:caio@x', true, 0)`);
  await database.pool.query(`INSERT INTO queues (account_id, id, name, active, created_at)
    VALUES (7, 11, 'Sales', true, 0), (7, 12, 'Old', false, 0)`);
});
afterAll(() => database.drop());

interface Options {
  chatTrunk?: boolean;
  repository?: AgentAndQueueStatusRepository;
  question?: number;
  toll?: SecondLegObjection;
}

const resolve = async (target: SecondLegTarget, options: Options = {}) => {
  const repository: AgentAndQueueStatusRepository = options.repository ?? {
    agentActive: ({ account }, agent) => findAgentActiveFlag(database.pool, account, agent),
    queueActive: ({ account }, queue) => findQueueActiveFlag(database.pool, account, queue),
  };
  const resolver = openSecondLegDestinationResolver({
    ...{ repository, chatTrunk: options.chatTrunk ?? false },
    secondLegObjection: async () => options.toll,
  });
  const done = await resolver.performers.resolveTarget({
    id: 'a.7.5.1.0',
    name: 'resolveTarget',
    params: { target, ...(options.question !== undefined && { question: options.question }) },
    machine: { shard: 'a', account: 7, id: 5, kind: 'call' },
    attempt: 1,
    seen: {},
    signal: new AbortController().signal,
  });
  return done?.events?.[0];
};

describe('the target resolver', () => {
  it('rings a number', async () => {
    expect(await resolve({ kind: 'number', number: '551132654321' })).toEqual({
      type: 'targetResolved',
      how: 'endpoint',
      endpoint: { kind: 'number', number: '551132654321' },
    });
  });

  it('rings no number that is closed to the account or its trunk', async () => {
    const toll = { reason: 'targetClosed' as const, detail: 'account 7 calls no numbers like 551132654321' };
    expect(await resolve({ kind: 'number', number: '551132654321' }, { toll })).toEqual({
      ...{ type: 'targetRefused', ...toll },
    });
  });

  it('names the question it answers', async () => {
    const answer = await resolve({ kind: 'number', number: '551132654321' }, { question: 2 });
    expect(answer).toMatchObject({ type: 'targetResolved', question: 2 });
  });

  it('rings a chat number when there is a trunk for it', async () => {
    const target: SecondLegTarget = { kind: 'chat', number: '5511987654321' };
    expect(await resolve(target, { chatTrunk: true })).toMatchObject({
      how: 'endpoint',
      endpoint: { kind: 'chat', number: '5511987654321' },
    });
    expect(await resolve(target)).toMatchObject({ type: 'targetRefused', reason: 'noTrunk' });
  });

  it('asks the line of an active agent or queue', async () => {
    expect(await resolve({ kind: 'agent', agent: 1 })).toEqual({
      type: 'targetResolved',
      how: 'line',
      line: 1,
    });
    expect(await resolve({ kind: 'queue', queue: 11 })).toEqual({
      type: 'targetResolved',
      how: 'line',
      line: 11,
    });
  });

  it.each([
    [{ kind: 'agent', agent: 2 } as const, 'agentInactive', 'agent 2 is not active'],
    [{ kind: 'agent', agent: 99 } as const, 'noAgent', 'there is no agent 99'],
    [{ kind: 'queue', queue: 12 } as const, 'queueInactive', 'queue 12 is not active'],
    [{ kind: 'queue', queue: 99 } as const, 'noQueue', 'there is no queue 99'],
  ])('refuses %j', async (target, reason, detail) => {
    expect(await resolve(target)).toEqual({ type: 'targetRefused', reason, detail });
  });

  it("does not know another account's agents", async () => {
    expect(await resolve({ kind: 'agent', agent: 3 })).toMatchObject({ reason: 'noAgent' });
  });

  it('is asked again when the database is away', async () => {
    const away = () => Promise.reject(new Error('connection refused'));
    const repository = { agentActive: away, queueActive: away };
    await expect(resolve({ kind: 'agent', agent: 1 }, { repository })).rejects.toThrow(Retryable);
  });
});

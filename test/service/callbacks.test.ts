/** Status callbacks of a whole service, to a real receiver: each event once told, in order, the final one always. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MakeTTSCallParams } from '../../packages/client/src/index.ts';
import { numbersEnding, putList } from '../campaigns/lists.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';
import { type Receiver, startReceiver } from '../helpers/receiver.ts';
import { demoAccount } from '../helpers/service.ts';
import { aDataDir, type RunningService, startService } from './service.ts';
import { until } from '../helpers/patience.ts';

const account = `/accounts/${demoAccount}`;
const endings = ['00', '01', '02', '03', '11', '07'];
const CALLS = Number(process.env['CALLBACK_CALLS'] ?? 240);

// oxlint-disable-next-line typescript/no-explicit-any -- bodies are compared with literals, key by key
type Event = any;

/** What was heard of each call or message, each event once, in the order in which the first copies came. */
const eventsOf = ({ heard }: Receiver): Map<string, Event[]> => {
  const seen = new Set<string>();
  const events = new Map<string, Event[]>();
  for (const { headers, body } of heard) {
    const id = String(headers['webhook-id']);
    if (seen.has(id)) continue;
    seen.add(id);
    const event: Event = JSON.parse(body);
    const about = String(event.cdls_id ?? event.cd_id);
    events.set(about, [...(events.get(about) ?? []), event]);
  }
  return events;
};

describe('status callbacks', () => {
  const folder = aDataDir();
  let database: TestDatabase;
  let receiver: Receiver;
  let service: RunningService;
  const start = async (): Promise<void> => {
    service = await startService({
      databaseUrl: database.url,
      dataDir: folder.path,
      env: { SANDBOX_SPEED: '20', ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' },
    });
  };
  beforeAll(async () => {
    database = await freshDatabase();
    receiver = await startReceiver();
    await start();
  });
  afterAll(async () => {
    await service.kill();
    receiver.close();
    await database.drop();
    folder.remove();
  });

  const named = (about: string): string[] =>
    (eventsOf(receiver).get(about) ?? []).map(({ event }: { event: string }) => event);
  const hasFinal = (events: Event[]): boolean => events.some(({ final }) => final);
  const isOver = (about: string): boolean => hasFinal(eventsOf(receiver).get(about) ?? []);

  const call = async (given: MakeTTSCallParams): Promise<string> => {
    const placed = await service.ramal.makeTTSCall({ text: 'Press a key.', httpdup: 0, ...given });
    return placed.return.cd_id;
  };

  it('a call tells each of its events, the last with its whole record', async () => {
    const wish = { rurl: receiver.url, rurl_events: 'all', type: '3', ctid: 'order-17' } as const;
    const id = await call({ ...wish, dest: '11987650011' });
    await until(() => isOver(id));
    expect(named(id)).toEqual(['queued', 'dialing', 'ringing', 'answered', 'dtmf', 'completed']);
    const events = eventsOf(receiver).get(id)!;
    expect(events.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    const record = (await service.ramal.getCallStatus({ cd_id: id })).calls[0]!;
    const { cdr_url: _, ...plain } = record;
    expect(events.at(-1)).toMatchObject({ ...plain, origin: 'api', attempt: 1, attempts: 1, final: true });
  });

  it('one event is the default, to the address of the account when the call names none', async () => {
    await service.admin('PATCH', account, { callback_url: receiver.url });
    const id = await call({ dest: '11987650001' });
    await until(() => isOver(id));
    expect(named(id)).toEqual(['failed']);
  });

  it('an SMS tells that it was delivered', async () => {
    const sent = await service.ramal.makeSMS({ dest: '11987650000', message: 'hello' });
    const id = sent.return.cdls_id;
    await until(() => isOver(id));
    expect([named(id), eventsOf(receiver).get(id)![0].status]).toEqual([['delivered'], 'delivered']);
    await service.admin('PATCH', account, { callback_url: '' });
  });

  it('every call of a campaign comes to one final event, although the service is killed meanwhile', async () => {
    await putList(
      database.pool,
      demoAccount,
      5,
      numbersEnding(CALLS, endings).map((record, row) => ({
        ...record,
        name: `Ana ${row}`,
        clientCode: `c${row}`,
      })),
    );
    const before = receiver.heard.length;
    await service.ramal.createCampaign({
      ...{ name: 'told', cdlc_id: 5, text: 'Boa tarde.', cp_ativo: 1, limit_name: 0 },
      ...{ rurl: receiver.url, rurl_events: 'dialing,answered', resends: 0 },
    });
    for (const share of [0.2, 0.6]) {
      await until(() => receiver.heard.length - before > CALLS * share);
      await service.kill();
      await start();
    }
    const ofCampaign = (): [string, Record<string, unknown>[]][] =>
      [...eventsOf(receiver)].filter(([, [event]]) => event.name?.startsWith('Ana '));
    await until(() => ofCampaign().filter(([, events]) => hasFinal(events)).length === CALLS, 200);
    const wrong: string[] = [];
    for (const [about, events] of ofCampaign()) {
      const names = events.map(({ event }) => event);
      if (events.filter(({ final }) => final).length !== 1) wrong.push(`${about}: ${names.join(' ')}`);
      if (!events.every(({ seq }, place) => seq === place + 1)) wrong.push(`${about} is out of order`);
      const { cd_status: status, cod_cli: code, name } = events.at(-1)!;
      if (names.at(-1) !== (status === 'OK' ? 'completed' : 'failed'))
        wrong.push(`${about} ${String(status)}`);
      if (String(name).slice(4) !== String(code).slice(1))
        wrong.push(`${about} is ${String(name)}, ${String(code)}`);
    }
    expect(wrong).toEqual([]);
    expect(ofCampaign()).toHaveLength(CALLS);
  }, 300_000);
}, 120_000);

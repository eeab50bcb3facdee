/** Whatever trunks there are: forced trunks, further tries after a refusal, prices of records and the forecast agree with the rules. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseTrunksWithPool } from '../../src/rules/trunks/chooseTrunks.ts';
import { carrierCallCost } from '../../src/rules/trunks/carrierCallCost.ts';
import type { TrunkCandidates, Trunk, TrunkRoutingTable } from '../../src/rules/trunks/trunkTypes.ts';
import { readTrunkTable } from '../../src/store/reads/trunks.ts';
import { aList, anId, anAsset } from '../helpers/campaigns.ts';
import { passes } from '../helpers/milestones.ts';
import { eventually } from '../helpers/patience.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { build, type More, raze, trunkNames, trunkWorlds } from './worlds.ts';

/** The SIP status of an attempt that was answered: none of a refusal. */
const ANSWERED = 0;

/** What the far ends of the sandbox answer to numbers that end so. */
const answers = {
  '00': { first: ANSWERED, second: ANSWERED },
  '03': { first: 503, second: ANSWERED },
  '04': { first: 404, second: 404 },
  '08': { first: ANSWERED, second: 503 },
} as const;
type Ending = keyof typeof answers;
const endings = Object.keys(answers) as Ending[];

/** Failover on 503, on 404 and on neither; the second carrier behind one of them. */
const further: readonly More[] = [
  [{ failover: [503] }, { failover: [503], simulates: 'second' }, { failover: [] }],
  [{ failover: [503, 404] }, { failover: [503] }, { failover: [404], simulates: 'second' }],
  [{ failover: [] }, { failover: [503] }, { failover: [503], simulates: 'second' }],
];
/** What a request names, and whether that names a trunk. */
const forcings: readonly (readonly string[])[] = [
  [],
  ['sandbox-c', 'sandbox-b'],
  ['nowhere', 'sandbox-b'],
  ['nowhere'],
];

let on: TestService;
beforeAll(async () => {
  on = await startTestService({ SANDBOX_SPEED: '500' });
  await on.admin('PATCH', `/accounts/${demoAccount}`, { call_rate: '0.6' });
});
afterAll(async () => {
  await on.stop();
});

const ruled = (table: TrunkRoutingTable, number: string, forced: readonly string[]): TrunkCandidates =>
  chooseTrunksWithPool(
    {
      number: `55${number}`,
      account: demoAccount,
      callerId: '',
      forced: [...forced],
      draw: 0,
      at: Date.now(),
    },
    table,
  );

/** The trunks that carry it in turn, each with its answer: the last one's is the call's. */
const triesOf = (candidates: readonly Trunk[], ending: Ending) => {
  const tries: { route: string; sipStatus: number }[] = [];
  for (const { name, simulates, failover } of candidates) {
    const sipStatus = answers[ending][simulates];
    tries.push({ route: name, sipStatus });
    if (sipStatus === ANSWERED || !failover.includes(sipStatus)) break;
  }
  return tries;
};

let dialled = 0;
const aNumber = (area: string, ending: Ending): string =>
  `${area}9865${String((dialled += 1)).padStart(3, '0')}${ending}`;

interface Attempt {
  route: string;
  sipStatus: number;
  purchase?: number;
  answeredAt: number;
  endedAt: number;
  tries?: { route: string; sipStatus: number }[];
}

const agree = async (table: TrunkRoutingTable, dest: string, ending: Ending, tfix: readonly string[]) => {
  const known = tfix.filter((name) => (trunkNames as readonly string[]).includes(name));
  const { candidates } = ruled(table, dest, known);
  const wish = { dest, text: 'Olá', httpdup: 0, ...(tfix.length > 0 && { tfix: tfix.join('|') }) };
  const { body } = await on.post('MakeTTSCall', wish);
  const warning: string = body.return.warning ?? '';
  expect(warning.includes('tfix names no trunk that is here: nowhere')).toBe(tfix.includes('nowhere'));
  const id = body.return.cd_id as string;
  if (candidates.length === 0)
    return void (await on.admin('POST', `/machines/${id}/events`, { type: 'cancel' }));

  const record = await on.ended(id);
  const tries = triesOf(candidates, ending);
  const last = tries.at(-1)!;
  const { attempts } = (await on.admin('GET', `/machines/${id}`)).body.context as { attempts: Attempt[] };
  const [only] = attempts;
  expect([dest, ending, attempts.length, [...(only!.tries ?? []), only!]]).toMatchObject([
    dest,
    ending,
    1,
    tries,
  ]);
  const isAnswered = last.sipStatus === ANSWERED;
  expect(record.route).toBe(isAnswered ? last.route : 'null');
  if (!isAnswered) return;
  const trunk = candidates.find(({ name }) => name === last.route)!;
  const bought = carrierCallCost(trunk, `55${dest}`, (only!.endedAt - only!.answeredAt) / 1_000);
  expect(only!.purchase ?? null).toBe(bought === undefined ? null : Number(bought));
};

const aCampaign = async (numbers: string[]): Promise<number> => {
  const list = await aList(on, { numbers: numbers.map((number) => `55${number}`) });
  const name = `campaign ${anId()}`;
  const made = await on.post('CreateCampaign', { name, cdlc_id: list, content: await anAsset(on) });
  const campaign = Number(made.body.return.cp_id);
  await passes(on.service.engine, { shard: 'a', account: demoAccount, id: campaign }, 'generated');
  return campaign;
};

/** Of a campaign of numbers that all answer: who carries how many, and who is left out, for which trunks' reasons. */
const agreeAhead = async (table: TrunkRoutingTable): Promise<void> => {
  const numbers = ['11', '19', '11', '19'].map((area) => aNumber(area, '00'));
  const campaign = await aCampaign(numbers);
  const answering = { answer_rate: 1, busy_rate: 0, failure_rate: 0, no_answer_rate: 0, hang_up_rate: 0 };
  const told = (await on.admin('POST', `/campaigns/${campaign}/forecast`, answering)).body;
  const carried = new Map<string, number>();
  const leftOut = new Map<string, number>();
  for (const number of numbers) {
    const choice = ruled(table, number, []);
    const [first] = choice.candidates;
    const against = choice.leftOut
      .filter(({ reason }) => reason !== 'notRouted')
      .map(({ trunk, reason }) => `${trunk}:${reason}`)
      .join(' ');
    const [counts, name] = first ? [carried, first.name] : [leftOut, against];
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const shown = (told.trunks as { trunk: string; calls: number }[]).map(({ trunk, calls }) => [trunk, calls]);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(carried));
  const out = (told.left_out as { trunks: string[]; destinations: number }[]).map((one) => [
    one.trunks.join(' '),
    one.destinations,
  ]);
  expect(Object.fromEntries(out)).toEqual(Object.fromEntries(leftOut));
};

test('an account that may not force trunks is told so, and goes as the routes say', async () => {
  const { body } = await on.post('MakeTTSCall', { dest: aNumber('11', '00'), text: 'Olá', tfix: 'sandbox' });
  expect(body.return.warning).toContain('tfix does nothing: this account may not force routes');
});

/** Until a trunk of a request's is taken: the node learns of the permission a moment after it was given. */
const allowForcedTrunks = async (): Promise<void> => {
  await on.admin('PATCH', `/accounts/${demoAccount}`, { fixed_routes: true });
  await eventually(async () => {
    const { body } = await on.post('MakeTTSCall', {
      dest: aNumber('11', '00'),
      text: 'Olá',
      tfix: 'sandbox',
    });
    expect(body.return.warning ?? '').not.toContain('tfix');
  });
};

test.each(trunkWorlds(42, 15).map((world, nth) => ({ world, nth, number: nth + 1 })))(
  'in world $number of fifteen that were drawn',
  async ({ world, nth }) => {
    await allowForcedTrunks();
    await build(on, world, further[nth % further.length]);
    const table = await readTrunkTable(on.database.pool);
    for (const [turn, ending] of endings.entries())
      await agree(
        table,
        aNumber(turn % 2 === 0 ? '11' : '21', ending),
        ending,
        forcings[(nth + turn) % forcings.length]!,
      );
    await agreeAhead(table);
    await raze(on);
  },
);

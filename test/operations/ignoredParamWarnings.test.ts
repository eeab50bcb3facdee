/** What is asked and cannot act is warned of: a walk over every parameter in every mode, against the service. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyOperation } from '../../src/operations/declare.ts';
import { operations } from '../../src/operations/index.ts';
import type { ParameterModeTable } from '../../src/operations/ignoredParamWarnings.ts';
import { askedTools } from '../mcp/bed.ts';
import { aGroup, aList, anAsset, anId, aProfile } from '../helpers/campaigns.ts';
import { type Receiver, startReceiver } from '../helpers/receiver.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { aWav } from '../helpers/wav.ts';
import {
  callSamples,
  campaignSamples,
  changeSamples,
  type Ground,
  pins,
  type Samples,
} from './modes.samples.ts';
import type { ParamDeclaration } from '../../src/operations/param.ts';

let on: TestService;
let ground: Ground;
let web: Receiver;
const account = `/accounts/${demoAccount}`;
beforeAll(async () => {
  on = await startTestService({ ALLOW_PRIVATE_TARGETS: '127.0.0.1/32' });
  await on.admin('PATCH', account, { fixed_routes: true });
  web = await startReceiver();
  web.answer = (_, response) => void response.end(aWav(1));
  const agent = { kind: 'sip', target: 'sip:ana@example.com' };
  const [list, content] = [await aList(on), await anAsset(on)];
  const campaign = async (model = false): Promise<number> => {
    const asked = { name: `campaign ${anId()}`, cdlc_id: list, content };
    const id = Number((await on.post('CreateCampaign', asked)).body.return.cp_id);
    if (model) await on.admin('PATCH', `${account}/campaigns/${id}`, { model });
    return id;
  };
  ground = {
    ...{ audio: content, list, campaign, sound: `${web.url}/greeting.wav` },
    source: await campaign(),
    group: await aGroup(on, 'north'),
    profile: await aProfile(on),
    agent: (await on.admin('POST', `${account}/agents`, agent)).body.ccba_id,
    queue: (await on.admin('POST', `${account}/queues`, { name: 'sales' })).body.queue_id,
  };
});
afterAll(async () => {
  web.close();
  await on.stop();
});

const tableOf = (op: AnyOperation): ParameterModeTable => op.modes as ParameterModeTable;
const withModes = operations.filter((op) => op.modes !== undefined);

test('the operations of voice and campaigns say when their parameters act', () => {
  expect(withModes.map(({ name }) => name)).toEqual(['MakeTTSCall', 'CreateCampaign', 'ChangeCampaign']);
});

test.each(withModes.map((op) => [op.name, op] as const))(
  '%s: every parameter is in a row, and no other',
  (_, op) => {
    expect(Object.keys(tableOf(op).rows).toSorted()).toEqual(Object.keys(op.params as object).toSorted());
  },
);

/** `+` acts, `-` does not, `?` under a condition. */
const shape = (op: AnyOperation): Record<string, string> => {
  const { modes, rows } = tableOf(op);
  return Object.fromEntries(
    Object.entries(op.params as Record<string, ParamDeclaration>).map(([name, { rest }]) => [
      rest,
      modes
        .map((mode) => rows[name]!.cells[mode] ?? false)
        .map((cell) => (typeof cell === 'boolean' ? (cell ? '+' : '-') : '?'))
        .join(''),
    ]),
  );
};

test.each(withModes.map((op) => [op.name, op] as const))(
  '%s: the table is the one that was meant',
  (name, op) => {
    const always = '+'.repeat(tableOf(op).modes.length);
    const odd = Object.entries(shape(op)).filter(([, cells]) => cells !== always);
    expect(Object.fromEntries(odd)).toEqual(pins[name]);
  },
);

interface Step {
  parameter: string;
  mode: string;
  more: object;
  acts: boolean;
}

/** Every cell: as it is, or met and not met where it has a condition. */
const stepsOf = (op: AnyOperation, { of, met }: Samples): Step[] => {
  const { modes, rows } = tableOf(op);
  return modes.flatMap((mode) =>
    Object.entries(op.params as Record<string, ParamDeclaration>).flatMap(
      ([name, { rest: parameter }]): Step[] => {
        const cell = rows[name]!.cells[mode] ?? false;
        const sample = of[parameter];
        if (sample === undefined) throw new Error(`${parameter} of ${op.name} has no sample`);
        const more = typeof sample === 'function' ? sample(mode) : sample;
        if (typeof cell === 'boolean') return [{ parameter, mode, more, acts: cell }];
        const meets = met[parameter]?.(mode);
        if (!meets) throw new Error(`nothing meets the condition of ${parameter} of ${op.name}`);
        return [
          { parameter, mode, more, acts: false },
          { parameter, mode, more: { ...more, ...meets }, acts: true },
        ];
      },
    ),
  );
};

/** Whether a sentence says that the parameter does nothing. */
const isNamed = (warning: string | undefined, parameter: string): boolean =>
  (warning ?? '').split('; ').some((sentence) => {
    const named = /^([\w, ]+) do(es)? nothing/.exec(sentence)?.[1] ?? '';
    return named.split(/, | and /).includes(parameter);
  });

/** Steps that went another way than the table says. */
const walked = async (op: AnyOperation, samples: Samples): Promise<object[]> => {
  const steps = stepsOf(op, samples);
  const wrong: object[] = [];
  const one = async (step: Step): Promise<void> => {
    const [code, ...modes] = samples.refused[step.parameter] ?? ['0'];
    const expected = modes.length === 0 || modes.includes(step.mode) ? code : '0';
    const { body } = await on.post(op.name, { ...(await samples.base(step.mode)), ...step.more });
    const { status_code, warning } = body.return;
    const isWarned = isNamed(warning, step.parameter);
    const isRight = status_code === expected && (expected !== '0' || isWarned !== step.acts);
    if (!isRight) wrong.push({ ...step, answer: body.return });
  };
  for (let at = 0; at < steps.length; at += 20) await Promise.all(steps.slice(at, at + 20).map(one));
  return wrong;
};

const samplesOf = (): Record<string, Samples> => ({
  MakeTTSCall: callSamples(ground),
  CreateCampaign: campaignSamples(ground),
  ChangeCampaign: changeSamples(ground),
});

test.each(withModes.map((op) => [op.name, op] as const))(
  '%s warns of what cannot act, in every mode, and of nothing that can',
  async (name, op) => expect(await walked(op, samplesOf()[name]!)).toEqual([]),
);

const warningOf = async (name: string, given: object): Promise<string | undefined> =>
  (await on.post(name, given)).body.return.warning;
const call = async (given: object) =>
  warningOf('MakeTTSCall', { ...(await callSamples(ground).base('0')), ...given });
const campaign = async (given: object) =>
  warningOf('CreateCampaign', { ...(await campaignSamples(ground).base('0')), ...given });

describe('the sentences', () => {
  test('name the parameter, say why it does nothing, and what would make it act', async () => {
    expect(await call({ dest2: '11987650001' })).toBe(
      'dest2 does nothing with type 0: it acts with type 2, or with type 3 if no dtmf action is given',
    );
    expect(await call({ senddtmf: '12' })).toBe(
      'senddtmf does nothing: with type 0 it acts if a dtmf action dials a second leg',
    );
    expect(await campaign({ nans: 2, nans2: 2 })).toBe(
      'nans and nans2 do nothing with cp_type 0: they act with cp_type 4',
    );
    expect(await campaign({ time_resends: 5 })).toBe(
      'time_resends does nothing: it acts if resends is 1 or more',
    );
  });

  test('say what a mode lacks', async () => {
    expect(await call({ type: 2 })).toMatch(/^type 2 without dest2: the key that confirms ends the call/);
    expect(await call({ type: 3 })).toMatch(/^type 3 without dest2 and without a dtmf action/);
    expect(await call({ type: 3, dtmf: 'hangup' })).toBeUndefined();
    expect(await campaign({ cp_type: 4 })).toMatch(/^cp_type 4 without any of cont0 to cont9/);
    expect(await campaign({ cp_type: 4, cont7: ground.audio })).toBeUndefined();
  });

  test('are joined; defaults and blanks say nothing', async () => {
    expect(await call({ moh: 1, dtmfconf: 5, numlim: 2 })).toMatch(
      /^dtmfconf does nothing with type 0: .*; moh does nothing: with type 0 it acts if .*; numlim does nothing: it acts if cpid is given$/,
    );
    const usual = {
      moh: 2,
      dtmfconf: 1,
      numlim: 0,
      fifo: 0,
      fifolim: 300,
      startrec: 'ini',
      text1: ' ',
      ndig: 1,
    };
    expect(await call(usual)).toBeUndefined();
    expect(await campaign({ nans: 1, dtime: 7, dtmf2: 1, time_resends: 30, urlcontent: '' })).toBeUndefined();
  });

  test('are told to assistants, too', async () => {
    const { outcomeOf } = askedTools(() => on);
    const { dest, text, block } = await callSamples(ground).base('0');
    expect(await outcomeOf('make_tts_call', { dest, text, block, dest2: '11987650001' })).toMatchObject({
      success: true,
      warning: expect.stringMatching(/^dest2 does nothing with type 0/),
    });
  });

  test('of a clone are about what its request names, in the type of its source', async () => {
    const base = await campaignSamples(ground).base('4');
    const source = await on.post('CreateCampaign', { ...base, nans: 2, cont1: ground.audio });
    const { cp_id } = source.body.return;
    expect(await warningOf('CreateCampaign', { cp_id, nans2: 2 })).toBeUndefined();
    expect(await warningOf('CreateCampaign', { cp_id, content3: ground.audio })).toBe(
      'content3 does nothing with cp_type 4: it acts with cp_type 6',
    );
  });

  test('of a campaign whose last day is over say that activating it dials nothing', async () => {
    const base = await campaignSamples(ground).base('0');
    const { cp_id } = (await on.post('CreateCampaign', { ...base, date_start: '2020-01-01' })).body.return;
    expect(await warningOf('ChangeCampaign', { cp_id, active: 1 })).toMatch(
      /^active does nothing: the last day of the campaign is over/,
    );
    expect(await warningOf('ChangeCampaign', { cp_id, active: 0 })).toBeUndefined();
  });
});

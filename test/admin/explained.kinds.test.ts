/** Every state, timer, effect and reason of every kind is told in words: both languages, the same facts, no name of code. */
import { readdirSync, readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import smpp from 'smpp';
import type { AnyStateMachine, StateNode } from 'xstate';
import { describe, expect, it, test } from 'vitest';
import { machineKinds } from '../../machines/index.ts';
import { initialMessageContext, type MessageContext } from '../../machines/message/contextAndAssigns.ts';
import { initialTemplateContext } from '../../machines/template/context.ts';
import { type DeliveryContext, initialDeliveryContext } from '../../machines/delivery/contextAndAssigns.ts';
import { explainMachine } from '../../src/admin/explainMachine.ts';
import { explainedGraphApiErrorCodes } from '../../src/admin/explained/codes/graphApiErrors.ts';
import { deliveryFailureReasons } from '../../src/admin/explained/deliveryFailure.ts';
import { translateKnownText } from '../../src/admin/explained/translateKnownPhrases.ts';
import { describeMachineState } from '../../src/admin/explained/states.ts';
import { explainedTemplateCodes } from '../../src/admin/explained/templatePlatformStatus.ts';
import { describeMachineEffect, describeMachineTimer } from '../../src/admin/explained/waits.ts';
import type { MachineView } from '../../src/engine/contract/api.ts';

const root = join(import.meta.dirname, '..', '..');
const kindOf = (name: string) => machineKinds.find((kind) => kind.name === name)!;

/** Names of parameters and settings that people write themselves. */
const WRITTEN = /\b(retry_declined|callback_url|limit_name|ALLOW_PRIVATE_TARGETS|SECRET_KEY)\b/g;
/** camelCase, snake_case, CODES_LIKE_THIS and codes of errors. */
const CODE = /\b[a-z]+[A-Z]\w*|\b[a-z]+_[a-z]\w*|\b[A-Z]+_[A-Z]\w*|\bE[A-Z]{5,}\b/;
const plain = (text: string): string => text.replaceAll(WRITTEN, '');
const numbersIn = (text: string): string[] => (text.match(/\d+/g) ?? []).toSorted();

const agree = (what: unknown, en: string | undefined, pt: string | undefined): void => {
  expect([what, en, pt]).toEqual([what, expect.stringMatching(/./), expect.stringMatching(/./)]);
  expect([what, plain(en!)]).toEqual([what, expect.not.stringMatching(CODE)]);
  expect([what, plain(pt!)]).toEqual([what, expect.not.stringMatching(CODE)]);
  expect([what, en]).not.toEqual([what, pt]);
  expect([what, numbersIn(pt!)]).toEqual([what, numbersIn(en!)]);
};

describe('the charts', () => {
  const nodes = machineKinds.flatMap(({ name, versions }) =>
    Object.values(versions).flatMap((chart: AnyStateMachine) =>
      below(chart.root).map((node) => ({ name, node })),
    ),
  );
  const pathOf = (node: StateNode): string => node.path.join('.');
  const resting = nodes.filter(({ node }) => Object.keys(node.states).length === 0 && !node.always?.length);

  test('every state in which a machine rests has a sentence', () => {
    expect(resting.length).toBeGreaterThan(60);
    for (const { name, node } of resting) {
      const words = describeMachineState(name, pathOf(node));
      agree([name, pathOf(node)], words?.says.en, words?.says.pt);
      if (words?.todo) agree([name, pathOf(node)], words.todo.en, words.todo.pt);
    }
    for (const state of ['acknowledged', 'delivered', 'read', 'unknown'])
      expect(describeMachineState('message', `done.${state}`)).not.toBe(
        describeMachineState('message', 'done'),
      );
  });

  test('every timer says what happens then', () => {
    const timers = nodes.flatMap(({ name, node }) =>
      node.after.map(({ delay }) => [name, String(delay)] as const),
    );
    expect(timers.length).toBeGreaterThan(40);
    for (const [name, timer] of timers) {
      const words = describeMachineTimer(name, timer);
      agree([name, timer], words?.en, words?.pt);
    }
  });

  test('every effect says what is asked for', () => {
    for (const { name, effects } of machineKinds)
      for (const effect of Object.keys(effects))
        agree([name, effect], describeMachineEffect(effect)?.en, describeMachineEffect(effect)?.pt);
  });
});

function below(node: StateNode): StateNode[] {
  return [node, ...Object.values(node.states).flatMap((child) => below(child))];
}

describe('particulars', () => {
  const folders = [
    'machines/call',
    'machines/campaign',
    'machines/callQueue',
    'src/providers/dialClearance',
    'src/providers/target',
  ];
  const files = [
    ...folders.flatMap((folder) =>
      readdirSync(join(root, folder))
        .filter((file) => file.endsWith('.ts'))
        .map((file) => join(folder, file)),
    ),
    ...sourcesBelow('src/providers/delivery'),
    ...sourcesBelow('src/providers/sms'),
    ...sourcesBelow('src/providers/chat'),
    ...sourcesBelow('src/operations/deliveries'),
    ...sourcesBelow('src/store/repositories'),
    ...sourcesBelow('src/store/secrets'),
    'src/operations/sms/sendFollowUpSms.ts',
    'src/rules/voice/callingWindows.ts',
    'src/rules/campaigns/campaignWindowByRegion.ts',
    'src/admin/explained/accountAndCampaignHolds.ts',
  ];
  /** A text in the source that says why; its gaps filled in. */
  const places = [
    /\bdetail(?: =|:)\s*(?:[\w.! ]+\?\s*)?(['"`])(.+?)\1[,;\s]/g,
    /new (?:NotRetryable|Retryable|DeliveryPostponedError|CircuitOpen|OutcomeUnknown)\(\s*(?:'\w+',\s*)?(['"`])(.+?)\1[,)\s]/g,
    /refused\('\w+', (['"`])(.+?)\1\)/g,
    /(?:\btext: |unavailable\(|#lose\(|#loseLater\(|postponed\()(['"`])([^'"`]* [^'"`]*)\1/g,
  ];
  const texts = files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return places.flatMap((place) =>
      [...source.matchAll(place)].map(([, , text]) => ({ file, text: filledIn(text!) })),
    );
  });
  /** Told to callers or written to logs, and kept by no machine. */
  const elsewhere =
    /src\/providers\/(chat\/sandbox|sms\/openSandboxSmsLog|delivery\/(testDelivery|idleTimeout|semaphore|temporaryNames))/;

  /** Put together of several texts, which stand below or are codes; or none at all. */
  const inParts = /^(7: 7|7 7; opens .*|7 callers wait; of 7 active members |text\/plain; .*|7; links: 7)$/;

  test('of charts, providers and admission are told in both languages, with the same numbers', () => {
    expect(texts.length).toBeGreaterThan(80);
    const kept = texts.filter(
      ({ file, text }) => / /.test(text) && !inParts.test(text) && !elsewhere.test(file),
    );
    expect(kept.filter(({ text }) => translateKnownText(text, 'en') === undefined)).toEqual([]);
    for (const { file, text } of kept)
      agree([file, text], translateKnownText(text, 'en'), translateKnownText(text, 'pt'));
  });

  test('of windows keep to one clock', () => {
    const said =
      'DDD 11 (SP, 07:30 there) is outside its calling window; opens 2026-11-26 08:00 America/Sao_Paulo';
    expect(translateKnownText(said, 'en')).toBe('it is outside the calling hours of DDD 11 (SP)');
    expect(
      translateKnownText(
        `3 destinations SP: SP (07:30 there) keeps Natal; opens 2026-12-26 08:00 America/Sao_Paulo`,
        'pt',
      ),
    ).toBe('3 destinos em SP: é feriado em SP: Natal');
  });

  test('of a line are told', () => {
    const said = '3 callers wait; of 2 active members 1 talk, 1 are rung, 0 missed a call';
    agree('line', translateKnownText(said, 'en'), translateKnownText(said, 'pt'));
  });

  it('leaves the words of others as they are, and quotes them', () => {
    expect(translateKnownText('Re-engagement message', 'pt')).toBeUndefined();
    expect(translateKnownText(`it answered HTTP 503`, 'pt')).toBe(
      'respondeu HTTP 503 (serviço indisponível)',
    );
    expect(translateKnownText('x; '.repeat(600), 'en')).toBeUndefined();
  });
});

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((file) => join(folder, file));
}

function filledIn(text: string): string {
  return text.replaceAll(/\$\{[^}]*\}/g, '7').replaceAll(String.raw`\'`, "'");
}

const START = Date.UTC(2026, 10, 25, 15);
const zone = 'America/Sao_Paulo';
const viewOf = (kind: string, state: string, context: unknown, more: Partial<MachineView> = {}): MachineView => ({
  ...{ shard: 'a', account: 3, id: 7, kind, version: 1, revision: 1, state, milestones: [], context },
  ...{ agenda: [], attention: null, createdAt: START, endedAt: null, pending: false },
  ...more,
}) as MachineView; // prettier-ignore
const told = (view: MachineView) =>
  (['en', 'pt'] as const).map(
    (language) => explainMachine(view, kindOf(view.kind), START, undefined, { language, zone }).sentences,
  );
const agreeOn = (what: unknown, view: MachineView): [string[], string[]] => {
  const [en, pt] = told(view) as [string[], string[]];
  expect([what, en.length]).toEqual([what, pt.length]);
  for (const [nth, sentence] of en.entries()) agree([what, nth], sentence, pt[nth]);
  return [en, pt];
};

const aMessage = (channel: 'sms' | 'msgapp' | 'pagechat' | 'photodm', outcome: MessageContext['outcome']): MessageContext => ({
  ...initialMessageContext({
    ...{ at: START, id: 7, channel, destination: '5511987650000', sender: '', contentType: 'text', body: 'x' },
    ...{ correlation: '', related: '', campaignId: '', callId: '', segments: 1, price: 0, refund: [] },
    routes: channel === 'sms'
      ? [{ by: 'sms', submission: { owner: 3, route: 1, to: '5511987650000', from: '', text: 'x' } }]
      : [{ by: 'chat', submission: { channel, line: 5, body: {} } }],
  }),
  failedAt: START,
  refunded: true,
  outcome,
}); // prettier-ignore
const failed = (context: MessageContext) => viewOf('message', 'failed', context, { endedAt: START });

describe('a message', () => {
  test.each(Object.entries(smpp.errors).filter(([, status]) => status !== 0))(
    'that an SMSC refuses with %s is told',
    (name, status) => {
      agreeOn(name, failed(aMessage('sms', { code: String(status), text: name })));
    },
  );

  test.each(['EXPIRED', 'DELETED', 'UNDELIV', 'UNKNOWN', 'REJECTD'])(
    'whose receipt says %s is told',
    (text) => {
      agreeOn(
        text,
        viewOf('message', 'undelivered', aMessage('sms', { code: '054', text }), { endedAt: START }),
      );
    },
  );

  test('that a gateway refuses with any HTTP status is told', () => {
    for (const status of Object.keys(STATUS_CODES).filter((code) => code >= '300')) {
      agreeOn(status, failed(aMessage('sms', { code: status, text: '' })));
      agreeOn(
        status,
        failed(aMessage('sms', { code: status, text: `the gateway answers with HTTP ${status}` })),
      );
    }
    agreeOn('own words', failed(aMessage('sms', { code: 'E17', text: 'saldo insuficiente' })));
  });

  test('that the platform refuses with any code is told, whatever the channel', () => {
    for (const channel of ['msgapp', 'pagechat', 'photodm'] as const) {
      for (const code of [...explainedGraphApiErrorCodes, '999999'])
        agreeOn(code, failed(aMessage(channel, { code, text: 'Re-engagement message (HTTP 400)' })));
      for (const status of ['400', '401', '404', '429', '500', '503'])
        agreeOn(
          status,
          failed(aMessage(channel, { code: `HTTP ${status}`, text: `the upstream answered HTTP ${status}` })),
        );
    }
  });

  test('that the service could not hand over is told, by each of its reasons', () => {
    const reasons = ['sms', 'chat'].flatMap((folder) => sourcesBelow(`src/providers/${folder}`)).concat('src/store/secrets/smsRoutes.ts', 'src/store/repositories/cachedChatLineLookup.ts')
      .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(/new NotRetryable\(\s*'(\w+)'/g)].map(([, reason]) => reason!)); // prettier-ignore
    expect(reasons).toEqual(expect.arrayContaining(['noLine', 'lineBroken', 'routeBroken']));
    for (const code of new Set([
      ...reasons,
      'unavailable',
      'triesUsedUp',
      'late',
      'failed',
      'partial',
      'unwritable',
      'unknown',
    ]))
      agreeOn(code, failed(aMessage('sms', { code, text: 'the SMS link is busy' })));
  });

  test('is told in one time zone, with what to do and what was given back', () => {
    const [en, pt] = agreeOn(
      '131047',
      failed(aMessage('msgapp', { code: '131047', text: 'Re-engagement message (HTTP 400)' })),
    );
    expect(en).toEqual([
      'It ended at 2026-11-25 12:00:00. It was not sent, or its provider could not bring it.',
      '2026-11-25 12:00:00: the WhatsApp message to 5511987650000: more than 24 hours have passed since the person wrote last' +
        ' (code 131047); the provider said “Re-engagement message”. Send an approved template instead. What it cost was given back.',
      'Times are those of America/Sao_Paulo.',
    ]);
    expect(pt[1]).toContain('passaram mais de 24 horas desde a última mensagem da pessoa (código 131047)');
    expect(pt.at(-1)).toBe('Os horários são os de America/Sao_Paulo.');
  });

  test('that goes its way is told, and what it waits for', () => {
    const agenda = [
      { what: 'timer', id: '1', name: 'xstate.after.smsReceipts.message.unknown', dueAt: START + 60_000 },
      { what: 'effect', id: '2', name: 'submitSms', dueAt: START, tries: 2 },
    ] as unknown as MachineView['agenda'];
    const context = aMessage('sms', { code: 'unknown', text: 'x' });
    const [en] = agreeOn(
      'waits',
      viewOf('message', 'unknown', context, { agenda, attention: 'submitSms: Wrong' }),
    );
    expect(en).toEqual(expect.arrayContaining([
      'At 2026-11-25 12:01:00 it stops waiting for a receipt.',
      'Its request to send the SMS is not confirmed yet, after 2 tries; the answer is due at 2026-11-25 12:00:00.',
      expect.stringMatching(/^Needs attention: its request to send the SMS was given up: “Wrong”\./),
    ])); // prettier-ignore
  });
});

describe('a template', () => {
  const definition = { name: 'x', category: 'UTILITY', language: 'pt_BR' } as never;
  const aTemplate = (changes: object) => ({
    ...initialTemplateContext({ at: START, id: 7, line: 5, definition }),
    ...changes,
  });

  test.each(explainedTemplateCodes.statuses)('with the status %s is told', (status) => {
    const context = aTemplate({ status, upstreamId: '9', acceptedAt: START });
    expect(agreeOn(status, viewOf('template', 'submitted.resting', context))[0]).toHaveLength(3);
  });

  test.each([...explainedTemplateCodes.rejections, 'Template name exists'])(
    'rejected by %s is told, with what to do',
    (rejectionReason) => {
      for (const status of ['REJECTED', ''])
        agreeOn(rejectionReason, viewOf('template', 'stored', aTemplate({ status, rejectionReason })));
    },
  );

  test('in doubt, or with a status that is new, is told', () => {
    const doubt = { text: 'the upstream did not answer in time', answer: '', looks: 2, misses: 1 };
    agreeOn('doubt', viewOf('template', 'submitting.waiting', aTemplate({ doubt })));
    agreeOn('new', viewOf('template', 'submitted.resting', aTemplate({ status: 'QUITE_NEW' })));
  });
});

describe('a delivery', () => {
  const aDelivery = (changes: Partial<DeliveryContext>): DeliveryContext => {
    const input = {
      at: START,
      id: 7,
      purpose: 'callback' as const,
      subject: {},
      about: 'call 1',
      target: 'https://a.example/',
    };
    const context = initialDeliveryContext(input);
    return { ...context, head: { ...context.head, tries: 3 }, ...changes };
  };
  const reasons = [
    ...sourcesBelow('src/providers/delivery'),
    ...sourcesBelow('src/operations/deliveries'),
    'src/store/secrets/deliveryProfiles.ts',
  ].flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/new NotRetryable\(\s*'(\w+)'/g)].map(
      ([, reason]) => reason!,
    ),
  );

  test('that failed is told, by each reason that a transport can give', () => {
    expect(reasons).toEqual(
      expect.arrayContaining(['gone', 'noProfile', 'recordGone', 'certificateRefused']),
    );
    for (const reason of new Set([...reasons, 'notNow', 'noAnswer', 'triesUsedUp', 'late'])) {
      expect(deliveryFailureReasons).toContain(reason);
      const failure = { reason, message: 'it answered HTTP 503', at: START, terminal: true, afterMs: 0 };
      const nextAt = START + 60_000;
      const queue = [1, 2].map(() => ({ subject: {}, last: false }));
      agreeOn(reason, viewOf('delivery', 'deadLetter', aDelivery({ failure, nextAt, queue })));
    }
  });

  test('to a receiver that answers any HTTP status is told', () => {
    for (const status of Object.keys(STATUS_CODES)) {
      const failure = {
        reason: 'notNow',
        message: `it answered HTTP ${status}`,
        at: START,
        terminal: false,
        afterMs: 0,
      };
      agreeOn(status, viewOf('delivery', 'retrying', aDelivery({ failure, nextAt: START + 1 })));
    }
  });

  test('that was put off, or left events out, is told', () => {
    const message =
      'it failed too often and is left alone for a while; at last it cannot be reached: ECONNREFUSED';
    for (const leftAlone of [true, false])
      agreeOn(
        leftAlone,
        viewOf(
          'delivery',
          'deferred',
          aDelivery({ putOff: { message, at: START, leftAlone }, nextAt: START + 1 }),
        ),
      );
    agreeOn('left out', viewOf('delivery', 'attempting', aDelivery({ leftOut: 4 })));
  });
});

test('the receiver of callbacks is told of in every state, in both languages', () => {
  const standing = {
    id: 9,
    target: 'https://a.example/',
    result: 0,
    attempts: 2,
    waiting: 3,
    next_at: START + 1,
    last_error: 'notNow: it answered HTTP 500',
  };
  const view = viewOf('message', 'done', aMessage('sms', { code: '0', text: 'OK' }), { endedAt: START });
  for (const state of [
    'pending',
    'attempting',
    'idle',
    'retrying',
    'deferred',
    'deadLetter',
    'delivered',
    'givenUp',
  ])
    for (const last_error of state === 'pending' ? ['', 'broken'] : ['', standing.last_error]) {
      const [en, pt] = (['en', 'pt'] as const).map((language) =>
        explainMachine(view, kindOf('message'), START, { ...standing, state, last_error } as never, {
          language,
          zone,
        }).sentences.at(-2),
      );
      agree([state, last_error], en, pt);
    }
});

test('a machine that has not begun is told', () => {
  for (const attention of [null, 'started: no input like that'])
    agreeOn(attention, viewOf('delivery', 'pending', {}, { pending: true, attention }));
});

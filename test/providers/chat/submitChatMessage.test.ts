/** The chat sender: what it tells the chart, and what it leaves to the engine. */
import { expect, test } from 'vitest';
import type { ChatSubmission } from '../../../machines/contracts/message.ts';
import type {
  ChatSenderLine,
  GraphApiAnswer,
  GraphApiRequest,
} from '../../../src/providers/contracts/chat.ts';
import { openChatSender } from '../../../src/providers/chat/submitChatMessage.ts';
import {
  type EffectCall,
  OutcomeUnknown,
  UnusableProviderAnswer,
  Retryable,
  NotRetryable,
} from '../../../src/engine/contract/performer.ts';

const line: ChatSenderLine = {
  ...{ shard: 'a', account: 3, id: 7, class: 'msgapp', provider: 'cloud', active: true, hasApiKey: true },
  ...{ appName: '11', number: '1', businessId: '22', pageId: '33', photoAccountId: '44', forwardUrl: '' },
  sandbox: false,
  ...{ openApiKey: () => 'the-token', openAppSecret: () => '', openVerifyToken: () => '' },
};

const callOf = (channel: ChatSubmission['channel'], attempt = 1): EffectCall<ChatSubmission> => ({
  id: 'a.3.5.1.0',
  name: 'submitChat',
  params: { channel, line: 7, body: { to: '1' } },
  machine: { shard: 'a', account: 3, id: 5, kind: 'message' },
  attempt,
  seen: {},
  signal: new AbortController().signal,
});

interface Day {
  answer?: GraphApiAnswer | Promise<GraphApiAnswer>;
  found?: Partial<ChatSenderLine> | 'none' | 'away';
  channel?: ChatSubmission['channel'];
  attempt?: number;
}

const ok: GraphApiAnswer = { outcome: 'ok', http: 200, json: { messages: [{ id: 'wamid.1' }] }, raw: '{}' };

const post = async ({ answer = ok, found = {}, channel = 'msgapp', attempt = 1 }: Day) => {
  const asked: GraphApiRequest[] = [];
  const reported: unknown[] = [];
  const sender = openChatSender({
    graph: {
      ask: (request) => {
        asked.push(request);
        return Promise.resolve(answer);
      },
    },
    line: () => {
      if (found === 'away') return Promise.reject(new Error('the database is away'));
      return Promise.resolve(found === 'none' ? undefined : { ...line, class: channel, ...found });
    },
    report: (_, fact) => void reported.push(fact),
    clock: {
      after: (ms, run) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    },
    slowMs: 20,
  });
  const ended = await sender.performers.submitChat(callOf(channel, attempt)).then(
    (performed) => performed?.events,
    (error: unknown) => error,
  );
  return { ended, asked, reported };
};

test.each([
  ['msgapp', '11/messages', { to: '1', biz_opaque_callback_data: 'a.3.5' }],
  ['pagechat', '33/messages', { to: '1' }],
  ['photodm', '44/messages', { to: '1' }],
] as const)(
  '%s is posted where its line says, with what brings its receipts home',
  async (channel, path, body) => {
    const { asked } = await post({ channel });
    expect(asked).toMatchObject([{ method: 'POST', path, body, token: 'the-token' }]);
  },
);

test('what is taken is told with the upstream’s id, under either name', async () => {
  expect((await post({})).ended).toEqual([{ type: 'acknowledged', providerId: 'wamid.1', answer: '{}' }]);
  const page: GraphApiAnswer = { ...ok, json: { recipient_id: '1', message_id: 'm_1' } };
  expect((await post({ answer: page })).ended).toMatchObject([{ providerId: 'm_1' }]);
  expect((await post({ answer: { ...ok, json: {} } })).ended).toMatchObject([{ providerId: '' }]);
});

test.each(['m'.repeat(256), 'm\u0000', 'm\n', 'm\ud800'])(
  'an id that can be none leaves it unknown whether the message was taken (%#)',
  async (message_id) => {
    expect((await post({ answer: { ...ok, json: { message_id } } })).ended).toBeInstanceOf(
      UnusableProviderAnswer,
    );
  },
);

const no = { outcome: 'refused', http: 400, text: 'no', raw: '{"e":1}', transient: false } as const;

test.each([
  [
    { ...no, code: 131026 },
    { code: '131026', text: 'no' },
  ],
  [
    { ...no, code: 100 },
    { code: '100', text: 'no (HTTP 400)' },
  ],
  [
    { ...no, http: 502 },
    { code: 'HTTP 502', text: 'no' },
  ],
  [
    { ...no, http: 503, code: 131016, transient: true },
    { code: '131016', text: 'no' },
  ],
])('a no is told with the upstream’s code: %j', async (answer, told) => {
  const { http } = answer;
  expect((await post({ answer })).ended).toEqual([{ type: 'refused', ...told, answer: '{"e":1}', http }]);
});

test('too much at once is tried again after a short pause, twice; then it is a no', async () => {
  const busy = { ...no, code: 130429, transient: true };
  const pauseOf = async (day: Day) => ((await post(day)).ended as Retryable).afterMs;
  expect(await pauseOf({ answer: { ...busy, afterMs: 1_500 } })).toBe(1_500);
  expect(await pauseOf({ answer: busy, attempt: 2 })).toBe(2_000);
  for (const day of [{ answer: busy, attempt: 3 }, { answer: { ...busy, afterMs: 2_001 } }])
    expect((await post(day)).ended).toMatchObject([{ type: 'refused', code: '130429' }]);
});

test('what was surely not heard is told as unavailable, what nobody knows is told to the engine', async () => {
  const { ended } = await post({ answer: { outcome: 'unreachable', text: 'away' } });
  expect(ended).toEqual([{ type: 'unavailable', text: 'away', answer: '' }]);
  expect((await post({ answer: { outcome: 'unknown', text: 'cut' } })).ended).toBeInstanceOf(OutcomeUnknown);
});

test('a slow upstream is reported while it is waited for, a quick one is not', async () => {
  const late = new Promise<GraphApiAnswer>((resolve) => setTimeout(() => resolve(ok), 200));
  const { ended, reported } = await post({ answer: late });
  expect([reported, ended]).toMatchObject([[{ type: 'slow' }], [{ type: 'acknowledged' }]]);
  expect((await post({})).reported).toEqual([]);
});

test('a line that is gone, inactive, of another class or broken is a no; one that cannot be read is tried again', async () => {
  const broken = {
    openApiKey: () => {
      throw new NotRetryable('lineBroken', 'set it again');
    },
  };
  for (const found of ['none', { active: false }, { class: 'photodm' }, broken] as const) {
    const { ended, asked } = await post({ found });
    expect(ended).toBeInstanceOf(NotRetryable);
    expect(asked).toEqual([]);
  }
  expect((await post({ found: 'away' })).ended).toBeInstanceOf(Retryable);
});

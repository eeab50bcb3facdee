/** Looks for what plays and what is recorded, where Asterisk does not answer while its events go on coming. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AriContext, Call } from '../../../../src/providers/telephony/asterisk/ariContext.ts';
import { createAri } from '../../../../src/providers/telephony/asterisk/ariRestClient.ts';
import type { Leg } from '../../../../src/providers/telephony/asterisk/legTypes.ts';
import { handlePlaybackStarted, play } from '../../../../src/providers/telephony/asterisk/playback.ts';
import {
  handleAsteriskRecordingEnded,
  startLegRecording,
  takeOverRecording,
} from '../../../../src/providers/telephony/asterisk/recording.ts';

const [aDaySeconds, lookSeconds] = [24 * 3600, 15];

/** A leg at an Asterisk whose answers of that moment the test sets: a status; away; of files, whether there is one. */
const aLeg = () => {
  const told: Record<string, unknown>[] = [];
  const answers = { GET: 'away' as number | 'away', file: false, POST: 204 as number | 'away' };
  const plays: string[] = [];
  const ari = {
    ask: async (method: string, where: string) => {
      if (where.includes('/play/')) plays.push(where);
      const status = method === 'GET' ? answers.GET : answers.POST;
      if (status === 'away') throw new Error('away');
      return { status, body: {} };
    },
    file: async () => {
      if (!answers.file) throw new Error('away');
      return Buffer.alloc(1);
    },
  };
  const recordings: AriContext['recordings'] = new Map();
  const context = {
    ...{ ari, recordings, installation: 'ramal', open: () => true, log: { warn: () => {} } },
    media: { put: async () => ({ seconds: 1 }) },
    legs: { tell: (_leg: Leg, fact: Record<string, unknown>) => told.push(fact) },
  } as unknown as AriContext;
  const leg = { channel: 'a.7.1.1', machine: {}, plays: [], phase: 'up' } as unknown as Leg;
  const effect = (params: object) => ({ id: 'e', params }) as Call<never>;
  return {
    ...{ context, leg, told, answers, plays, recordings },
    play: (seconds: number): Promise<void> =>
      play(context, leg, effect({ playback: 'p1', prompts: [{ silenceMs: seconds * 1000 }] })),
    record: () => startLegRecording(context, leg, effect({ recording: 'r1', scope: 'leg', maxSeconds: 60 })),
    ends: () => handleAsteriskRecordingEnded(context, [...recordings.keys()][0]!),
  };
};

const pass = (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * 1000);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a recording', () => {
  it('is brought home although Asterisk failed twice in a row', async () => {
    const { record, ends, answers, told, recordings } = aLeg();
    await record();
    ends();
    await pass(lookSeconds);
    await pass(lookSeconds);
    expect(told).toEqual([]);
    Object.assign(answers, { GET: 404, file: true });
    await pass(lookSeconds);
    expect(told).toMatchObject([{ type: 'recorded', recording: 'r1' }]);
    expect(recordings.size).toBe(0);
  });

  it('of a leg that is taken over is brought home although Asterisk was away at that moment', async () => {
    const { context, leg, answers, told } = aLeg();
    answers.POST = 'away';
    await expect(takeOverRecording(context, leg, 'r1')).rejects.toThrow('away');
    Object.assign(answers, { GET: 404, file: true, POST: 204 });
    await pass(lookSeconds);
    expect(told).toMatchObject([{ type: 'recorded', recording: 'r1' }]);
  });

  it('is told as failed after a day without an answer', async () => {
    const { record, ends, told, recordings } = aLeg();
    await record();
    ends();
    await pass(aDaySeconds - 2 * lookSeconds);
    expect(told).toEqual([]);
    await pass(2 * lookSeconds);
    expect(told).toMatchObject([{ type: 'recordFailed', recording: 'r1' }]);
    expect(recordings.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a playback', () => {
  it('that was swallowed is asked for again although a look had no answer', async () => {
    const { play: begins, answers, plays } = aLeg();
    await begins(60);
    await pass(3);
    answers.GET = 404;
    await pass(2);
    expect(plays).toHaveLength(2);
  });

  it('whose end was missed is told as played although a look had no answer', async () => {
    const { play: begins, leg, answers, told } = aLeg();
    await begins(60);
    handlePlaybackStarted(leg, leg.plays[0]!.current!);
    await pass(60 + lookSeconds);
    answers.GET = 404;
    await pass(lookSeconds);
    expect(told).toMatchObject([{ type: 'played', playback: 'p1' }]);
  });

  it.each(['begins', 'has begun'])(
    'of which Asterisk never says whether it %s is told as failed',
    async (what) => {
      const { play: begins, leg, told } = aLeg();
      await begins(60);
      if (what === 'has begun') handlePlaybackStarted(leg, leg.plays[0]!.current!);
      await pass(10);
      expect(told).toEqual([]);
      await pass(60 + 20 * lookSeconds);
      expect(told).toMatchObject([{ type: 'playFailed', playback: 'p1' }]);
      expect(vi.getTimerCount()).toBe(0);
    },
  );
});

it('takes no answer but 404 for the word that there is no file', async () => {
  vi.useRealTimers();
  const server = createServer((request, response) => {
    response.writeHead(Number(/\d+$/.exec(request.url!)![0])).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const ari = createAri({ url: `http://127.0.0.1:${port}`, user: 'u', password: 'p' });
  expect(await ari.file('/404')).toBeUndefined();
  expect(await ari.file('/200')).toEqual(Buffer.from('{}'));
  await expect(ari.file('/500')).rejects.toThrow('500');
  await ari.close();
  server.close();
});

/** What a channel says of what plays on it, for a node that takes it over: nothing of what is not to go on. */
import { expect, it, vi } from 'vitest';
import type { TelephonyEffects } from '../../../../machines/contracts/telephony.ts';
import type { AriContext, Call } from '../../../../src/providers/telephony/asterisk/ariContext.ts';
import type { Leg } from '../../../../src/providers/telephony/asterisk/legTypes.ts';
import {
  handlePlaybackFinished,
  play,
  stopPlay,
} from '../../../../src/providers/telephony/asterisk/playback.ts';

interface Asked {
  what: 'note' | 'play' | 'stop' | 'look';
  value: string;
  answer(status: number): void;
}

/** A leg at an Asterisk that answers when the test says so. */
const aLeg = () => {
  const asked: Asked[] = [];
  const kinds = { POST: 'note', GET: 'look', DELETE: 'stop' } as const;
  const ari = {
    ask: (method: keyof typeof kinds, where: string, ask: { query?: { value?: string } } = {}) =>
      new Promise((resolve) => {
        const what = where.includes('/play/') ? 'play' : kinds[method];
        const value = ask.query?.value ?? '';
        asked.push({ what, value, answer: (status) => resolve({ status, body: undefined }) });
      }),
  };
  const told: object[] = [];
  const legs = { tell: (_leg: Leg, fact: object) => told.push(fact) };
  const context = {
    ...{ ari, legs, open: () => true, log: { warn: () => {} } },
  } as unknown as AriContext;
  const leg = { channel: 'a.7.1.1', plays: [], phase: 'up' } as unknown as Leg;
  const effect = (id: string, params: object) => ({ id, params }) as Call<never>;
  const prompts = [{ silenceMs: 60_000 }, { silenceMs: 60_000 }];
  const next = (what: Asked['what'], at = 0): Promise<Asked> =>
    vi.waitFor(() => {
      const found = asked.filter((one) => one.what === what)[at];
      if (!found) throw new Error(`Asterisk was not asked to ${what}`);
      return found;
    });
  return {
    ...{ context, leg, next, told },
    order: () =>
      asked.flatMap(({ what, value }) => {
        if (what === 'look') return [];
        return what === 'note' && value === '' ? 'note nothing' : what;
      }),
    play: (playback: string): Promise<void> => {
      const params: TelephonyEffects['play'] = { leg: 1, playback, prompts };
      return play(context, leg, effect(playback, params));
    },
    stop: (playback: string): Promise<void> =>
      stopPlay(context, leg, effect(`stop ${playback}`, { leg: 1, playback })),
  };
};

/** The same with a playback under way. */
const aPlayingLeg = async () => {
  const leg = aLeg();
  const playing = leg.play('old');
  (await leg.next('note')).answer(204);
  (await leg.next('play')).answer(201);
  await playing;
  return leg;
};

it('is asked to be nothing before the prompts are stopped', async () => {
  const { stop, next, order, leg } = await aPlayingLeg();
  const stopping = stop('old');
  (await next('stop')).answer(204);
  expect(leg.plays).toHaveLength(1);
  (await next('note', 1)).answer(204);
  await stopping;
  expect(leg.plays).toEqual([]);
  expect(order()).toEqual(['note', 'play', 'note nothing', 'stop']);
});

it('is that of what follows a stopped one, also where Asterisk is slow to note', async () => {
  const { stop, play: asksToPlay, next, order } = await aPlayingLeg();
  const stopping = stop('old');
  const following = asksToPlay('new');
  (await next('stop')).answer(204);
  await Promise.all([stopping, following]);
  expect(order()).toEqual(['note', 'play', 'note nothing', 'stop']);
  (await next('note', 1)).answer(204);
  expect((await next('note', 2)).value).toContain('"name":"new"');
});

it('is nothing when prompts are stopped while they are noted', async () => {
  const { stop, play: asksToPlay, next, order } = aLeg();
  const playing = asksToPlay('old');
  const note = await next('note');
  const stopping = stop('old');
  note.answer(204);
  (await next('note', 1)).answer(204);
  await Promise.all([playing, stopping]);
  expect(order()).toEqual(['note', 'note nothing']);
});

it('is nothing when Asterisk does not take the prompts', async () => {
  const { play: asksToPlay, next, order } = aLeg();
  const playing = asksToPlay('old');
  (await next('note')).answer(204);
  (await next('play')).answer(500);
  (await next('note', 1)).answer(204);
  await expect(playing).rejects.toThrow('500');
  expect(order()).toEqual(['note', 'play', 'note nothing']);
});

it('is nothing before it is told that a prompt failed', async () => {
  const { context, leg, next, order, told } = await aPlayingLeg();
  handlePlaybackFinished(context, leg, leg.plays[0]!.current!, false);
  expect(order()).toEqual(['note', 'play', 'note nothing']);
  expect(told).toEqual([]);
  (await next('note', 1)).answer(204);
  await expect.poll(() => told).toMatchObject([{ type: 'playFailed', playback: 'old' }]);
});

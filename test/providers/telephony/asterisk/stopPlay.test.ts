/** Stopping what plays, where Asterisk cannot at that moment: it answers 500, which no real one does when it is wanted. */
import { expect, it } from 'vitest';
import type { TelephonyEffects } from '../../../../machines/contracts/telephony.ts';
import { Retryable } from '../../../../src/engine/contract/performer.ts';
import type { AriContext, Call } from '../../../../src/providers/telephony/asterisk/ariContext.ts';
import type { Leg } from '../../../../src/providers/telephony/asterisk/legTypes.ts';
import { play, stopPlay } from '../../../../src/providers/telephony/asterisk/playback.ts';

/** A leg at an Asterisk that refuses to stop so many times. */
const aLeg = (refusals: number) => {
  const asked: string[] = [];
  let left = refusals;
  const ari = {
    ask: async (method: string, where: string) => {
      const what = where.includes('/play/') ? 'play' : method;
      if (what !== 'POST') asked.push(what);
      if (method === 'DELETE' && left-- > 0)
        return { status: 500, body: { message: 'Could not stop playback' } };
      return { status: 204, body: undefined };
    },
  };
  const told: object[] = [];
  const context = {
    ...{ ari, open: () => true, log: { warn: () => {} } },
    legs: { tell: (_leg: Leg, fact: object) => told.push(fact) },
  } as unknown as AriContext;
  const leg = { channel: 'a.7.1.1', plays: [], phase: 'up' } as unknown as Leg;
  const effect = (id: string, params: object) => ({ id, params }) as Call<never>;
  return {
    ...{ asked, told, leg },
    play: (playback: string): Promise<void> => {
      const params: TelephonyEffects['play'] = { leg: 1, playback, prompts: [{ silenceMs: 60_000 }] };
      return play(context, leg, effect(playback, params));
    },
    stop: (playback: string): Promise<void> =>
      stopPlay(context, leg, effect(`stop ${playback}`, { leg: 1, playback })),
  };
};

const playing = ({ plays }: Leg): string[] => plays.map(({ name }) => name);

it('is asked for again a moment later, and what waits begins', async () => {
  const { play, stop, asked, leg, told } = aLeg(2);
  await play('long');
  await play('next');
  await stop('long');
  await expect.poll(() => asked).toEqual(['play', 'DELETE', 'DELETE', 'DELETE', 'play']);
  expect([playing(leg), told]).toEqual([['next'], []]);
});

it('is asked for anew when the effect comes again, and nothing begins beside it until then', async () => {
  const { play, stop, asked, leg, told } = aLeg(5);
  await play('long');
  await expect(stop('long')).rejects.toThrow(Retryable);
  await play('next');
  expect(asked.filter((what) => what === 'play')).toHaveLength(1);
  await stop('long');
  await expect.poll(() => asked.filter((what) => what === 'play')).toHaveLength(2);
  expect([playing(leg), told]).toEqual([['next'], []]);
});

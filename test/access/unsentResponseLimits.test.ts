import { describe, expect, it } from 'vitest';
import { ResponseCapacity, type ReleaseResponseCapacity } from '../../src/access/unsentResponseLimits.ts';

const room = (more: object = {}): ResponseCapacity =>
  new ResponseCapacity({ long: { ofOne: 2, inAll: 3 }, waiting: 2, waitMs: 60_000, ...more });
const entered = async (answers: ResponseCapacity, owner: string): Promise<ReleaseResponseCapacity> => {
  const leave = await answers.enterLong(owner);
  if (typeof leave === 'string') throw new Error(`refused: ${leave}`);
  return leave;
};

describe('long answers', () => {
  it('are few at a time for one, and in all', async () => {
    const answers = room({ waiting: 0 });
    const leave = await entered(answers, 'a');
    await entered(answers, 'a');
    expect(await answers.enterLong('a')).toBe('own');
    await entered(answers, 'b');
    expect(await answers.enterLong('b')).toBe('all');
    leave();
    leave();
    await entered(answers, 'b');
    expect(await answers.enterLong('a')).toBe('all');
  });

  it('wait for one that is over soon, in their order, a few of each owner', async () => {
    const answers = room();
    const [one, other] = [await entered(answers, 'a'), await entered(answers, 'a')];
    const order: string[] = [];
    const waiting = ['first', 'second'].map((name) =>
      entered(answers, 'a').then((leave) => {
        order.push(name);
        return leave;
      }),
    );
    expect(await answers.enterLong('a')).toBe('own');
    one();
    (await waiting[0]!)();
    other();
    await waiting[1];
    expect(order).toEqual(['first', 'second']);
  });

  it('that wait let those of another pass', async () => {
    const answers = room();
    await entered(answers, 'a');
    const leave = await entered(answers, 'a');
    const third = entered(answers, 'a');
    await entered(answers, 'b');
    leave();
    await third;
  });

  it('wait so long and no longer', async () => {
    const answers = room({ waitMs: 10 });
    await entered(answers, 'a');
    await entered(answers, 'a');
    expect(await answers.enterLong('a')).toBe('own');
  });
});

describe('whole answers that are not read', () => {
  const bytes = { ofOne: 100, inAll: 150 };

  it('are counted by their bytes, for one and for all', () => {
    const answers = room({ bytes });
    const leave = answers.keep('a', 60);
    expect(answers.full('a')).toBeUndefined();
    const larger = answers.keep('a', 60);
    expect([answers.full('a'), answers.full('b')]).toEqual(['own', undefined]);
    answers.keep('b', 30);
    expect(answers.full('b')).toBe('all');
    larger();
    larger();
    expect([answers.full('a'), answers.full('b')]).toEqual([undefined, undefined]);
    leave();
  });

  it('take nothing from the long ones', async () => {
    const answers = room({ bytes });
    answers.keep('a', 1_000);
    await entered(answers, 'a');
  });
});

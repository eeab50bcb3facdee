import { afterEach, describe, expect, it } from 'vitest';
import type { Fact } from '../../../src/engine/contract/performer.ts';
import { OutcomeUnknown, Retryable } from '../../../src/engine/contract/performer.ts';
import {
  openSmsRouter,
  type SmsRouterRepository,
  type SmsRouter,
} from '../../../src/providers/sms/smsRouter.ts';
import type {
  SmsSubmitAnswer,
  SmsReceipt,
  SmsRoute,
  SmsToSubmit,
  OpenSmsCarrier,
} from '../../../src/providers/contracts/sms.ts';
import { handClock } from '../../helpers/handClock.ts';
import { aRoute } from './carrier.ts';

const machine = { shard: 'a', account: 9, id: 31 };
const taken: SmsSubmitAnswer = { type: 'acknowledged', providerId: 'p1', answer: 'ok' };

/** A router over a repository in memory, and a carrier that answers as told. */
const aRouter = async (
  given: { repository?: Partial<SmsRouterRepository>; answer?: () => Promise<SmsSubmitAnswer> } = {},
) => {
  const clock = handClock(1_000_000);
  const routes = { standing: [] as SmsRoute[], one: aRoute('tried', { name: 'first' }) };
  const events: string[] = [];
  const submitted: SmsToSubmit[] = [];
  const told: { machine: object; fact: Fact }[] = [];
  const warnings: string[] = [];
  const shard = { isOpen: true };
  const open: OpenSmsCarrier = (route) => {
    const { name } = route.settings as { name: string };
    if (name === 'broken') throw new Error('it is broken');
    events.push(`open ${name}`);
    return {
      submit: async (message, slow) => {
        submitted.push(message);
        if (name === 'slow') slow();
        return given.answer ? given.answer() : taken;
      },
      health: () => ({ ok: name !== 'down', detail: name }),
      stop: async () => void events.push(`close ${name}`),
    };
  };
  const router = openSmsRouter({
    repository: {
      route: async (tenant, id) => (tenant.account === 7 && id === 4 ? routes.one : undefined),
      standing: async () => routes.standing,
      message: async () => undefined,
      ...given.repository,
    },
    carriers: { tried: open },
    report: (to, fact) => told.push({ machine: to, fact }),
    tell: async (to, fact) => {
      told.push({ machine: to, fact });
      return 'heard';
    },
    isOpen: () => shard.isOpen,
    clock,
    log: { warn: (_, sentence) => warnings.push(sentence) },
  });
  await router.start();
  opened.push(router);
  const submit = async (route = 4, owner = 7) => {
    const performed = await router.performers.submitSms({
      ...{ id: 'a.9.31.1.0', name: 'submitSms', attempt: 1, seen: {} },
      params: { owner, route, to: '5511987654321', from: 'RAMAL', text: 'Olá' },
      machine: { ...machine, kind: 'message' },
      signal: new AbortController().signal,
    });
    return performed?.events?.[0];
  };
  return { router, clock, routes, events, submitted, told, warnings, shard, submit };
};

const opened: SmsRouter[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((router) => router.stop()));
});

const aReceipt = (more: Partial<SmsReceipt> = {}): SmsReceipt => ({
  ...{ providerId: 'p1', status: 'delivered', occurredAt: 5, code: '', text: '' },
  ...more,
});

describe('the SMS router', () => {
  it('hands a message to the carrier of its route, with the effect’s id', async () => {
    const { submit, submitted } = await aRouter();
    expect(await submit()).toEqual(taken);
    expect(submitted).toMatchObject([
      { id: 'a.9.31.1.0', machine, to: '5511987654321', from: 'RAMAL', text: 'Olá' },
    ]);
  });

  it.each([
    ['of another account', 4, 8],
    ['that does not exist', 5, 7],
  ])('has no way for a route %s', async (_, route, owner) => {
    const { submit, submitted } = await aRouter();
    expect(await submit(route, owner)).toMatchObject({ type: 'unavailable' });
    expect(submitted).toEqual([]);
  });

  it('has no way for a route that is broken, or of a kind it does not know', async () => {
    const { submit, routes } = await aRouter();
    routes.one = aRoute('tried', { name: 'broken' });
    expect(await submit()).toMatchObject({
      type: 'unavailable',
      text: expect.stringContaining('it is broken'),
    });
    const other = await aRouter();
    other.routes.one = aRoute('pigeon', {});
    expect(await other.submit()).toMatchObject({
      type: 'unavailable',
      text: expect.stringContaining('pigeon'),
    });
  });

  it('sends nothing while the routes cannot be read', async () => {
    const { submit } = await aRouter({
      repository: {
        route: async () => {
          throw new Error('the database is away');
        },
      },
    });
    await expect(submit()).rejects.toThrow(Retryable);
  });

  it('passes on that it is slow, and that nobody knows', async () => {
    const { submit, routes, told } = await aRouter({
      answer: async () => {
        throw new OutcomeUnknown('cut');
      },
    });
    routes.one = aRoute('tried', { name: 'slow' });
    await expect(submit()).rejects.toThrow(OutcomeUnknown);
    expect(told).toEqual([{ machine, fact: { type: 'slow' } }]);
  });

  it('opens a carrier once, and another when the route changes', async () => {
    const { submit, routes, events, clock } = await aRouter();
    await submit();
    await submit();
    routes.one = { ...aRoute('tried', { name: 'second' }), version: '2' };
    await submit();
    expect(events).toEqual(['open first']);
    clock.turn(3_000);
    await submit();
    expect(events).toEqual(['open first', 'close first', 'open second']);
  });

  it('keeps links of standing routes open, and closes them when they go', async () => {
    const { routes, events, clock, router } = await aRouter();
    routes.standing = [aRoute('tried', { name: 'first' })];
    clock.turn(5_000);
    await expect.poll(() => events).toEqual(['open first']);
    expect(router.health()).toEqual({ ok: true, detail: '1 up' });
    expect(router.link({ shard: 'a', account: 7, id: 4 })).toEqual({ ok: true, detail: 'first' });
    routes.standing = [{ ...aRoute('tried', { name: 'down' }), version: '2' }];
    router.changed();
    await expect.poll(() => events).toEqual(['open first', 'close first', 'open down']);
    expect(router.health()).toEqual({ ok: false, detail: '1 of 1 down' });
    routes.standing = [];
    router.changed();
    await expect.poll(() => events).toContain('close down');
    expect(router.link({ shard: 'a', account: 7, id: 4 })).toBeUndefined();
  });
});

describe('receipts', () => {
  const route = aRoute('tried', {});

  it('find what this process submitted', async () => {
    const { submit, router, told } = await aRouter();
    await submit();
    expect(await router.take(route, aReceipt())).toBe('heard');
    expect(told).toEqual([
      {
        machine,
        fact: { type: 'receipt', providerId: 'p1', status: 'delivered', occurredAt: 5, code: '', text: '' },
      },
    ]);
  });

  it('of another route are not those', async () => {
    const { submit, router, told } = await aRouter();
    await submit();
    expect(await router.take({ ...route, id: 5 }, aReceipt())).toBe('later');
    expect(told).toEqual([]);
  });

  it('find by the log what another process submitted', async () => {
    const { router, told } = await aRouter({ repository: { message: async () => machine } });
    expect(await router.take(route, aReceipt())).toBe('heard');
    expect(told).toMatchObject([{ machine }]);
  });

  it('go to the machine that the carrier names', async () => {
    const { router, told } = await aRouter();
    expect(await router.take(route, aReceipt({ machine }))).toBe('heard');
    expect(told).toMatchObject([{ machine, fact: { providerId: 'p1' } }]);
    expect(told[0]!.fact).not.toHaveProperty('machine');
  });

  it('that fit no message are asked to come again for a minute, and are then let go with a word', async () => {
    const { router, clock, warnings } = await aRouter();
    expect(await router.take(route, aReceipt())).toBe('later');
    clock.turn(59_000);
    expect(await router.take(route, aReceipt())).toBe('later');
    expect(warnings).toEqual([]);
    clock.turn(1_000);
    expect(await router.take(route, aReceipt())).toBe('gone');
    expect(warnings).toEqual(['a receipt fits no message']);
  });

  it('that fit no message have their minute after the shard has opened: what it lacks may be written again', async () => {
    const { router, clock, warnings, shard } = await aRouter();
    expect(await router.take(route, aReceipt())).toBe('later');
    shard.isOpen = false;
    clock.turn(90_000);
    expect(await router.take(route, aReceipt())).toBe('later');
    shard.isOpen = true;
    expect(await router.take(route, aReceipt())).toBe('later');
    clock.turn(59_000);
    expect(await router.take(route, aReceipt())).toBe('later');
    clock.turn(1_000);
    expect(await router.take(route, aReceipt())).toBe('gone');
    expect(warnings).toEqual(['a receipt fits no message']);
  });
});

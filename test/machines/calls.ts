/** Calls as tests mean them. */
import { callStateMachine } from '../../machines/call.ts';
import type { CallInput } from '../../machines/call/input.ts';
import type { CallCallback } from '../../machines/delivery/input.ts';
import { callMachineKind } from '../../machines/index.ts';
import { itemsOf } from './deliveryItems.ts';
import { Story } from './story.ts';

type Changes = {
  [Key in keyof CallInput]?: CallInput[Key] extends object ? Partial<CallInput[Key]> : CallInput[Key];
};

export const text = (words: string): { text: string; voice: string } => ({
  text: words,
  voice: 'Espeak|pt-br',
});

/** The input of a plain call that says one sentence. */
export const aCall = (changes: Changes = {}): CallInput => {
  const plain: CallInput = {
    mode: 'play',
    requestedAt: 1_700_000_000_000,
    destination: '5511999990000',
    callerId: '551130000000',
    prompts: { opening: [text('hello')], slots: {} },
    keys: {},
    digits: { count: 1, waitSeconds: 7 },
    waitInLine: false,
    lineSeconds: 60,
    music: 'music',
    schedule: { tries: 1, intervalMs: 600_000 },
    priority: 0,
    ringSeconds: 30,
    limitSeconds: 600,
    answerSeconds: 0,
    policy: { skipBlocklist: false, audioKey: 'k', waitForWindow: false },
    customerCampaign: '',
    correlation: '',
    origin: 'api',
    fixedRoutes: [],
    placeholders: {},
  };
  const merged: Record<string, unknown> = { ...plain };
  for (const [key, value] of Object.entries(changes)) {
    const before = merged[key];
    const isGroup = typeof before === 'object' && before !== null && !Array.isArray(before);
    merged[key] = isGroup ? { ...before, ...(value as object) } : value;
  }
  return merged as unknown as CallInput;
};

export const story = (changes: Changes = {}): Story => new Story(callStateMachine, aCall(changes));

/** A story whose audio is made. */
export const prepared = (changes: Changes = {}): Story => {
  const told = story(changes);
  const texts = told.count('prepareAudio')
    ? (told.last('prepareAudio')['texts'] as unknown as { text: string }[])
    : [];
  return texts.length === 0
    ? told
    : told.hears('audioPrepared', {
        audio: texts.map(({ text: said }) => ({ media: `m-${said}`, seconds: 2 })),
      });
};

/** A story whose callee rings. */
export const rung = (changes: Changes = {}): Story =>
  prepared(changes).hears('cleared', { route: 'sandbox' }).hears('ringing', { leg: 1 });

/** A story whose callee answered. */
export const picked = (changes: Changes = {}): Story => rung(changes).hears('answered', { leg: 1 });

/** How a leg ends, for `hears('hungUp', …)`. */
export const end = (
  leg: number,
  outcome = 'normal',
  more: Record<string, unknown> = {},
): Record<string, unknown> => ({
  leg,
  outcome,
  cause: 16,
  sipStatus: 0,
  by: 'them',
  ...more,
});

/** What its record says of its life so far. */
export const life = ({ context, state }: Story): Record<string, unknown> =>
  callMachineKind.record!.onUpdate(context, state);

/** Why it waits, or was not made. */
export const explained = ({ context }: Story): { rule: string; until?: number }[] =>
  callMachineKind.explain!(context);

/** A callback that wants these events of a call. */
export const callback = (...events: string[]): NonNullable<CallInput['callback']> => ({
  url: 'https://example.com/hook?token=x',
  events,
  delivery: 900,
});

/** What whoever wants callbacks is told, in order; throws when the final one is not the last. */
export const events = (told: Story): CallCallback[] => {
  const items = itemsOf(told);
  for (const [place, { subject, last }] of items.entries()) {
    const { seq, final } = subject as CallCallback;
    if (last !== final) throw new Error(`event ${seq} is ${final ? '' : 'not '}final`);
    if (final && place !== items.length - 1) throw new Error(`event ${seq} is final, and others follow`);
  }
  return items.map(({ subject }) => subject as CallCallback);
};

/** Names of the events that were told. */
export const told = (story: Story): string[] => events(story).map(({ event }) => event);

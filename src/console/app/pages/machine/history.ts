/** What entries of a history say, and what changed with one. */
export interface RequestedEffectsAndTimers {
  effects: string[];
  timers: { name: string; ms: number }[];
  /** Of an event that failed: that it did, and its error. */
  error: string | undefined;
}

/** What an entry asked for. */
export const parseRequestedEffects = ({ asked }: { asked: readonly string[] }): RequestedEffectsAndTimers => {
  if (asked[0]?.startsWith('failed:')) return { effects: [], timers: [], error: asked[0] };
  const effects: string[] = [];
  const timers: RequestedEffectsAndTimers['timers'] = [];
  for (const text of asked) {
    const [, name, ms] = /^(.+)\+(\d+)$/.exec(text) ?? [];
    if (name !== undefined) timers.push({ name, ms: Number(ms) });
    else effects.push(text);
  }
  return { effects, timers, error: undefined };
};

/** A field of the context that changed. Undefined: it was not there, or is no more. */
export interface ContextFieldChange {
  /** `talk.plays` */
  path: string;
  was: unknown;
  is: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** Changes field by field, in the order of what is now. */
export const listContextChanges = (was: Fields, is: Fields, around = ''): ContextFieldChange[] =>
  [...new Set([...Object.keys(is), ...Object.keys(was)])].flatMap((name) => {
    const [before, now] = [was[name], is[name]];
    const path = around === '' ? name : `${around}.${name}`;
    const isWhole = [before, now].some((one) => one !== undefined && !hasFields(one));
    return isWhole ? [{ path, was: before, is: now }] : listContextChanges(fields(before), fields(now), path);
  });

const fields = (value: unknown): Fields => (value ?? {}) as Fields;

const hasFields = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;

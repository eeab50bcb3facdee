/**
 * A released chart is not edited but succeeded: calls in flight were born with it. `machines/released.json` holds the
 * fingerprint of every chart version that was in a release; a release adds the current ones (see CONTRIBUTING.md).
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AnyStateMachine } from 'xstate';
import { kinds } from '../../machines/index.ts';

/** What a chart says: its states, transitions, guards and delays, with the code of those that are functions. */
const fingerprint = (machine: AnyStateMachine): string => {
  const text = JSON.stringify([machine.config, machine.implementations], (_key, value: unknown) =>
    typeof value === 'function' ? value.toString() : value,
  );
  return createHash('sha256').update(text).digest('hex');
};

const charts = new Map<string, AnyStateMachine>(
  kinds.flatMap((kind) =>
    Object.entries(kind.versions).map(([version, chart]) => [`${kind.name}:${version}`, chart] as const),
  ),
);

describe('a released chart', () => {
  const released = JSON.parse(readFileSync('machines/released.json', 'utf8')) as Record<string, string>;

  it('is still there, as it was released', () => {
    const now = Object.fromEntries(
      Object.keys(released).map((name) => [name, charts.has(name) ? fingerprint(charts.get(name)!) : 'gone']),
    );
    expect(now).toEqual(released);
  });

  it('would be told from an edited one', () => {
    const [chart] = [...charts.values()];
    const edited = Object.assign(Object.create(chart!) as AnyStateMachine, {
      config: { ...chart!.config, description: 'edited' },
    });
    expect(fingerprint(edited)).not.toBe(fingerprint(chart!));
    expect(fingerprint(chart!)).toMatch(/^[0-9a-f]{64}$/);
  });
});

import { expect, test } from 'vitest';
import { callMachineKind } from '../../machines/index.ts';
import { printEndedCallsAndMessages } from '../../src/terminal/printEndedCalls.ts';

type Machine = Parameters<ReturnType<typeof printEndedCallsAndMessages>>[2];

/** The number is all that is looked at; the rest of a call is told by the command line's test, over the service. */
const ended = (id: number): Machine => {
  const record = {
    ...callMachineKind.record!,
    onUpdate: () => ({ destination: '5511987650000', status: 'OK' }),
  };
  return {
    id,
    chart: { kind: { ...callMachineKind, record } },
    snapshot: { context: {} },
    state: 'ended',
  };
};

test('of more calls in a second than can be read the rest is counted', () => {
  const lines: string[] = [];
  let now = 1_000_000;
  const endings = printEndedCallsAndMessages({ write: (line) => void lines.push(line), now: () => now });
  const tell = (kind: string, machine: Machine, isEnd: boolean): void =>
    endings(kind, 1, machine, isEnd, 'closing', null);
  for (let id = 1; id <= 50; id += 1) tell('call', ended(id), true);
  tell('call', ended(51), false);
  tell('campaign', ended(52), true);
  expect(lines).toHaveLength(20);
  now += 1_000;
  tell('call', ended(53), true);
  expect(lines.slice(20)).toEqual([
    '          and 30 more calls and messages\n',
    expect.stringContaining('  53\n'),
  ]);
});

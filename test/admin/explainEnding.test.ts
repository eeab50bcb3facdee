/** A call that has ended, and still waits for an answer to what it asked last, says how it ended. */
import { expect, test } from 'vitest';
import { explainMachine } from '../../src/admin/explainMachine.ts';
import type { MachineView } from '../../src/engine/contract/api.ts';
import { callMachineKind } from '../../machines/index.ts';
import { end, prepared } from '../machines/calls.ts';

test('its outcome, before the number is known to rest', () => {
  const told = prepared()
    .hears('cleared', { route: 'sandbox' })
    .hears('hungUp', end(1, 'unwanted', { sipStatus: 607, cause: 21 }));
  expect(told.state).toBe('ended');
  const effect = { what: 'effect', id: 'e', name: 'restNumber', dueAt: 1, tries: 1 };
  const view = {
    ...{ shard: 'a', account: 3, id: 7, kind: 'call', version: 1, revision: 9, state: told.state },
    ...{ context: told.context, milestones: [], agenda: [effect], attention: null, createdAt: 0 },
    ...{ endedAt: null, pending: false },
  } as unknown as MachineView;
  expect(explainMachine(view, callMachineKind, 2).sentences.join(' ')).toContain('SIP 607');
});

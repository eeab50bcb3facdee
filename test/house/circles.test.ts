import { describe, expect, test } from 'vitest';
import { circles } from './circles.ts';
import { files } from './sources.ts';

/** Files that still stand in a circle. The list may only become shorter. */
const allowed = [
  'src/admin/accounts.ts',
  'src/admin/admit.ts',
  'src/admin/agents.ts',
  'src/admin/api.ts',
  'src/admin/approvedModels.ts',
  'src/admin/audios.ts',
  'src/admin/audit.ts',
  'src/admin/blocklist.ts',
  'src/admin/blocklistFile.ts',
  'src/admin/callbackReceivers.ts',
  'src/admin/callbackSettings.ts',
  'src/admin/callbacks.ts',
  'src/admin/campaigns.ts',
  'src/admin/chatLines.ts',
  'src/admin/credits.ts',
  'src/admin/deliveries.ts',
  'src/admin/deliveryProfiles.ts',
  'src/admin/events.ts',
  'src/admin/forecast/gather.ts',
  'src/admin/forecasts.ts',
  'src/admin/groups.ts',
  'src/admin/incoming.ts',
  'src/admin/lines.ts',
  'src/admin/lists.ts',
  'src/admin/lockouts.ts',
  'src/admin/machines.ts',
  'src/admin/messages.ts',
  'src/admin/operators.ts',
  'src/admin/queues.ts',
  'src/admin/sessions.ts',
  'src/admin/smsRoutes.ts',
  'src/admin/tariffs.ts',
  'src/admin/templateMedia.ts',
  'src/admin/templates.ts',
  'src/admin/tokens.ts',
  'src/admin/voices.ts',
];

const inCircles = circles(files).flat();

test('no file is imported by what it imports, types counted', () => {
  expect(inCircles.filter((path) => !allowed.includes(path))).toEqual([]);
});

test('what stands in no circle any more is taken off the list', () => {
  expect(allowed.filter((path) => !inCircles.includes(path))).toEqual([]);
});

describe('a circle is found', () => {
  const importing = (path: string, ...statements: string[]) => ({ path, text: statements.join('\n') });

  test('of two files, one of which imports types only', () => {
    const context = importing('machines/call/context.ts', `import type { Told } from './callbacks.ts';`);
    const callbacks = importing('machines/call/callbacks.ts', `import { timeOf } from './context.ts';`);
    expect(circles([context, callbacks])).toEqual([[callbacks.path, context.path]]);
  });

  test('over a third file, and no file that only leads to it', () => {
    const one = importing('src/rest/one.ts', `export { two } from './two.ts';`);
    const two = importing('src/rest/two.ts', `const late = await import('./three.ts');`);
    const three = importing('src/rest/three.ts', `import '../rest/one.ts';`);
    const outside = importing('src/main.ts', `import { one } from './rest/one.ts';`);
    expect(circles([outside, one, two, three])).toEqual([[one.path, three.path, two.path]]);
  });

  test('and none where two files import a third', () => {
    const leaf = importing('src/rest/leaf.ts');
    const left = importing('src/rest/left.ts', `import { leaf } from './leaf.ts';`);
    const right = importing('src/rest/right.ts', `import './leaf.ts';`, `import './left.ts';`);
    expect(circles([right, left, leaf])).toEqual([]);
  });
});

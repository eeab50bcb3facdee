import { describe, expect, test } from 'vitest';
import { environmentReaders, violations } from './rooms.ts';
import { files } from './sources.ts';

test('nothing points back up', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(violations(files)).toEqual([]);
});

test('only the configuration reads the environment', () => {
  expect(environmentReaders(files)).toEqual([]);
});

describe('the keeper of the rule catches', () => {
  const wrong: [string, string, string][] = [
    ['machines/call.ts', `import { step } from '../src/engine/step.ts';`, 'src/engine/step.ts'],
    ['machines/call.ts', `import { readFileSync } from 'node:fs';`, 'node:fs'],
    ['src/rules/voice/callingWindows.ts', `import type { Pool } from 'pg';`, 'types of pg'],
    [
      'src/rules/voice/callingWindows.ts',
      `import { noteEvent } from '../../../machines/call/assigns.ts';`,
      'machines/call/assigns.ts',
    ],
    [
      'src/engine/step.ts',
      `import { PrismaClient } from '../generated/prisma/client.ts';`,
      'src/generated/prisma/client.ts',
    ],
    [
      'src/engine/step.ts',
      `export * from '../store/postgresShardStore.ts';`,
      'src/store/postgresShardStore.ts',
    ],
    ['src/engine/step.ts', `const late = await import('../operations/index.ts');`, 'src/operations/index.ts'],
    [
      'src/providers/sms/sandbox.ts',
      `import {\n  start,\n} from\n  '../../engine/engine.ts';`,
      'src/engine/engine.ts',
    ],
    [
      'src/operations/MakeSms.ts',
      `import { restEndpoint } from "../rest/endpoint.ts";`,
      'src/rest/endpoint.ts',
    ],
    ['src/rest/endpoint.ts', `import '../main.ts';`, 'src/main.ts'],
    ['src/rest/endpoint.ts', `import { tools } from '../mcp/tools.ts';`, 'src/mcp/tools.ts'],
    ['src/log.ts', `import { readConfig } from './config.ts';`, 'src/config.ts'],
  ];
  test.each(wrong)('%s: %s', (path, text, what) => {
    expect(violations([{ path, text }])).toEqual([`${path} imports ${what}`]);
  });

  test('a file in no room', () => {
    expect(violations([{ path: 'src/helpers/misc.ts', text: '' }])).toEqual([
      expect.stringContaining('stands in no room'),
    ]);
  });

  test('a reader of the environment, and not a comment on it', () => {
    const reading = { path: 'src/rest/endpoint.ts', text: `const port = process.env['PORT'];` };
    const talking = { path: 'src/rest/body.ts', text: `// not process.env\n/* process.env */` };
    expect(environmentReaders([reading, talking])).toEqual(['src/rest/endpoint.ts reads the environment']);
  });
});

describe('and lets pass', () => {
  const right: [string, string][] = [
    ['machines/call.ts', `import { setup } from 'xstate';\nimport { ring } from './call/ring.ts';`],
    [
      'src/rules/voice/callingWindows.ts',
      `import type { Clearance } from '../../../machines/contracts/clearance.ts';`,
    ],
    ['src/wire/events.ts', `import { callCallbackEvents } from '../../machines/contracts/callback.ts';`],
    [
      'src/engine/step.ts',
      `import type { Kind } from '../../src/engine/contract/kind.ts';\n// import { Pool } from 'pg';`,
    ],
    [
      'src/main.ts',
      `import { kinds } from '../machines/index.ts';\nimport { openDatabase } from './store/database.ts';`,
    ],
  ];
  test.each(right)('%s: %s', (path, text) => {
    expect(violations([{ path, text }])).toEqual([]);
  });
});

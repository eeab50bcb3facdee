import { describe, expect, test } from 'vitest';
import { circles } from './circles.ts';
import { files } from './sources.ts';

test('no file is imported by what it imports, types counted', () => {
  expect(circles(files)).toEqual([]);
});

describe('a circle is found', () => {
  const importing = (path: string, ...statements: string[]) => ({ path, text: statements.join('\n') });

  test('of two files, one of which imports types only', () => {
    const context = importing(
      'machines/call/context.ts',
      `import type { Told } from './statusCallbacks.ts';`,
    );
    const callbacks = importing('machines/call/statusCallbacks.ts', `import { timeOf } from './context.ts';`);
    expect(circles([context, callbacks])).toEqual([[context.path, callbacks.path]]);
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

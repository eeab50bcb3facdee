import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { breakBuild } from './broken.ts';

let from = '';
beforeEach(() => {
  from = mkdtempSync(join(tmpdir(), 'ramal-built-'));
  mkdirSync(join(from, 'dist/src'), { recursive: true });
  writeFileSync(join(from, 'dist/src/main.js'), 'one two two');
  writeFileSync(join(from, 'package.json'), '{}');
});
afterEach(() => rmSync(from, { recursive: true }));

const edit = (text: string) => [{ file: 'src/main.js', text, instead: 'three' }];

describe('a build that is broken on purpose', () => {
  it('is a copy with the text replaced, beside everything else', () => {
    const { main, remove } = breakBuild(edit('one'), from);
    expect(readFileSync(main, 'utf8')).toBe('three two two');
    expect(readFileSync(join(main, '../../../package.json'), 'utf8')).toBe('{}');
    expect(readFileSync(join(from, 'dist/src/main.js'), 'utf8')).toBe('one two two');
    remove();
    expect(() => readFileSync(main)).toThrow('ENOENT');
    expect(readFileSync(join(from, 'package.json'), 'utf8')).toBe('{}');
  });

  it.each(['two', 'four'])('is none where %s does not stand exactly once', (text) =>
    expect(() => breakBuild(edit(text), from)).toThrow('not once'),
  );
});

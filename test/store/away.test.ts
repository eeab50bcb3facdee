import { describe, expect, it } from 'vitest';
import { isAway } from '../../src/store/away.ts';

const failed = (code: string, syscall: string): Error =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall });

describe('a database that is away', () => {
  it('is known by its connection, whatever wraps the failure', () => {
    expect(isAway(failed('ECONNREFUSED', 'connect'))).toBe(true);
    expect(isAway(failed('ENOENT', 'connect'))).toBe(true);
    expect(isAway(new Error('reading calls', { cause: failed('ECONNRESET', 'read') }))).toBe(true);
    expect(isAway(Object.assign(new Error('shutting down'), { code: '57P01' }))).toBe(true);
  });

  it('is not a file or a folder that is missing', () => {
    expect(isAway(failed('ENOENT', 'mkdir'))).toBe(false);
    expect(isAway(new Error('no such media', { cause: failed('ENOENT', 'open') }))).toBe(false);
  });
});

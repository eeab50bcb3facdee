/**
 * A released chart is not edited but succeeded: machines on their way were born with it. `machines/released.json` holds
 * the fingerprint of each file that a released version is made of (see CONTRIBUTING.md).
 */
import { describe, expect, it } from 'vitest';
import { machineKinds } from '../../machines/index.ts';
import { changedFiles, codeOf, fileOf, fingerprintsOf, readReleased } from './released.ts';

const released = Object.entries(readReleased());

describe('a released chart', () => {
  it.each(released)('%s stands as it was released', (name, fingerprints) => {
    const edited = changedFiles(name, fingerprints);
    if (edited.length > 0)
      throw new Error(
        `${name} is released: leave ${edited.join(', ')} as before, and add the next version beside it (machines/README.md)`,
      );
  });

  it('is one that the service still steps', () => {
    const versions = machineKinds.flatMap(({ name, versions: of }) =>
      Object.keys(of).map((one) => `${name}:${one}`),
    );
    expect(versions).toEqual(expect.arrayContaining(released.map(([name]) => name)));
    expect(released.length).toBeGreaterThan(0);
  });

  it('is told from an edited one, in whichever of its files that is', () => {
    const now = fingerprintsOf('delivery:1');
    expect(Object.keys(now)).toContain('machines/delivery/schedule.ts');
    const before = { ...now, 'machines/delivery/schedule.ts': 'another' };
    expect(changedFiles('delivery:1', before)).toEqual(['machines/delivery/schedule.ts']);
  });

  it('loses and gains no file unnoticed', () => {
    const { 'machines/delivery.ts': _gone, ...others } = fingerprintsOf('delivery:1');
    expect(changedFiles('delivery:1', { ...others, 'machines/delivery/former.ts': 'x' }).toSorted()).toEqual([
      'machines/delivery.ts',
      'machines/delivery/former.ts',
    ]);
  });

  it('may be commented', () => {
    const bare = 'const a = 1;\nconst b = 2;\n';
    const commented = `/**\n * Says why.\n */\nimport type { X } from './x.ts';\n\nconst a = 1;\n// The other.\nconst b = 2;\n`;
    expect(codeOf(commented)).toBe(codeOf(bare));
  });

  it('stands in a file of its version', () => {
    expect(fileOf('call:1')).toBe('machines/call.ts');
    expect(fileOf('call:2')).toBe('machines/call.2.ts');
  });
});

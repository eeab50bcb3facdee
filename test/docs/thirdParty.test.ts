import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type LockedPackages, shippedHere, shippedPackages } from '../../docs/tools/pages/thirdParty.ts';

const root = join(import.meta.dirname, '../..');

describe('what is shipped', () => {
  const shipped = shippedHere();

  test('is as it is installed, to the version and the licence', () => {
    const wrong = shipped.flatMap(({ name, version, licence }) => {
      const file = join(root, 'node_modules', name, 'package.json');
      if (!existsSync(file)) return [];
      const told = JSON.parse(readFileSync(file, 'utf8')) as { version: string; license?: string };
      // Another version of it may lie deeper.
      return told.version !== version || (told.license ?? licence) === licence
        ? []
        : [`${name}: ${told.license}`];
    });
    expect(wrong).toEqual([]);
    expect(shipped.length).toBeGreaterThan(100);
  });

  test('holds what the service imports, and none of the tools', () => {
    const names = new Set(shipped.map(({ name }) => name));
    const imported = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      // How the console is built is a tool's.
      .filter(
        (path) =>
          path.endsWith('.ts') && !/\.d\.ts$|vite\.config\.ts$|viteStatechartLayoutsPlugin\.ts$/.test(path),
      )
      .flatMap((path) => [
        ...readFileSync(join(root, 'src', path), 'utf8').matchAll(
          /(?:^(?:import|export|\})[^'\n]* from |\bimport\()'([^.'][^']*)'/gm,
        ),
      ])
      .map(([, from]) =>
        from!
          .split('/')
          .slice(0, from!.startsWith('@') ? 2 : 1)
          .join('/'),
      )
      .filter((name) => !/^(node|virtual):/.test(name));
    expect(imported.length).toBeGreaterThan(50);
    expect([...new Set(imported)].filter((name) => !names.has(name))).toEqual([]);
    expect(['vitest', 'typescript', 'prisma', 'oxlint', 'tsx'].filter((name) => names.has(name))).toEqual([]);
  });

  test('asks for its source under the GPL only where it is optional', () => {
    const copyleft = shipped.filter(({ licence }) => /GPL|EPL|MPL|CDDL/.test(licence));
    expect(copyleft.map(({ name, licence, optional }) => [name, licence, optional])).toEqual([
      ['codec-parser', 'LGPL-3.0-or-later', false],
      ['espeak-ng', 'GPL-3.0-or-later', true],
    ]);
  });
});

describe('the reader of the lock file', () => {
  const packages: LockedPackages = {
    '': { dependencies: { a: '1', mine: '1' }, optionalDependencies: { o: '1' } },
    'node_modules/mine': { link: true },
    'node_modules/a': { version: '1.0.0', license: 'MIT', dependencies: { b: '2' } },
    'node_modules/a/node_modules/b': { version: '2.0.0', license: 'ISC', dependencies: { c: '1' } },
    'node_modules/b': { version: '1.0.0', license: 'MIT' },
    'node_modules/c': {
      version: '1.0.0',
      peerDependencies: { p: '1', q: '1' },
      peerDependenciesMeta: { q: { optional: true } },
    },
    'node_modules/o': { version: '1.0.0', license: 'GPL-3.0', dependencies: { c: '1', only: '1' } },
    'node_modules/only': { version: '1.0.0', license: 'MIT' },
    'node_modules/p': { version: '1.0.0', license: 'MIT' },
    'node_modules/q': { version: '1.0.0', license: 'MIT' },
  };

  test('finds each package where Node does, and follows peers that are needed', () => {
    const found = shippedPackages(packages, (folder) =>
      folder === 'node_modules/c' ? 'BSD-3-Clause' : undefined,
    );
    expect(
      found.map(({ name, version, licence, optional }) => `${name} ${version} ${licence} ${optional}`),
    ).toEqual([
      'a 1.0.0 MIT false',
      'b 2.0.0 ISC false',
      'c 1.0.0 BSD-3-Clause false',
      'o 1.0.0 GPL-3.0 true',
      'only 1.0.0 MIT true',
      'p 1.0.0 MIT false',
    ]);
  });

  test('does not pass over a package that tells no licence', () => {
    expect(() => shippedPackages(packages, () => undefined)).toThrow('node_modules/c tells no licence');
  });
});

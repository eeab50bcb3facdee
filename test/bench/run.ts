/**
 * `npm run bench [-- section …] [--quick]`: measures, each section in a process and on a PostgreSQL of its own, and
 * prints one table. What a section leaves in memory, and what the compiler made of its code, is no burden to the next.
 * How to read it stands in docs/benchmarks.md.
 */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { circumstances, figuresOf, keep, type Measured, table } from './report.ts';
import type { Answer, Wanted } from './sectionProcess.ts';
import { sections } from './sections.ts';

const ROUNDS = 3;

/** Measures a section; throws when it did not come to its end. */
const measure = (section: string, quick: boolean): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const wanted: Wanted = { section, quick, rounds: quick ? 1 : ROUNDS };
    const child = fork(join(import.meta.dirname, 'sectionProcess.ts'), [JSON.stringify(wanted)]);
    let answer: Answer | undefined;
    child.on('message', (message) => void (answer = message as Answer));
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (answer) resolve(answer);
      else reject(new Error(`${section} ended with ${signal ?? code}`));
    });
  });

/** What was measured before a section failed is kept. */
const run = async (names: readonly string[], quick: boolean): Promise<void> => {
  const measured: Measured[] = [];
  let postgresql = '';
  try {
    for (const section of names) {
      console.error(`  ${section} …`);
      const answer = await measure(section, quick);
      measured.push(...answer.measured);
      ({ postgresql } = answer);
    }
  } finally {
    if (measured.length > 0) show(circumstances(postgresql), measured);
  }
};

const show = (about: Record<string, unknown>, measured: readonly Measured[]): void => {
  const figures = figuresOf(measured);
  const lines = Object.entries(about).map(([key, value]) => `${key}: ${String(value)}`);
  console.log(`\n${lines.join('\n')}\n\n${table(figures)}\n\nkept in ${keep(about, figures)}`);
};

const given = process.argv.slice(2);
const names = given.filter((word) => word !== '--quick');
const unknown = names.find((name) => !(name in sections));
if (unknown !== undefined) {
  console.error(`no section ${unknown}; there are ${Object.keys(sections).join(', ')}`);
  process.exit(2);
}
await run(names.length > 0 ? names : Object.keys(sections), given.includes('--quick'));

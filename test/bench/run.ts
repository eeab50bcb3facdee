/**
 * `npm run bench [-- section …] [--quick]`: measures on a PostgreSQL of its own and prints one table.
 * How to read it stands in docs/benchmarks.md.
 */
import { openBed } from './bed.ts';
import { callbacks } from './callbacks.ts';
import { forecast } from './forecast.ts';
import { generation } from './generation.ts';
import { http } from './http.ts';
import { lists } from './lists.ts';
import { recovery } from './recovery.ts';
import { circumstances, figuresOf, keep, type Measured, table } from './report.ts';
import type { Section } from './section.ts';
import { sms } from './sms.ts';
import { steps } from './steps.ts';
import { timers } from './timers.ts';

const sections: Readonly<Record<string, Section>> = {
  steps,
  timers,
  recovery,
  http,
  lists,
  generation,
  forecast,
  sms,
  callbacks,
};

const ROUNDS = 3;

const run = async (names: readonly string[], quick: boolean): Promise<void> => {
  const bed = await openBed();
  const measured: Measured[] = [];
  const say = (line: string): void => console.error(`  ${line}`);
  try {
    for (const section of names) {
      say(`${section} …`);
      await sections[section]!({
        bed,
        quick,
        rounds: quick ? 1 : ROUNDS,
        say,
        note: (name, value) => measured.push({ section, name, ...value }),
      });
    }
    const about = circumstances(bed);
    const figures = figuresOf(measured);
    console.log(
      `\n${Object.entries(about)
        .map(([key, value]) => `${key}: ${String(value)}`)
        .join('\n')}\n`,
    );
    console.log(table(figures));
    console.log(`\nkept in ${keep(about, figures)}`);
  } finally {
    await bed.stop();
  }
};

const given = process.argv.slice(2);
const names = given.filter((word) => word !== '--quick');
const unknown = names.find((name) => !(name in sections));
if (unknown !== undefined) {
  console.error(`no section ${unknown}; there are ${Object.keys(sections).join(', ')}`);
  process.exit(2);
}
await run(names.length > 0 ? names : Object.keys(sections), given.includes('--quick'));
// Nothing that is still open (an idle connection to a child) may keep a finished bench alive.
process.exit(0);

/** A section's process (`run.ts` starts it): measures on a bed of its own, and hands over what came of it. */
import { openBed } from './bed.ts';
import type { Measured } from './report.ts';
import { sections } from './sections.ts';

/** What it is to measure, as JSON, its only argument. */
export interface Wanted {
  section: string;
  quick: boolean;
  paired?: boolean;
  rounds: number;
}

export interface Answer {
  measured: Measured[];
  /** The server's version. */
  postgresql: string;
}

const { section, quick, paired = false, rounds } = JSON.parse(process.argv[2]!) as Wanted;
const bed = await openBed();
const measured: Measured[] = [];
try {
  const measure = await sections[section]!();
  await measure({
    ...{ bed, quick, paired, rounds },
    say: (line) => console.error(`  ${line}`),
    note: (name, value) => {
      measured.push({ section, name, ...value });
      console.error(`  ${name}: ${value.value.toPrecision(4)} ${value.unit}`);
    },
  });
} finally {
  await bed.stop();
}
// Nothing that is still open (an idle connection to a child) may keep a finished section alive.
process.send!({ measured, postgresql: bed.version } satisfies Answer, () => process.exit(0));

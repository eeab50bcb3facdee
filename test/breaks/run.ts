/**
 * npm run breaks
 *   --only name,…   these only
 *   --types         only look whether every break fits and compiles
 *
 * Breaks a copy of the tree in one place at a time and runs what should notice. What fails without
 * the break as well is no find. Ends with 1 when more than 5 are missed or unproven.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { openServer } from '../helpers/server.ts';
import { type Break, type By, commandOf } from './break.ts';
import { catalogue } from './catalogue.ts';
import { type Ended, run } from './command.ts';
import { copyTree, type Tree } from './tree.ts';

const MOST_MISSED = 5;

interface Trial {
  slip: Break;
  by?: By;
  ended?: Ended;
  /** The command passes without the break. */
  isProven?: boolean;
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    types: { type: 'boolean', default: false },
  },
});

/** In the order of `--only`, else in that of the catalogue. */
const chosen = (): readonly Break[] => values.only?.split(',').map(named) ?? catalogue;

const named = (name: string): Break => {
  const found = catalogue.find((slip) => slip.name === name);
  if (!found) throw new Error(`there is no break ${name}`);
  return found;
};

/** All of them at once: each must fit, and what a compiler would have said is no find of a test. */
const compile = (tree: Tree): void => {
  for (const slip of catalogue) tree.break(slip);
  execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.json'], { cwd: tree.path, stdio: 'inherit' });
  console.log(`${catalogue.length} breaks fit, and compile`);
};

/** What fails without a break proves nothing: each command that fails is run once on the mended tree, where it must pass. */
const controlIn = (tree: Tree, server: string): ((by: By) => Promise<boolean>) => {
  const known = new Map<string, Promise<boolean>>();
  return (by) => {
    const command = commandOf(by);
    const passes = known.get(command) ?? run(tree.path, by, server).then(({ how }) => how === 'passed');
    known.set(command, passes);
    return passes;
  };
};

const failing = async (tree: Tree, slip: Break, server: string): Promise<Trial> => {
  const mend = tree.break(slip);
  try {
    for (const by of slip.by) {
      const ended = await run(tree.path, by, server);
      if (ended.how !== 'passed') return { slip, by, ended };
    }
    return { slip };
  } finally {
    mend();
  }
};

const verdictOf = ({ ended, isProven }: Trial): string => {
  if (!ended) return 'MISSED';
  if (!isProven) return 'UNPROVEN';
  return ended.how === 'hung' ? 'hung' : 'caught';
};

const lineOf = (trial: Trial): string => {
  const { slip, by, ended } = trial;
  const what = by && ended ? `${commandOf(by)} (${ended.seconds.toFixed(0)} s): ${ended.said}` : slip.harm;
  return `${verdictOf(trial).padEnd(8)} ${slip.name.padEnd(36)} ${what}`;
};

const tryAll = async (tree: Tree, server: string): Promise<readonly Trial[]> => {
  const passes = controlIn(tree, server);
  const trials: Trial[] = [];
  for (const slip of chosen()) {
    const tried = await failing(tree, slip, server);
    const trial = { ...tried, isProven: tried.by !== undefined && (await passes(tried.by)) };
    trials.push(trial);
    console.log(lineOf(trial));
  }
  return trials;
};

const report = (trials: readonly Trial[]): void => {
  const missed = trials.filter(({ isProven }) => !isProven);
  const simulated = trials.filter(({ by, isProven }) => isProven && by && 'simulate' in by).length;
  console.log(
    `\n${trials.length - missed.length} of ${trials.length} caught, ${simulated} by the simulator; missed or unproven: ` +
      (missed.map(({ slip }) => slip.name).join(', ') || 'none'),
  );
  if (missed.length > MOST_MISSED) process.exitCode = 1;
};

const tree = copyTree();
try {
  if (values.types) compile(tree);
  else {
    const server = await openServer();
    try {
      report(await tryAll(tree, server.url));
    } finally {
      await server.close();
    }
  }
} finally {
  tree.remove();
}

import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/helpers/longestFirst.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/helpers/server.ts'],
    setupFiles: ['test/helpers/children.ts'],
    pool: 'forks',
    // On two processors, which they fill: some tests wait for real clocks meanwhile, and with two or seven workers all of
    // them together take half as long again.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Files of one worker share what they import: reading it anew for each costs more than many of them take. So no
    // test may leave anything behind in a module.
    isolate: false,
    // Real servers and processes answer in milliseconds; a busy machine gets patience before a test is called failed.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 150_000 } },
  },
});

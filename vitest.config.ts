import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/helpers/longestFirst.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/helpers/server.ts'],
    setupFiles: ['test/helpers/children.ts'],
    pool: 'forks',
    // Most of what takes long here waits for real clocks, not for a processor.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Files of one worker share what they import: reading it anew for each costs more than many of them take. So no
    // test may leave anything behind in a module.
    isolate: false,
    // Real servers and processes answer in milliseconds; a busy machine gets patience before a test is called failed.
    testTimeout: 90_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
});

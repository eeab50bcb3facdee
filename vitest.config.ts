import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/helpers/server.ts'],
    pool: 'forks',
    // Most of what takes long here waits for real clocks, not for a processor.
    maxWorkers: 4,
    // Real servers and processes answer in milliseconds; a busy machine gets patience before a test is called failed.
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
});

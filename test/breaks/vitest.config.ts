/** As always, with the PostgreSQL that `run.ts` has started for all of its runs, and without the build. */
import { defineConfig } from 'vitest/config';
import usual from '../../vitest.config.ts';

export default defineConfig({
  test: { ...usual.test, globalSetup: ['test/breaks/server.ts'], maxWorkers: 2 },
});

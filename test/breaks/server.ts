/** Tells the tests of the PostgreSQL that runs already. */
import type { TestProject } from 'vitest/node';

export default (project: TestProject): void => {
  const url = process.env['BREAKS_SERVER'];
  if (!url) throw new Error('BREAKS_SERVER says where PostgreSQL is: npm run breaks starts one');
  project.provide('serverUrl', url);
};

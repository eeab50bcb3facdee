/** Before each test file: what is forked comes from the build that was made before the tests. */
import { join } from 'node:path';
import { forkFromBuild } from '../../src/forkSiblingModule.ts';

forkFromBuild(join(import.meta.dirname, '../../dist'));

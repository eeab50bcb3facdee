/** Before each test file: what is forked comes from the build that was made before the tests. */
import { join } from 'node:path';
import { setBuildFolderForForks } from '../../src/forkSiblingModule.ts';

setBuildFolderForForks(join(import.meta.dirname, '../../dist'));

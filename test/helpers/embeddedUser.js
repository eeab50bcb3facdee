/**
 * A process that uses the embedded server of a folder until it is told to leave (or is killed). JavaScript on what was
 * built before the tests: a loader of TypeScript would take longer than all that it does.
 */
import { startEmbeddedPostgres } from '../../dist/src/store/embedded.js';

const server = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '' });
process.on('message', () => void server.stop().then(() => process.exit()));
process.send?.({ url: server.url, adopted: server.adopted });

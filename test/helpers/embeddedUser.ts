/** A process that uses the embedded server of a folder until it is told to leave (or is killed). */
import { startEmbedded } from '../../src/store/embedded.ts';

const server = await startEmbedded({ dataDir: process.argv[2] ?? '' });
process.on('message', () => void server.stop().then(() => process.exit()));
process.send?.({ url: server.url, adopted: server.adopted });

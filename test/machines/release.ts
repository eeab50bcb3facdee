/**
 * npm run charts:release -- message:1 template:1
 *
 * Writes what these chart versions are made of to `machines/released.json`. From then on they are not edited but
 * succeeded. A version that was released before is released again only after a change that no machine can tell, of a type
 * for instance.
 */
import { writeFileSync } from 'node:fs';
import { machineKinds } from '../../machines/index.ts';
import { fingerprintsOf, readReleased, RELEASED } from './released.ts';

const known = machineKinds.flatMap(({ name, versions }) =>
  Object.keys(versions).map((version) => `${name}:${version}`),
);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !known.includes(name));
if (wanted.length === 0 || unknown.length > 0) {
  console.error(`usage: npm run charts:release -- <kind>:<version> …, of ${known.join(', ')}`);
  process.exit(2);
}
const released = {
  ...readReleased(),
  ...Object.fromEntries(wanted.map((name) => [name, fingerprintsOf(name)])),
};
writeFileSync(RELEASED, `${JSON.stringify(released, null, 2)}\n`);
console.log(`released: ${Object.keys(released).join(', ')}`);

/** Test files that take longest begin first, so that at the end no worker is left alone with one of them. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What waits for real calls, dead processes and simulated years. */
const long = [
  'test/service/crash',
  'test/service/',
  'test/simulation/',
  'test/providers/telephony/asterisk',
  'test/store/embedded',
  'test/cli/path',
  'test/engine/cluster',
];

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = long.findIndex((part) => moduleId.includes(part));
  return place < 0 ? long.length : place;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a sequencer's own method
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

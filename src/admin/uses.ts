/** What is in use is not deleted: the refusal names what uses it. */
import type { Use } from '../store/reads/listAndAudioUses.ts';
import { writeCallId } from '../wire/callId.ts';
import { AdminError } from './adminErrorsAndRequestParsing.ts';

/** Of those that are named. */
const mostNamed = 5;

/** Throws a 409 that names them. `what`: e.g. `list 12`. */
export const refuseInUse = (what: string, uses: readonly Use[], shard: string): void => {
  if (uses.length === 0) return;
  const named = uses.slice(0, mostNamed).map((use) => sentenceOf(use, shard));
  const others = uses.length > mostNamed ? ', and others' : '';
  throw new AdminError(409, `${what} is in use: ${named.join(', ')}${others}`, {
    uses: uses.slice(0, mostNamed).map(({ what: kind, id }) => ({
      kind,
      id: kind === 'call' ? writeCallId(shard, id) : id,
    })),
  });
};

const sentenceOf = ({ what, id, name, state }: Use, shard: string): string => {
  switch (what) {
    case 'campaign':
      return `campaign ${id} (${name}) is ${state}`;
    case 'model':
      return `campaign ${id} (${name}) is a model`;
    case 'results':
      return `the results of campaign ${id} (${name}) are being delivered`;
    case 'call':
      return `call ${writeCallId(shard, id)} waits`;
  }
};

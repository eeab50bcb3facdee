/** The queues of the simulated accounts. */
import type { QueueLineInput } from '../../machines/callQueue/context.ts';
import type {
  CallQueueEvent,
  CallQueueMember,
  CallQueueStrategy,
} from '../../machines/contracts/targetResolutionAndQueue.ts';
import type { Dice } from './dice.ts';
import { ACCOUNTS } from './plan.ts';

const STRATEGIES: readonly CallQueueStrategy[] = ['ringall', 'leastrecent', 'fewestcalls', 'random'];
const MEMBERS = 8;

/** Queues of an account, by the number calls know them by. */
export const QUEUES = [1, 2];

/** The machine of a queue: its id is the queue's own, far below any minted one. */
export const lineOf = (account: number, queue: number): number => account * 10 + queue;

/** Every line that must stand before the first call. */
export const lines = (): { account: number; id: number; input: QueueLineInput }[] =>
  ACCOUNTS.flatMap((account) =>
    QUEUES.map((queue) => {
      const id = lineOf(account, queue);
      const strategy = STRATEGIES[id % STRATEGIES.length]!;
      return { account, id, input: { strategy, members: membersOf(id), active: true } };
    }),
  );

const membersOf = (line: number): CallQueueMember[] =>
  Array.from({ length: MEMBERS }, (_, index) => ({
    member: `m${index}`,
    endpoint: { kind: 'sip', uri: `sip:m${index}@line${line}` },
    penalty: index < 5 ? 0 : 1,
    active: true,
    capacity: 1 + (index % 2),
  }));

/** One of its members goes for a break, or comes back; now and then the whole line is closed for a moment. */
export const lineChange = (
  dice: Dice,
  { strategy, members }: QueueLineInput,
): CallQueueEvent & Record<string, unknown> => {
  const onBreak = dice.pick(members).member;
  const changed = members.map((member) => ({ ...member, active: member.member !== onBreak }));
  return { type: 'lineChanged', strategy, members: changed, active: dice.chance(0.95) };
};

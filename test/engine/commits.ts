/** Stores that do something otherwise than they should. */
import type { ShardMachineStore } from '../../src/engine/contract/store.ts';

/** The store with its commits done otherwise. */
export const withCommit = (
  store: ShardMachineStore,
  commit: ShardMachineStore['commit'],
): ShardMachineStore => withOther(store, 'commit', commit);

/** The store with its inbox read otherwise. */
export const withInbox = (store: ShardMachineStore, inbox: ShardMachineStore['inbox']): ShardMachineStore =>
  withOther(store, 'inbox', inbox);

/** The store with rows left in the inbox otherwise. */
export const withLeave = (store: ShardMachineStore, leave: ShardMachineStore['leave']): ShardMachineStore =>
  withOther(store, 'leave', leave);

/** The store with its rows read otherwise. */
export const withRead = (store: ShardMachineStore, read: ShardMachineStore['read']): ShardMachineStore =>
  withOther(store, 'read', read);

const withOther = <Name extends keyof ShardMachineStore>(
  store: ShardMachineStore,
  what: Name,
  other: ShardMachineStore[Name],
): ShardMachineStore =>
  new Proxy(store, {
    get: (target, name) =>
      name === what ? other : (target[name as keyof ShardMachineStore] as () => unknown).bind(target),
  });

export interface LostReply {
  /** The next commit is written, and nobody hears of it. */
  loseNext(): void;
  through(store: ShardMachineStore): ShardMachineStore;
}

/** For a node between whose store and engine a reply can be lost. */
export const aLostReply = (): LostReply => {
  let isNext = false;
  return {
    loseNext: () => void (isNext = true),
    through: (store) =>
      withCommit(store, async (lane, batch, at, ticket) => {
        const written = await store.commit(lane, batch, at, ticket);
        if (!isNext) return written;
        isNext = false;
        throw new Error('connection reset');
      }),
  };
};

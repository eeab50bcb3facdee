/** What the upstream says of numbers, kept with their lines. */
import type { ChatSenderLine } from '../providers/contracts/chat.ts';
import { updateChatLineQuality } from '../store/updateChatLineQuality.ts';
import type { LineNoticeEvent } from './chatHookEventTypes.ts';
import type { ChatHookHandlerDeps } from './scope.ts';

/** Of the hook's own account only. Notices come late and twice: one of an earlier moment changes nothing. */
export const applyLineNotices = async (
  { database, engine, log }: ChatHookHandlerDeps,
  { shard, account, id }: ChatSenderLine,
  told: readonly LineNoticeEvent[],
): Promise<void> => {
  for (const { of, quality, messagingLimit, occurredAt } of told) {
    // A clock of theirs that is ahead of ours makes no later notice an earlier one.
    const now = engine.now(shard);
    const at = Math.min(occurredAt || now, now);
    const lines = await updateChatLineQuality(
      database(shard),
      { account, ...of },
      { quality, messagingLimit, at },
    );
    if (lines === 0) log.info({ line: id, ...of }, 'a number that is of no line of the account');
  }
};

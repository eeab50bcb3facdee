/** Placing the call that was asked for: one machine started, with what must be unique claimed in the same commit. */
import type { CallInput } from '../../../../machines/call/input.ts';
import { type ClaimRequest, type MachineRef, Unavailable } from '../../../engine/contract/api.ts';
import { isTransient } from '../../../store/transientError.ts';
import { hasCorrelation } from '../../../store/reads/voice/calls.ts';
import { readCallId, writeCallId } from '../../../wire/callId.ts';
import type { Success } from '../../declare.ts';
import { replayedAnswer, digest, idempotencyClaims } from '../../idempotency.ts';
import type { Refused } from '../../refused.ts';
import type { CallRequestContext } from './params.ts';

/** How long a request of priority -20 waits for its audio, milliseconds; after that the call goes on by itself. */
const audioWaitMs = 30_000;
/** A ctid that may be used once is claimed for so long. */
const forGoodMs = 50 * 365 * 86_400_000;

/** Starts the call's machine; what must be unique is claimed in the same commit. */
export const startCall = async (ctx: CallRequestContext, input: CallInput): Promise<Success | Refused> => {
  const { account, params, services, warnings, refuse } = ctx;
  const id = services.engine.mintId(account.shard);
  const fields = {
    cd_id: writeCallId(account.shard, id),
    ...(warnings.length > 0 && { warning: warnings.join('; ') }),
  };
  const claims = [
    ...idempotencyClaims('MakeTTSCall', ctx.idempotency, params, fields),
    ...uniquenessClaims(ctx, input),
  ];
  const started = await orNotPlaced(ctx, () =>
    services.engine.start({ kind: 'call', shard: account.shard, account: account.id, id, input, claims }),
  );
  if (started.outcome === 'started') return settle(ctx, fields, false);
  // Another request was faster: with our Idempotency-Key its answer is ours, else we are its duplicate.
  const before = await replayedAnswer('MakeTTSCall', ctx);
  if (before) return settle(ctx, before, true);
  return refuse(started.key.startsWith('ctid:') ? 'correlationUsed' : 'duplicate');
};

const uniquenessClaims = ({ account, params }: CallRequestContext, input: CallInput): ClaimRequest[] => {
  const { audioKey } = input.policy;
  const same = digest({ to: input.destination, audioKey, values: input.placeholders });
  return [
    ...(params.duplicateWindow > 0
      ? [{ key: `duplicate:MakeTTSCall:${same}`, forMs: params.duplicateWindow * 1000 }]
      : []),
    ...(account.unique_ctid && params.correlation !== ''
      ? [{ key: `ctid:${params.correlation}`, forMs: forGoodMs }]
      : []),
  ];
};

/** A ctid from before the account asked for uniqueness has no claim, but a record. */
export const checkCorrelation = async ({
  account,
  params,
  services,
  refuse,
}: CallRequestContext): Promise<void> => {
  if (!account.unique_ctid || params.correlation === '') return;
  const used = await hasCorrelation(services.database(account.shard), account.id, params.correlation);
  if (used) throw refuse('correlationUsed');
};

/** Priority -20 answers when its audio is made; the others at once. */
export const settle = async (
  { account, params, services, refuse, warn }: CallRequestContext,
  fields: Record<string, unknown>,
  replayed: boolean,
): Promise<Success | Refused> => {
  if (params.priority === -20) {
    const ref = refOf(fields['cd_id'] as string, account);
    const waited = await services.engine.waitFor(ref, 'prepared', audioWaitMs);
    if (waited === 'ended') return refuse('audioFailed');
    if (waited === 'timeout') warn('the audio is still being made; the call goes on by itself');
  }
  return { fields, replayed };
};

const refOf = (callId: string, account: CallRequestContext['account']): MachineRef => {
  const { shard, id } = readCallId(callId, account.shard)!;
  return { shard, account: account.id, id };
};

/** A start that fails although database and engine are available is answered 250, and is logged as a fault of ours. */
const orNotPlaced = async <T>(
  { account, services, refuse }: CallRequestContext,
  start: () => Promise<T>,
): Promise<T> => {
  try {
    return await start();
  } catch (error) {
    if (error instanceof Unavailable || isTransient(error)) throw error;
    services.log.error({ err: error, account: account.id }, 'the call could not be started');
    throw refuse('notPlaced', undefined, { errodet: error instanceof Error ? error.message : String(error) });
  }
};

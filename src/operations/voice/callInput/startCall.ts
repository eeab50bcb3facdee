/** Placing the call that was asked for: one machine started, with what must be unique claimed in the same commit. */
import type { CallInput } from '../../../../machines/call/input.ts';
import { type ExclusiveKeyClaimRequest, type MachineRef, Unavailable } from '../../../engine/contract/api.ts';
import { isTransientDatabaseError } from '../../../store/transientError.ts';
import { hasCallWithCorrelation } from '../../../store/reads/voice/calls.ts';
import { readCallId, writeCallId } from '../../../wire/callId.ts';
import type { OperationSuccess } from '../../declare.ts';
import { replayedAnswer, digest, buildIdempotencyClaims, isIdempotencyKeyClaim } from '../../idempotency.ts';
import type { Refused } from '../../refused.ts';
import type { CallRequestContext } from './params.ts';

/** How long a request of priority -20 waits for its audio, milliseconds; after that the call goes on by itself. */
const audioWaitMs = 30_000;
/** Audio that fails in so long refuses the request, milliseconds: its step is durable before the wait is over. */
const refusedWithinMs = 25_000;
/** A ctid that may be used once is claimed for so long. */
const forGoodMs = 50 * 365 * 86_400_000;

/** Starts the call's machine; what must be unique is claimed in the same commit. */
export const startCall = async (
  ctx: CallRequestContext,
  input: CallInput,
): Promise<OperationSuccess | Refused> => {
  const { account, params, services, warnings, refuse } = ctx;
  const id = services.engine.mintId(account.shard);
  const fields = {
    cd_id: writeCallId(account.shard, id),
    ...(warnings.length > 0 && { warning: warnings.join('; ') }),
  };
  const claims = [
    ...buildIdempotencyClaims('MakeTTSCall', ctx.idempotency, params, fields),
    ...uniquenessClaims(ctx, input),
  ];
  const born = params.priority === -20 ? { ...input, refusal: refusalOf(input, claims) } : input;
  const started = await orNotPlaced(ctx, () =>
    services.engine.start({
      ...{ kind: 'call', shard: account.shard, account: account.id, id, claims },
      input: born,
    }),
  );
  if (started.outcome === 'started') return respondOnceCallAudioReady(ctx, fields, false);
  // Another request was faster: with our Idempotency-Key its answer is ours, else we are its duplicate.
  const before = await replayedAnswer('MakeTTSCall', ctx);
  if (before) return respondOnceCallAudioReady(ctx, before, true);
  // It was refused meanwhile, and gave the key back.
  if (isIdempotencyKeyClaim(started.key)) return startCall(ctx, input);
  return refuse(started.key.startsWith('ctid:') ? 'correlationUsed' : 'duplicate');
};

/** What was refused has taken nothing: neither its ctid nor its Idempotency-Key, and its repetition is no duplicate. */
const refusalOf = (
  { requestedAt }: CallInput,
  claims: readonly ExclusiveKeyClaimRequest[],
): CallInput['refusal'] => ({
  claims: claims.map(({ key }) => key),
  until: requestedAt + refusedWithinMs,
});

const uniquenessClaims = (
  { account, params }: CallRequestContext,
  input: CallInput,
): ExclusiveKeyClaimRequest[] => {
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
export const refuseUsedCorrelationId = async ({
  account,
  params,
  services,
  refuse,
}: CallRequestContext): Promise<void> => {
  if (!account.unique_ctid || params.correlation === '') return;
  const used = await hasCallWithCorrelation(services.database(account.shard), account.id, params.correlation);
  if (used) throw refuse('correlationUsed');
};

/** Priority -20 answers when its audio is made; the others at once. */
export const respondOnceCallAudioReady = async (
  ctx: CallRequestContext,
  fields: Record<string, unknown>,
  replayed: boolean,
): Promise<OperationSuccess | Refused> => {
  if (ctx.params.priority === -20) {
    const heard = await waitForAudio(ctx, refOf(fields['cd_id'] as string, ctx.account));
    if (heard === 'refused') return ctx.refuse('audioFailed');
    if (heard !== 'prepared') ctx.warn(unheard[heard]);
  }
  return { fields, replayed };
};

/** It was accepted all the same, and stands as one request. */
const unheard = {
  ended: 'the call ended before its audio was made, and was not dialled',
  timeout: 'the audio is still being made; the call goes on by itself',
} as const;

const waitForAudio = async (
  { services: { engine } }: CallRequestContext,
  call: MachineRef,
): Promise<'prepared' | 'refused' | keyof typeof unheard> => {
  const waited = await engine.waitFor(call, 'prepared', audioWaitMs);
  if (waited === 'reached') return 'prepared';
  if (waited === 'timeout') return 'timeout';
  return (await engine.waitFor(call, 'refused', audioWaitMs)) === 'reached' ? 'refused' : 'ended';
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
    if (error instanceof Unavailable || isTransientDatabaseError(error)) throw error;
    services.log.error({ err: error, account: account.id }, 'the call could not be started');
    throw refuse('notPlaced', undefined, { errodet: error instanceof Error ? error.message : String(error) });
  }
};

/** Records of calls that are posted instead of answered (spec 4.13 `rurl`). */
import type { DeliveryInput, CallRecordsPushCallback } from '../../../machines/delivery/input.ts';
import { redactUrlToHost } from '../../lib/redactUrl.ts';
import { type CallbackLogin, emptyCallbackLogin } from '../../rules/deliveries/callbackAuthHeaders.ts';
import { addUrlAllowingSettingHint } from '../../rules/deliveries/checkOutboundUrl.ts';
import { type CallQuery, countCalls } from '../../store/reads/voice/calls.ts';
import { noFurtherPage, type NextPageInfo } from './streamCallPages.ts';
import type { OperationSuccess } from '../declare.ts';
import type { CallStatusRequestContext } from './getCallStatusParams.ts';

/** Where the records go; undefined: they are answered, because no push was asked for or it may not go there. */
export const readRequestedPushUrl = ({
  params: { callbackUrl },
  services,
  warn,
}: CallStatusRequestContext): string | undefined => {
  if (callbackUrl === undefined) return undefined;
  const read = services.readTarget(callbackUrl);
  if ('href' in read) return read.href;
  warn(`rurl ${addUrlAllowingSettingHint(read.refused, callbackUrl)}: the records are in this answer`);
  return undefined;
};

/** So far records are counted for the answer; all that were asked for are posted. */
const COUNTED = 100_000;

/** What is answered at once. `queued`: the records that will be posted; `pagination`: of those that will not. */
const queued = (records: number, pagination: NextPageInfo = noFurtherPage): OperationSuccess => ({
  fields: { pagination, queued: records },
  beside: { calls: [] },
});

/** Starts the delivery. `query`: undefined when the filters cannot match anything. */
export const startCallRecordPush = async (
  ctx: CallStatusRequestContext,
  url: string,
  query: CallQuery | undefined,
): Promise<OperationSuccess> => {
  const { account, services } = ctx;
  const id = services.engine.mintId(account.shard);
  // What is dialled from now on is not in it, however late it is posted.
  const bounded = query
    ? { ...query, belowId: Math.min(query.belowId ?? id, id) }
    : { account: account.id, belowId: 0, limit: ctx.params.limit };
  const most = mostOf(ctx);
  const { count: records, last } = await countCalls(services.database(account.shard), bounded, most);
  const subject = pushOf(ctx, url, bounded, id);
  // No request is made for no call; an answer without calls is one.
  if (records === 0 && (subject.method === 'GET' || subject.type === 'form')) return queued(0);
  const input: DeliveryInput = {
    ...{ purpose: 'callback', subject, about: 'records of calls', target: redactUrlToHost(url) },
  };
  await services.engine.start({ kind: 'delivery', shard: account.shard, account: account.id, id, input });
  // Only a count that the caller's own limit cut says that calls are left, and where they go on.
  const isCut = last > 0 && most === ctx.params.limit;
  return queued(records, isCut ? { has_more: true, next_id: last } : noFurtherPage);
};

const mostOf = ({ params: { limit } }: CallStatusRequestContext): number =>
  limit === -1 ? COUNTED : Math.min(limit, COUNTED);

const pushOf = (
  ctx: CallStatusRequestContext,
  url: string,
  query: CallQuery,
  id: number,
): CallRecordsPushCallback => {
  const { account, params, services } = ctx;
  const login = loginOf(ctx);
  const { limit, ...filters } = query;
  return {
    ...{ what: 'push', url, eventId: `push_${account.shard}_${account.id}_${id}` },
    ...{ query: filters, limit, numtype: params.numberFormat ?? '', origin: params.origin },
    method: params.callbackMethod ?? (account.callback_method === 'GET' ? 'GET' : 'POST'),
    type: typeOf(params.callbackType ?? account.callback_type),
    ...(login && { login: services.callbacks.sealLogin(account.id, id, login) }),
  };
};

/** `json` for a JSON body, otherwise a form for each call. */
const typeOf = (written: string): 'json' | 'form' =>
  written.trim().toLowerCase() === 'json' ? 'json' : 'form';

/** Undefined: the account's own. */
const loginOf = ({ params }: CallStatusRequestContext): CallbackLogin | undefined => {
  const { callbackHeaders, callbackUser, callbackPassword } = params;
  if ([callbackHeaders, callbackUser, callbackPassword].every((one) => one === undefined)) return undefined;
  return {
    headers: callbackHeaders ?? emptyCallbackLogin.headers,
    user: callbackUser ?? emptyCallbackLogin.user,
    password: callbackPassword ?? emptyCallbackLogin.password,
  };
};

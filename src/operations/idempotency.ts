/**
 * Idempotency-Key: the first request's answer stands beside a claim written in the very commit that starts the work,
 * so two requests with one key can never both do it. The answer is known before, because ids are minted before.
 */
import { createHash } from 'node:crypto';
import type { ExclusiveKeyClaimRequest } from '../engine/contract/api.ts';
import { readClaimedKeyAnswer } from '../store/reads/claims.ts';
import type { RequestContext, RequestIdempotencyKey } from './declare.ts';
import type { ParamDeclarations } from './param.ts';
import type { DeclaredErrors } from './refused.ts';

/** How long the answer to an Idempotency-Key is kept, milliseconds. */
const keptForMs = 24 * 3_600_000;

/** What a request with this key asks for; undefined: it may not come again. `name`: what brought the key. */
export const idempotencyFromKey = (
  key: string | undefined,
  name?: string,
): RequestIdempotencyKey | undefined =>
  key === undefined ? undefined : { key, forMs: keptForMs, ...(name && { name }) };

/** Errors of operations that honour the header. */
export const idempotencyErrors = {
  keyMalformed: { code: '299', text: 'Idempotency-Key must be 1 to 255 printable characters' },
  keyReused: { code: '409', text: 'Idempotency-Key was used with other parameters', http: 409 },
} as const satisfies DeclaredErrors;

/** The stored form: a digest of the parameters, and the fields of the answer. */
interface Stored {
  asked: string;
  fields: Record<string, unknown>;
}

const claims = 'idempotency:';

/** Whether a claim is that of an Idempotency-Key. */
export const isIdempotencyKeyClaim = (claim: string): boolean => claim.startsWith(claims);

const claimKey = (operation: string, key: string): string =>
  `${claims}${operation}:${createHash('sha256').update(key).digest('base64url')}`;

/** The claim to make with the start; none when the request carries no key. */
export const buildIdempotencyClaims = (
  operation: string,
  idempotency: RequestIdempotencyKey | undefined,
  params: object,
  fields: Record<string, unknown>,
): ExclusiveKeyClaimRequest[] => {
  if (!idempotency) return [];
  const stored: Stored = { asked: digest(params), fields };
  return [
    { key: claimKey(operation, idempotency.key), forMs: idempotency.forMs, answer: JSON.stringify(stored) },
  ];
};

/** The fields answered before under this key; undefined when it is new. Throws the declared refusals. */
export const replayedAnswer = async <P extends ParamDeclarations, E extends typeof idempotencyErrors>(
  operation: string,
  ctx: RequestContext<P, E>,
): Promise<Record<string, unknown> | undefined> => {
  const { idempotency, account, services, refuse } = ctx;
  if (!idempotency) return undefined;
  const { key, name = 'Idempotency-Key' } = idempotency;
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw refuse('keyMalformed');
  const at = services.engine.now(account.shard);
  const answer = await readClaimedKeyAnswer(
    services.database(account.shard),
    account.id,
    claimKey(operation, key),
    at,
  );
  if (answer === undefined) return undefined;
  const stored = JSON.parse(answer) as Stored;
  if (stored.asked !== digest(ctx.params))
    throw refuse('keyReused', `${name} was used with other parameters`);
  return stored.fields;
};

/** One text for what was asked, whatever the body's format was. */
export const digest = (params: object): string =>
  createHash('sha256').update(JSON.stringify(params)).digest('base64url');

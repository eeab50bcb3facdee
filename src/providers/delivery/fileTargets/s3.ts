/** Files for customers in a bucket of S3, or of what speaks like it. A file is there as a whole or not at all. */
import { posix } from 'node:path';
import { Agent } from 'undici';
import type { S3Secret, S3Settings } from '../../../rules/deliveries/fileDeliveryProfileSchemas.ts';
import type { FileTarget, FileToDeliver } from '../../contracts/delivery.ts';
import { type S3Answer, s3Client } from '../../media/s3Client.ts';
import { validateOutboundUrl } from '../../../rules/deliveries/checkOutboundUrl.ts';
import { ssrfGuardedLookup, isAddressRefusedError, networkErrorText } from '../../ssrfGuard.ts';
import { Retryable, NotRetryable } from '../../../engine/contract/performer.ts';
import { readUpTo } from '../../readUpTo.ts';
import { type ContentWithDigest, spoolThenSend } from '../../spoolUploadWithDigest.ts';
import type { OutboundNetworkOptions } from '../ssrfGuardedSocket.ts';
import { rememberContentSourceError } from '../idleTimeout.ts';

export interface S3DeliveryTargetOptions extends Omit<S3Settings, 'delimiter'>, OutboundNetworkOptions {
  secret: S3Secret;
  /** Where a file is put together before it is sent. */
  temporary: string;
}

export const s3DeliveryTarget = (options: S3DeliveryTargetOptions): FileTarget => ({
  async put(given) {
    const content = rememberContentSourceError(given.content);
    const address = validateOutboundUrl(options.endpoint, options.allowed);
    if (typeof address === 'string') throw new NotRetryable('addressRefused', `the endpoint ${address}`);
    const dispatcher = new Agent({ connect: { lookup: ssrfGuardedLookup(options.allowed, options.lookup) } });
    try {
      await spoolThenSend(options.temporary, bytesOf(content, given.signal), (body) =>
        send({ ...options, endpoint: address.origin }, dispatcher, given, body),
      );
      return {};
    } catch (error) {
      throw content.failure() ?? kindOf(error);
    } finally {
      await dispatcher.destroy();
    }
  },
});

async function* bytesOf(content: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const part of content) {
    signal.throwIfAborted();
    yield Buffer.from(part, 'utf8');
  }
}

const send = async (
  { secret, folder, ...place }: S3DeliveryTargetOptions,
  dispatcher: Agent,
  { name, signal }: FileToDeliver,
  { bytes, sha256, content }: ContentWithDigest,
): Promise<void> => {
  const ask = s3Client({
    ...place,
    accessKey: secret.access_key,
    secretKey: secret.secret_key,
    dispatcher,
  });
  const key = posix.join(folder, name).split('/').map(encodeURIComponent).join('/');
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-length': String(bytes),
    'x-amz-content-sha256': sha256,
  };
  await judge(await ask('PUT', key, { headers, body: content(), signal }));
};

/** Of an answer, bytes: a complaint has some hundred. */
const mostBytes = 65_536;

const judge = async (answer: S3Answer): Promise<void> => {
  const text = await readUpTo(answer.body, mostBytes);
  if (answer.status < 300) return;
  const code = /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1] ?? '';
  const said = `the bucket answered ${answer.status} ${code}`.trim();
  if (answer.status === 401 || answer.status === 403) throw new NotRetryable('credentialsRefused', said);
  if (answer.status === 404) throw new NotRetryable('noBucket', said);
  throw new Retryable(said);
};

const kindOf = (cause: unknown): unknown => {
  if (cause instanceof NotRetryable || cause instanceof Retryable) return cause;
  if (isAddressRefusedError(cause))
    return new NotRetryable('addressRefused', 'the endpoint points into a private network', { cause });
  const fault = networkErrorText(cause);
  if (fault !== undefined) return new Retryable(`the bucket cannot be reached: ${fault}`, { cause });
  return (cause as Error).name === 'AbortError' ? new Retryable('broken off', { cause }) : cause;
};

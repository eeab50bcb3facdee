/** Downloads by undici, from where `ssrfGuard.ts` lets us go. */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent, Dispatcher } from 'undici';
import type { FileDownloader } from '../contracts/download.ts';
import type { DnsLookups } from '../contracts/dns.ts';
import { pipeIntoNewFile } from '../../lib/newFile.ts';
import { ssrfGuardedLookup, isAddressRefusedError } from '../ssrfGuard.ts';
import { privateNetworkRefusalText, validateOutboundUrl } from '../../rules/deliveries/checkOutboundUrl.ts';

export interface DownloadOptions {
  /** Where files are kept until they are discarded. */
  folder: string;
  /** Private networks (CIDRs) that the operator opened. */
  allowed: readonly string[];
  maxBytes: number;
  /** For the whole of it, milliseconds. Default 20 s. */
  timeoutMs?: number;
  /** Finds the addresses of names. */
  names: Pick<DnsLookups, 'prepare' | 'lookup'>;
}

const connectMs = 5_000;
const usualMs = 20_000;
/** Downloads of this process from one host at a time. */
const connections = 8;

/** What the address did wrong. */
class Refusal extends Error {}

export const openFileDownloader = (options: DownloadOptions): FileDownloader => {
  const { folder, allowed, maxBytes, names, timeoutMs = usualMs } = options;
  let agent: Agent | undefined;

  const fetchTo = async (path: string, url: URL): Promise<number> => {
    // Loaded with the first download: most services never make one.
    const undici = await import('undici');
    agent ??= new undici.Agent({
      connections,
      connect: { timeout: connectMs, lookup: ssrfGuardedLookup(allowed, names.lookup) },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    const { statusCode, headers, body } = await undici.request(url, {
      dispatcher: agent,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'audio/*, */*;q=0.5', 'accept-encoding': 'identity' },
    });
    try {
      checkHead(statusCode, headers, maxBytes);
      return await write(body, path, maxBytes);
    } finally {
      // What is not wanted any more is not read to its end. Its error was told already.
      body.on('error', () => {}).destroy();
    }
  };

  return {
    fetch: async (account, written) => {
      const url = validateOutboundUrl(written, allowed);
      if (typeof url === 'string') return { outcome: 'refused', why: url };
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `fetched-${randomUUID()}`);
      const discard = () => rm(path, { force: true });
      try {
        await names.prepare(String(account), url.hostname);
        const bytes = await fetchTo(path, url);
        return { outcome: 'fetched', file: { path, bytes, discard } };
      } catch (error) {
        await discard();
        return { outcome: 'refused', why: sentenceOf(error) };
      }
    },
    stop: async () => agent?.destroy(),
  };
};

const checkHead = (status: number, headers: Dispatcher.ResponseData['headers'], maxBytes: number): void => {
  if (status >= 300 && status < 400) throw new Refusal('redirects, which is not followed');
  if (status < 200 || status > 299) throw new Refusal(`answers with HTTP ${status}`);
  if (Number(headers['content-length']) > maxBytes) throw tooLarge(maxBytes);
};

const tooLarge = (maxBytes: number): Refusal => new Refusal(`gives more than ${maxBytes} bytes`);

const write = async (body: AsyncIterable<Uint8Array>, path: string, maxBytes: number): Promise<number> => {
  let bytes = 0;
  const counted = async function* (pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      yield piece;
    }
  };
  await pipeIntoNewFile(counted(body), path);
  return bytes;
};

const sentenceOf = (error: unknown): string => {
  if (isAddressRefusedError(error)) return privateNetworkRefusalText;
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof Refusal) return cause.message;
  const { name, code } = error as NodeJS.ErrnoException;
  const late = name === 'TimeoutError' || /TIMEOUT/.test(code ?? '');
  return late ? 'does not answer in time' : `cannot be fetched (${code ?? name})`;
};

/** Requests to S3, signed (AWS Signature Version 4), in path style, which every server of its kind understands. */
import type { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { type Dispatcher, request } from 'undici';

export interface S3Options {
  /** Without a slash at the end. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
  /** How long the server may take to begin, and then between two parts, milliseconds. Default 20,000. */
  timeoutMs?: number;
  /** How connections are made. Default anywhere. */
  dispatcher?: Dispatcher;
}

export interface S3Answer {
  status: number;
  /** Empty when there is none of this name. */
  header(name: string): string;
  body: Readable;
}

export interface S3Request {
  headers?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: Uint8Array | Readable;
  signal?: AbortSignal;
}

/** SHA-256 of nothing. */
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Rejects when the server cannot be reached; whatever it answers is an answer. */
export const s3Client = (options: S3Options) => {
  const { endpoint, bucket, region, accessKey, secretKey, timeoutMs = 20_000, dispatcher } = options;
  return async (
    method: 'GET' | 'PUT' | 'DELETE',
    key: string,
    { headers = {}, query = {}, body, signal }: S3Request = {},
  ): Promise<S3Answer> => {
    const url = new URL(`${endpoint}/${bucket}/${key}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { 'x-amz-content-sha256': EMPTY, ...headers },
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      service: 's3',
      region,
    });
    const signed = await signer.sign();
    const answer = await request(signed.url, {
      method,
      headers: Object.fromEntries(signed.headers),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      ...(body && { body }),
      ...(signal && { signal }),
      ...(dispatcher && { dispatcher }),
    });
    return {
      status: answer.statusCode,
      header: (name) => String(answer.headers[name] ?? ''),
      body: answer.body,
    };
  };
};

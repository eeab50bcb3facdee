/**
 * A server of one bucket, in memory, that is as strict as S3: it computes every signature anew from AWS's own
 * description (Signature Version 4), looks at the body's digest and wants its length.
 */
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface S3Server {
  endpoint: string;
  close(): void;
}

interface Stored {
  body: Buffer;
  type: string;
  at: Date;
}

export const login = {
  bucket: 'sounds',
  region: 'sa-east-1',
  accessKey: 'AKRAMAL',
  secretKey: 'a-secret-of-tests',
};
const PAGE = 100;

export const startS3Server = async (): Promise<S3Server> => {
  const files = new Map<string, Stored>();
  const server = createServer((request, response) => {
    void answer(files, request, response).catch((error: unknown) => refuse(response, 500, String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    endpoint: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

const answer = async (
  files: Map<string, Stored>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const body = await buffer(request);
  const url = new URL(request.url!, 'http://host');
  if (
    signatureOf(request, url) !== /Signature=([0-9a-f]{64})$/.exec(request.headers.authorization ?? '')?.[1]
  )
    return refuse(response, 403, 'SignatureDoesNotMatch');
  if (sha256(body) !== request.headers['x-amz-content-sha256'])
    return refuse(response, 400, 'XAmzContentSHA256Mismatch');
  const [, bucket, ...rest] = url.pathname.split('/');
  if (bucket !== login.bucket) return refuse(response, 404, 'NoSuchBucket');
  const key = decodeURIComponent(rest.join('/'));
  if (key === '') return list(files, url, response);
  const file = files.get(key);
  switch (request.method) {
    case 'PUT':
      if (request.headers['content-length'] === undefined)
        return refuse(response, 411, 'MissingContentLength');
      files.set(key, { body, type: request.headers['content-type'] ?? '', at: new Date() });
      return void response.writeHead(200).end();
    case 'DELETE':
      files.delete(key);
      return void response.writeHead(204).end();
    default:
      return file ? send(file, request.headers.range, response) : refuse(response, 404, 'NoSuchKey');
  }
};

const send = ({ body, type, at }: Stored, range: string | undefined, response: ServerResponse): void => {
  const headers = { 'content-type': type, 'last-modified': at.toUTCString() };
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  if (first === undefined) return void response.writeHead(200, headers).end(body);
  if (Number(first) >= body.length) return refuse(response, 416, 'InvalidRange');
  const end = Math.min(Number(last), body.length - 1);
  response.writeHead(206, { ...headers, 'content-range': `bytes ${first}-${end}/${body.length}` });
  response.end(body.subarray(Number(first), end + 1));
};

const list = (files: Map<string, Stored>, url: URL, response: ServerResponse): void => {
  if (url.searchParams.get('list-type') !== '2') return refuse(response, 400, 'InvalidArgument');
  const after = Buffer.from(url.searchParams.get('continuation-token') ?? '', 'base64').toString();
  const keys = [...files.keys()]
    .filter((key) => key.startsWith(url.searchParams.get('prefix') ?? '') && key > after)
    .toSorted();
  const page = keys.slice(0, PAGE);
  const entries = page.map((key) => {
    const { body, at } = files.get(key)!;
    return `<Contents><Key>${key}</Key><LastModified>${at.toISOString()}</LastModified><Size>${body.length}</Size></Contents>`;
  });
  // A token is anything: this one needs escaping in XML and in the address.
  const next = Buffer.from(page.at(-1) ?? '').toString('base64');
  const more = keys.length > PAGE;
  response
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(
      `<?xml version="1.0"?><ListBucketResult><IsTruncated>${more}</IsTruncated>${entries.join('')}` +
        `${more ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''}</ListBucketResult>`,
    );
};

const refuse = (response: ServerResponse, status: number, code: string): void =>
  void response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** "Create a signed AWS API request", step by step. */
const signatureOf = ({ method, headers }: IncomingMessage, url: URL): string | undefined => {
  const [, day, region, names] =
    new RegExp(
      `^AWS4-HMAC-SHA256 Credential=${login.accessKey}/(\\d{8})/([^/]+)/s3/aws4_request, SignedHeaders=([a-z0-9;-]+), `,
    ).exec(headers.authorization ?? '') ?? [];
  const time = String(headers['x-amz-date']);
  if (day === undefined || region !== login.region || !time.startsWith(day)) return undefined;
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names!.split(';').includes(name)))
    return undefined;
  const query = [...url.searchParams].map(([name, value]) => `${escaped(name)}=${escaped(value)}`).toSorted();
  const canonical = [
    method,
    url.pathname
      .split('/')
      .map((part) => escaped(decodeURIComponent(part)))
      .join('/'),
    query.join('&'),
    ...names!.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${login.secretKey}`, day), region));
  return hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex');
};

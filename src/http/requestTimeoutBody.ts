/** What a client hears whose body did not come in time, in the shape of what it asked for. */
import type { IncomingMessage } from 'node:http';
import { rpcCodes } from '../mcp/parseJsonRpcMessage.ts';
import { operations } from '../operations/index.ts';
import { buildRefusalResponse } from '../operations/run.ts';

const text = 'the body did not come in time: it was silent for 10 s, or brought less than 1 kB in 20 s';

/** JSON. */
export const requestTimeoutBody = ({ url = '' }: Pick<IncomingMessage, 'url'>): string => {
  const [path = ''] = url.split('?', 1);
  return JSON.stringify(bodyFor(path));
};

const bodyFor = (path: string): object => {
  if (/^\/mcp\/?$/.test(path))
    return { jsonrpc: '2.0', id: null, error: { code: rpcCodes.invalidRequest, message: text } };
  const name = /^\/api\/v2\/(.*)$/.exec(path)?.[1];
  if (name === undefined) return { error: text };
  const operation = operations.find((one) => `${one.name}.php` === name);
  return buildRefusalResponse(operation, '408', text, 408).body as object;
};

/** What an answer says: whether it is a fault of ours, and whether a handler ran for it. */
import type { Fate } from './connection.ts';
import type { Shot } from './mutations.ts';

/** A sentence for what must never be answered; undefined: all is well. */
export const faultOf = (fate: Fate): string | undefined => {
  if (typeof fate === 'string') return undefined;
  const { http, head, body } = fate;
  const maySay503 =
    http === 503 && (/\r\nretry-after:/i.test(head) || /"status":"degraded"|"reasons"/.test(body));
  if (http >= 500 && !maySay503) return `answered ${http}: ${body.slice(0, 300)}`;
  if (http === 0) return `no HTTP: ${head.slice(0, 100)}`;
  if (/\n\s+at [^\n]*[(:]\S+:\d+:\d+|node_modules\/|PrismaClient[A-Z]/.test(body))
    return `tells of its inside: ${body.slice(0, 300)}`;
  return undefined;
};

/** Codes of the REST door that stand for what never reached the operation. */
const outside = new Set([
  '100',
  '102',
  '110',
  '114',
  '123',
  '131',
  '142',
  '199',
  '299',
  '404',
  '405',
  '413',
  '415',
  '429',
  '503',
]);

/** Whether the handler of an operation, a tool, a route or a hook ran. */
export const reachedHandler = ({ door }: Shot, fate: Fate): boolean => {
  if (typeof fate === 'string') return false;
  const { http, body } = fate;
  return handlers[door](http, body);
};

const codeIn = (body: string): string => /"status_code":"?(\d+)/.exec(body)?.[1] ?? '';
const isOk = (http: number): boolean => http >= 200 && http < 400;

const ofOperation = (http: number, body: string): boolean =>
  http < 500 && !outside.has(codeIn(body)) && codeIn(body) !== '';

const handlers: Readonly<Record<Shot['door'], (http: number, body: string) => boolean>> = {
  rest: ofOperation,
  upload: ofOperation,
  mcp: (http, body) => http === 200 && body.includes('"result"'),
  admin: (http, body) =>
    isOk(http) ||
    http === 409 ||
    (http === 404 && body.includes('does not exist')) ||
    (http === 400 && /"field":"/.test(body) && !body.includes('NUL')),
  hooks: (http, body) => isOk(http) || (http === 400 && /no JSON object|names no message/.test(body)),
  media: (http) => isOk(http) || http === 416,
  pages: isOk,
  docs: isOk,
  sandbox: (http, body) => isOk(http) || (http === 400 && !body.includes('Unsupported request')),
};

export const statusClass = (fate: Fate): string =>
  typeof fate === 'string' ? fate : `${Math.floor(fate.http / 100)}xx`;

/** Valid requests to every door: what the fuzzer of bytes begins with. */
import { operations } from '../../../src/operations/index.ts';
import { adminRoutes } from '../../helpers/adminRoutes.ts';

/** What only the running service can tell. */
export interface Known {
  demoToken: string;
  adminToken: string;
  /** Values for parameters of the operations by name, so that their examples are served. */
  values: Readonly<Record<string, unknown>>;
  tools: readonly { name: string; inputSchema: { examples: readonly unknown[] } }[];
  /** Path and query of signed links. */
  media: readonly string[];
  hooks: { line: number; appSecret: string; verifyToken: string; route: number; receiptToken: string };
  graphToken: string;
}

export interface Seed {
  door: 'rest' | 'upload' | 'mcp' | 'admin' | 'hooks' | 'media' | 'pages' | 'docs' | 'sandbox';
  method: string;
  path: string;
  headers: [name: string, value: string][];
  /** Absent: none. */
  body?: Buffer;
  /** The body is signed with this, whatever becomes of it. */
  signWith?: string;
  /** How many lots it has. */
  weight: number;
}

const json: [string, string] = ['Content-Type', 'application/json'];
const bearer = (token: string): [string, string] => ['Authorization', `Bearer ${token}`];
const text = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

export const seedsOf = (known: Known): Seed[] => [
  ...operations.flatMap((op) => ofOperation(op, known)),
  ...ofTools(known),
  ...ofAdmin(known),
  ...ofHooks(known),
  ...ofPages(known),
];

/** Those that make machines have fewer lots: what is made stays. */
const makes = /^(Make|Create)/;

const ofOperation = (
  { name, example, upload, params }: (typeof operations)[number],
  known: Known,
): Seed[] => {
  const given: Record<string, unknown> = { ...(example.request as object), tsid: known.demoToken };
  for (const [key, value] of Object.entries(known.values)) if (key in given) given[key] = value;
  const { tsid: _, ...withoutToken } = given;
  const door = upload ? 'upload' : 'rest';
  const one = {
    door,
    method: 'POST',
    path: `/api/v2/${name}.php`,
    weight: makes.test(name) ? 2 : 8,
  } as const;
  const form = Object.entries(given)
    .map(
      ([key, value]) =>
        `${key}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
    )
    .join('&');
  const list = { maxreg: 1, search: 'x', last_id: '0', type: 'all' };
  const more = Object.fromEntries(Object.entries(list).filter(([key]) => key in params));
  return [
    { ...one, headers: [json], body: text(given) },
    { ...one, headers: [json, bearer(known.demoToken)], body: text({ ...withoutToken, ...more }) },
    { ...one, headers: [['Content-Type', 'application/x-www-form-urlencoded']], body: Buffer.from(form) },
    {
      ...one,
      headers: [['Content-Type', 'multipart/form-data; boundary=fuzz']],
      body: multipartOf(given, upload !== undefined),
    },
  ];
};

export const multipartOf = (given: Readonly<Record<string, unknown>>, withFile: boolean): Buffer =>
  Buffer.from(
    [
      ...Object.entries(given).map(
        ([key, value]) =>
          `--fuzz\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${typeof value === 'string' ? value : JSON.stringify(value)}\r\n`,
      ),
      ...(withFile
        ? [
            '--fuzz\r\nContent-Disposition: form-data; name="file"; filename="people.csv"\r\nContent-Type: text/csv\r\n\r\nphone;name\r\n11987650000;Ana\r\n\r\n',
          ]
        : []),
      '--fuzz--\r\n',
    ].join(''),
  );

const ofTools = ({ tools, demoToken }: Known): Seed[] => {
  const one = { door: 'mcp', method: 'POST', path: '/mcp', headers: [json, bearer(demoToken)] } as const;
  const call = (method: string, params: object, weight = 4): Seed => ({
    ...one,
    ...{ headers: [...one.headers], body: text({ jsonrpc: '2.0', id: 1, method, params }), weight },
  });
  return [
    call('tools/list', {}, 2),
    call('ping', {}, 8),
    call('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    }),
    ...tools.map(({ name, inputSchema }) =>
      call(
        'tools/call',
        { name, arguments: inputSchema.examples[0] ?? {} },
        /^(make|send|create)/.test(name) ? 2 : 8,
      ),
    ),
  ];
};

/** What is changed or removed there does not exist: the demo account must outlive the run. */
const ofAdmin = ({ adminToken }: Known): Seed[] =>
  adminRoutes().map(({ method, path }) => {
    const reads = method === 'GET';
    const isOfAccount = /^\/accounts\/:account\/./.test(path);
    const at = path
      .replace(':account', reads || isOfAccount ? '3' : '0')
      .replace(/\/machines\/:id/, '/machines/a_1')
      .replace(':effect', 'a.3.1.1.0')
      .replaceAll(/:\w+/g, reads ? '1' : '0');
    return {
      ...{ door: 'admin', method, path: `/admin/api${at}${reads ? '?limit=2' : ''}`, weight: reads ? 3 : 1 },
      headers: [bearer(adminToken), ...(reads ? [] : [json])],
      ...(reads || method === 'DELETE'
        ? {}
        : { body: text({ name: 'x', number: '11987650000', amount: '1' }) }),
    };
  });

const ofHooks = ({ hooks: { line, appSecret, verifyToken, route, receiptToken } }: Known): Seed[] => {
  const value = {
    ...{ messaging_product: 'whatsapp', metadata: { phone_number_id: '1' } },
    statuses: [
      { id: 'wamid.x', status: 'delivered', timestamp: '1795188600', recipient_id: '5511987650000' },
    ],
    messages: [
      { id: 'wamid.y', from: '5511987650000', timestamp: '1795188600', type: 'text', text: { body: 'Oi' } },
    ],
  };
  const hook = {
    object: 'whatsapp_business_account',
    entry: [{ id: '1', changes: [{ field: 'messages', value }] }],
  };
  const handshake = `hub.mode=subscribe&hub.verify_token=${verifyToken}&hub.challenge=1158201444`;
  return [
    {
      door: 'hooks',
      method: 'POST',
      path: `/hooks/msgapp/${line}`,
      headers: [json],
      body: text(hook),
      signWith: appSecret,
      weight: 12,
    },
    { door: 'hooks', method: 'GET', path: `/hooks/msgapp/${line}?${handshake}`, headers: [], weight: 6 },
    {
      door: 'hooks',
      method: 'GET',
      path: `/hooks/sms/${route}?token=${receiptToken}&id=17&status=DELIVRD`,
      headers: [],
      weight: 6,
    },
    {
      door: 'hooks',
      method: 'POST',
      path: `/hooks/sms/${route}?token=${receiptToken}`,
      headers: [json],
      body: text({ id: '17', status: 'DELIVRD' }),
      weight: 6,
    },
  ];
};

const ofPages = ({ media, graphToken }: Known): Seed[] => {
  const get = (door: Seed['door'], path: string, weight: number, headers: Seed['headers'] = []): Seed => ({
    ...{ door, method: 'GET', path, headers, weight },
  });
  return [
    ...media.flatMap((path) => [get('media', path, 6), get('media', path, 6, [['Range', 'bytes=0-99']])]),
    ...['/healthz', '/mcp/health'].map((path) => get('pages', path, 4)),
    ...['/readyz', '/metrics', '/openapi.json'].map((path) => get('pages', path, 1)),
    ...['/docs', '/docs/', '/docs/viewer.js', '/docs/favicon-32x32.png'].map((path) => get('docs', path, 4)),
    get('sandbox', `/sandbox/graph/v22.0/100000000000001?access_token=${graphToken}`, 6),
    {
      ...get('sandbox', '/sandbox/graph/v22.0/100000000000001/messages', 4, [json, bearer(graphToken)]),
      method: 'POST',
      body: text({ messaging_product: 'whatsapp', to: '5511987650000', type: 'text', text: { body: 'Oi' } }),
    },
  ];
};

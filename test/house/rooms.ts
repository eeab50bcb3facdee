/** The rooms of the house and who may import whom (docs/architecture.md). */

export interface Room {
  /** The folder or file that is the room; the longest one that fits a path counts. */
  at: string;
  /** Folders and files it may import, besides itself. */
  values: string[];
  /** Those it may import types from, besides the values. */
  types?: string[];
  /** Packages (and Node modules) it may use. Absent: any. */
  packages?: string[];
}

/** What the engine promises and asks for: charts and providers are written to it. */
const engineContract = 'src/engine/contract';
const contracts = ['machines', engineContract];
/** Names of callbacks' events: the one list of them, and what they mean to a chart. */
const callbackWords = 'machines/contracts/callback.ts';
/** What can be heard, to a chart and at the doors. */
const promptWords = 'machines/contracts/prompt.ts';
/** What a carrier asks for a leg: one calculation, for the chart that keeps the price and for those who compare prices. */
const legPrices = 'machines/contracts/price.ts';

/** From the inside out. */
const rooms: Room[] = [
  { at: 'machines', values: [engineContract], packages: ['xstate'] },
  {
    at: 'src/rules',
    values: [callbackWords, promptWords, legPrices, 'src/lib'],
    types: contracts,
    // Plain functions of the business: nothing that reads a file or opens a socket.
    packages: [
      'ipaddr.js',
      'libphonenumber-js',
      're2js',
      'zod',
      'node:net',
      'node:crypto',
      'node:buffer',
      'node:util',
    ],
  },
  {
    at: 'src/engine',
    // A library of its own: it imports itself, XState and Node.
    values: [],
    packages: ['xstate', 'node:crypto', 'node:util', 'node:os'],
  },
  {
    at: 'src/lib',
    // Of no trade: what any program might have.
    values: [],
    types: ['src/log.ts'],
    packages: [
      'iconv-lite',
      'ipaddr.js',
      'lru-cache',
      'node:buffer',
      'node:crypto',
      'node:events',
      'node:fs',
      'node:stream',
      'node:net',
      'node:util',
    ],
  },
  {
    at: 'src/dataFolder',
    // The folder of a process, and who else runs on it.
    values: ['src/lib/processIdentity.ts'],
    types: ['src/config.ts', 'src/log.ts'],
    packages: ['node:fs', 'node:path'],
  },
  {
    at: 'src/journal',
    // Files, and the engine's contract of them.
    values: ['src/engine/contract/journal.ts', 'src/engine/contract/ports.ts', 'src/lib/lru.ts'],
    types: ['src/engine'],
    packages: [
      'node:fs',
      'node:fs/promises',
      'node:path',
      'node:stream',
      'node:stream/promises',
      'node:zlib',
    ],
  },
  {
    at: 'src/forkSiblingModule.ts',
    values: [],
    packages: ['node:child_process', 'node:os', 'node:path', 'node:url'],
  },
  {
    at: 'src/providers',
    values: [
      engineContract,
      'machines/contracts/legOutcomeBySipAndCause.ts',
      legPrices,
      'src/rules',
      'src/lib',
      'src/forkSiblingModule.ts',
      'src/dataFolder/prepare.ts',
    ],
    types: [...contracts, 'src/store/reads', 'src/config.ts'],
  },
  {
    at: 'src/forecast',
    // It plays the charts themselves, and the real gate, on a clock of its own.
    values: [
      'machines',
      engineContract,
      'src/engine/step/compileChart.ts',
      'src/providers/dialClearance',
      'src/rules',
      'src/lib/localTime.ts',
      'src/forkSiblingModule.ts',
    ],
    types: ['src/providers/contracts/dialClearance.ts'],
    packages: ['xstate', 'node:child_process', 'node:os'],
  },
  {
    at: 'src/wire',
    values: [callbackWords, 'src/rules', 'src/lib'],
    types: [...contracts, 'src/store/reads'],
  },
  {
    at: 'src/store',
    values: ['src/engine', 'src/rules', 'src/lib', 'src/generated'],
    // What providers look up is answered here, by repositories.
    types: [...contracts, 'src/providers'],
  },
  {
    at: 'src/operations',
    values: [
      'src/engine',
      'src/store',
      'src/wire',
      'src/rules',
      'src/lib',
      'src/forkSiblingModule.ts',
      // How a delivery says that it was not tried.
      'src/providers/contracts/delivery.ts',
    ],
    // Some operations ask the upstream of chat lines themselves; they are handed a client. Others are handed the studio of
    // sounds, or say what callbacks and files of results carry.
    types: [...contracts, 'src/providers'],
  },
  {
    at: 'src/access',
    // Who comes in, at whichever door.
    values: ['src/store', 'src/rules', 'src/lib', 'src/providers/contracts/rateLimitsAndLockouts.ts'],
    types: [
      ...contracts,
      'src/operations',
      'src/providers/rateLimitsAndLockouts',
      'src/log.ts',
      'src/generated',
    ],
  },
  ...['rest', 'mcp'].map((door) => ({
    at: `src/${door}`,
    values: [
      'src/access',
      'src/operations',
      'src/engine',
      'src/store',
      'src/wire',
      'src/rules',
      'src/lib',
      // What is refused in the middle of its body ends in the same way at both.
      'src/rest/drainRefusedRequestBody.ts',
      // Assistants learn of their own calls what the administration knows of them.
      ...(door === 'mcp' ? ['src/admin', 'machines/index.ts'] : []),
    ],
    types: [
      ...contracts,
      'src/providers/contracts/rateLimitsAndLockouts.ts',
      'src/providers/chat/graphApiClient.ts',
      'src/metrics.ts',
      'src/log.ts',
      'src/generated',
    ],
  })),
  {
    at: 'src/hooks',
    // What is refused in the middle of its body ends as it does at the REST door.
    values: ['src/engine', 'src/store', 'src/lib', 'src/rules', 'src/rest/drainRefusedRequestBody.ts'],
    types: [
      ...contracts,
      'src/access',
      'src/providers/contracts/chat.ts',
      'src/providers/contracts/rateLimitsAndLockouts.ts',
      'src/providers/contracts/sms.ts',
    ],
  },
  {
    at: 'src/admin',
    // Plain records, written as they come: Prisma is the operation here.
    values: [
      'src/access',
      'src/operations',
      'src/engine',
      'src/store',
      'src/wire',
      'src/rules',
      'src/lib',
      'src/generated',
      // The multipart reader of all doors, and how what is refused in the middle of its body ends.
      'src/rest/multipart.ts',
      'src/rest/upload/refused.ts',
      'src/rest/drainRefusedRequestBody.ts',
    ],
    types: [
      ...contracts,
      'src/providers/contracts/dialClearance.ts',
      'src/providers/delivery/webhook.ts',
      // The telephone that a page plays.
      'src/providers/telephony/phone.ts',
      'src/providers/contracts/rateLimitsAndLockouts.ts',
      'src/console/travel',
      'src/forecast',
      'src/metrics.ts',
      'src/log.ts',
    ],
  },
  {
    at: 'src/console/statechart',
    // Pure: it runs at build time, in the service and in a browser. XState gives it types only.
    values: ['src/engine/contract/transitionIds.ts'],
    packages: ['xstate'],
  },
  {
    at: 'src/console',
    values: ['machines', 'src/engine/step/compileChart.ts', 'src/lib/lru.ts'],
    types: ['src/engine/contract'],
    packages: [],
  },
  {
    at: 'src/backup',
    // Databases and folders as they are, beside the service: no engine, no charts.
    values: [
      'src/store',
      'src/lib',
      'src/loadOrCreateSecrets.ts',
      'src/providers/contracts/media.ts',
      'src/providers/media/openMediaStore.ts',
    ],
    types: ['src/config.ts'],
  },
  { at: 'src/config.ts', values: ['src/config'] },
  {
    at: 'src/config',
    values: ['src/lib/ipAddressRanges.ts', 'src/lib/multiHostDatabaseUrl.ts', 'src/lib/parseUrl.ts'],
    types: ['src/config.ts'],
  },
  { at: 'src/loadOrCreateSecrets.ts', values: [], types: ['src/config.ts'] },
  { at: 'src/log.ts', values: ['src/log', 'src/lib/redactSecretFields.ts'], types: ['src/config.ts'] },
  { at: 'src/log', values: [], packages: ['node:fs', 'pino'] },
  // Pages in a browser: they know the service by its admin API only.
  {
    at: 'src/console/app',
    // Drawing is pure, and the same in a page; charts are laid out when the pages are built. The typed client loads nothing
    // of the service (test/admin/client.test.ts).
    values: [
      'src/console/statechart',
      'src/console/app/viteStatechartLayoutsPlugin.ts',
      'src/admin/client.ts',
    ],
    // Only shapes: what the stream tells, and what the machine of a line remembers.
    types: ['src/admin/console/news.ts', 'machines/callQueue/context.ts'],
    packages: ['preact', 'vite', 'vite/client', 'node:path', 'virtual:charts', 'virtual:chart.css'],
  },
  // Not in a page: it lays out charts when the pages are built.
  {
    at: 'src/console/app/viteStatechartLayoutsPlugin.ts',
    values: ['machines', 'src/console/statechart'],
    packages: ['vite'],
  },
  { at: 'src/metrics.ts', values: [], types: ['src/engine'] },
  {
    at: 'src/recovery',
    // What databases lack is written to them again, from the journals at hand.
    values: ['machines', 'src/engine', 'src/journal', 'src/store', 'src/lib', 'src/dataFolder'],
    types: ['src/config.ts', 'src/log.ts', 'src/generated'],
  },
  {
    at: 'src/http',
    // The server in front of all doors.
    values: [
      'src/access',
      'src/rules',
      'src/lib',
      'src/rest/serverErrors.ts',
      'src/rest/drainRefusedRequestBody.ts',
      'src/operations',
      'src/mcp/parseJsonRpcMessage.ts',
    ],
    types: ['src/log.ts'],
  },
  {
    at: 'src/demo',
    // The demo account: what it begins with, and the page that shows it.
    values: [
      'machines/index.ts',
      'src/access',
      'src/admin',
      'src/operations',
      'src/store',
      'src/wire',
      'src/rules',
      'src/lib',
      'src/config',
      'src/rest/upload/spilledParams.ts',
    ],
    types: [
      ...contracts,
      'machines',
      'src/engine',
      'src/config.ts',
      'src/log.ts',
      'src/mcp',
      'src/rest/home',
    ],
  },
  {
    at: 'src/terminal',
    // What somebody reads who started the service by hand.
    values: ['src/store', 'src/config'],
    types: ['src/engine', 'src/config.ts', 'src/loadOrCreateSecrets.ts'],
  },
  // Composition hands everything in, so it may see everything.
  { at: 'src/compose', values: ['src', 'machines'] },
  { at: 'src/main.ts', values: ['src', 'machines'] },
  {
    at: 'src/cli',
    // It speaks to the service over HTTP; only `doctor` looks at what the service looks at, with the service's own eyes,
    // and `rotate-key`, `backup`, `restore` and `reconcile` work on the databases, with a service or without one.
    values: [
      'src/main.ts',
      // Types of the admin API, and the small client that they are inferred for.
      'src/admin/client.ts',
      'src/backup/restore.ts',
      'src/backup/sealedSecrets.ts',
      'src/backup/takeBackup.ts',
      'src/compose/reconcileWithJournals.ts',
      'src/compose/secretKey.ts',
      'src/compose/shardStates.ts',
      'src/dataFolder/runningServices.ts',
      'src/log.ts',
      'src/config.ts',
      'src/config',
      'src/store',
      'src/providers',
      'src/lib/multiHostDatabaseUrl.ts',
      'src/lib/redactSecretFields.ts',
      'src/lib/closestKnownName.ts',
      'src/rules/voice/voiceName.ts',
      'src/rules/deliveries/webhookSignature.ts',
      'src/lib/parseUrl.ts',
    ],
    types: ['src/recovery/reconcileFromJournals.ts'],
  },
];

export interface SourceFile {
  path: string;
  text: string;
}

/** One sentence for each import that the house does not allow. */
export function violations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const room = roomOf(file.path);
    if (!room) return [`${file.path} stands in no room: give it one in test/house/rooms.ts`];
    return importsOf(file)
      .filter((one) => !mayImport(room, one))
      .map(({ target, type }) => `${file.path} imports ${type ? 'types of ' : ''}${target}`);
  });
}

/** Where a process begins: they hand the environment to others. */
const entries = ['src/main.ts', 'src/cli/main.ts'];

/** One sentence for each file that reads the environment by itself. */
export function environmentReaders(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path, text }) => !entries.includes(path) && withoutComments(text).includes('process.env'))
    .map(({ path }) => `${path} reads the environment`);
}

/** One import of a file. */
export interface Import {
  /** A path from the root of the repository, or a package. */
  target: string;
  type: boolean;
}

function roomOf(path: string): Room | undefined {
  return rooms.filter(({ at }) => within(path, at)).toSorted((a, b) => b.at.length - a.at.length)[0];
}

function mayImport(room: Room, { target, type }: Import): boolean {
  if (!/^(src|machines)\//.test(target)) return !room.packages || room.packages.includes(packageName(target));
  const allowed = [room.at, ...room.values, ...(type ? (room.types ?? []) : [])];
  return allowed.some((place) => within(target, place));
}

const within = (path: string, place: string) => path === place || path.startsWith(`${place}/`);

function packageName(target: string): string {
  const parts = target.split('/');
  return target.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
}

const statement = /\b(?:import|export)\s+(type\s)?(?:[^'"();]*?\sfrom\s+)?['"]([^'"]+)['"]/g;
const dynamic = /\bimport\s*\(\s*['"]([^'"]+)['"]/g;

/** All that a file imports, types and late imports too. */
export function importsOf({ path, text }: SourceFile): Import[] {
  const code = withoutComments(text);
  return [
    ...[...code.matchAll(statement)].map(([, type, from = '']) => ({
      target: resolve(path, from),
      type: type !== undefined,
    })),
    ...[...code.matchAll(dynamic)].map(([, from = '']) => ({ target: resolve(path, from), type: false })),
  ];
}

function resolve(path: string, from: string): string {
  return from.startsWith('.') ? new URL(from, `file:///${path}`).pathname.slice(1) : from;
}

const withoutComments = (text: string) =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');

/** What the admin API works with: handed in by the composition, and the same for all routes. */
import type { CampaignFiguresReader } from './campaigns/cachedCampaignFigures.ts';
import type { LiveHub } from './console/liveUpdateHub.ts';
import type { ConsoleOverviewReader } from './console/cachedConsoleOverview.ts';
import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Pool } from 'pg';
import type { AdminAuthDeps } from '../access/admin/identifyAdministrator.ts';
import type { MaskedNumberReferences } from '../access/admin/maskedNumberReferences.ts';
import type { AccessTokenUsageCounter } from '../access/audit/tokenUsage.ts';
import type { MachineEngine } from '../engine/contract/api.ts';
import type { Kind } from '../engine/contract/kind.ts';
import type { MachineTimeTravelCache } from '../console/travel/timeTravelCache.ts';
import type { ForecastRunner } from '../forecast/forecastProcesses.ts';
import type { ChatLine, PrismaClient } from '../generated/prisma/client.ts';
import type { Services } from '../operations/services.ts';
import type { SimulatedPhone } from '../providers/telephony/phone.ts';
import type { WebhookTransport } from '../providers/delivery/webhook.ts';
import type { UploadedFile } from '../operations/operationUploadTypes.ts';
import type { DialClearance } from '../providers/contracts/dialClearance.ts';
import type { CallbackLogin } from '../rules/deliveries/callbackAuthHeaders.ts';
import type { Delimiter } from '../rules/deliveries/csvLine.ts';
import type { DailyCallCost } from '../rules/trunks/spent.ts';
import type { TrunkRoutingTable } from '../rules/trunks/trunkTypes.ts';
import type { TrunkHealthFigures } from '../rules/trunks/health.ts';
import type { TrunkRegistration } from '../rules/trunks/sipTrunkDetails.ts';
import type { ChatLineSecretKind } from '../rules/chat/lineSecret.ts';
import type { DeliveryProfileSecret } from '../rules/deliveries/fileDeliveryProfileSchemas.ts';
import type { AuditLog } from '../store/auditLog.ts';
import type { ControlDatabase } from '../store/controlDatabase.ts';
import type { VoiceTable } from '../store/voices.ts';

export interface AdminDeps extends AdminAuthDeps {
  /** What stands for numbers where a reader sees them masked. */
  numberReferences: MaskedNumberReferences;
  audit: AuditLog;
  /** What is counted and not yet in the audit log. */
  uses: AccessTokenUsageCounter;
  /** Who is really asking. */
  addressOf(ctx: Context): string;
  /** As whom its wrong keys are counted. */
  countedAs(ctx: Context): string;
  control: ControlDatabase;
  engine: MachineEngine;
  /** Names of the data shards. */
  shards: readonly string[];
  /** Why shards are not served here, a sentence each: `shard a is closed: …`. */
  shardSentences(): string[];
  database(shard: string): PrismaClient;
  pool(shard: string): Pool;
  kind(name: string): Kind | undefined;
  voices: {
    table: VoiceTable;
    /** Those that speak here. */
    providers: readonly string[];
    /** Where a voice can be heard. */
    sampleUrl(id: number): string;
    /** The table was changed. */
    changed(): void;
  };
  callbacks: CallbackSecretsService;
  audios: AudioFileLinks;
  deliveryProfiles: DeliveryProfileSealerAndTester;
  smsRoutes: SmsRouteSealingAndLinkStatus;
  /** `SANDBOX`: accounts begin with a sandbox route for SMS. */
  sandbox: boolean;
  chatLines: ChatLineCredentialService;
  /** Private ranges (CIDRs) that callbacks may reach, and receivers that are admitted now. */
  openTargets: readonly string[];
  callbackTargets: {
    /** Admits one `host:port` for so long, milliseconds. False: there are too many. */
    admit(origin: string, forMs: number): boolean;
    /** False: it was not admitted. */
    dismiss(origin: string): boolean;
  };
  forecasts: ForecastRunner;
  /** What admission would say to a dial now. */
  wouldClear: DialClearance['wouldClear'];
  /** Trunks of the control database, and what this process has on them. */
  trunks: {
    database: PrismaClient;
    /** What this process has on a trunk, and what it may have. */
    usageOf: DialClearance['usageOf'];
    /** How it fares, by the legs of this process. */
    figuresOf(trunk: string): TrunkHealthFigures;
    /** How this process reaches a server; undefined: it has no connection to it. */
    connection(server: number): { ok: boolean; detail: string } | undefined;
    /** How a trunk with SIP details stands here; undefined: it has none, or its server is not connected. */
    registration(trunk: string): TrunkRegistration | undefined;
    /** Seals the password of a server. */
    sealPassword(server: number, password: string): string;
    /** Seals the password of a trunk at its carrier. */
    sealSipPassword(trunk: number, password: string): string;
    /** Calls go by Asterisk, not by the sandbox. */
    byAsterisk: boolean;
    capacityOf(trunk: string): { callsPerSecond: number; legs: number } | undefined;
    /** The table was changed: it is read again. Settles when calls go by it here. */
    changed(): Promise<void>;
  };
  /** Trunks, routes and pools of caller ids, as calls go by them now. */
  trunkTable(): TrunkRoutingTable;
  /** What calls of a trunk, or of an account, cost today by the clock of this zone, ten-thousandths of the currency. */
  spentToday(owner: DailyCallCost['owner'], id: number, zone: string): number;
  /** The ways of machines, for time travel. */
  travels: MachineTimeTravelCache;
  /** What moves, for streams. */
  live: LiveHub;
  /** What the console's first page shows. */
  overview: ConsoleOverviewReader;
  /** What operations of the interface are handed, when an administrator asks them. */
  services: Services;
  /** Telephones of the sandbox; absent: calls go to a real carrier. */
  phone?: SimulatedPhone | undefined;
  /** Files of one request, together no larger than `mostBytes` of this limit; they are gone when it discards them. */
  files(limit: FileLimit): RequestFileFolder;
  /** `MAX_LIST_BYTES` and `MAX_AUDIO_BYTES`. */
  mostBytes: Readonly<Record<FileLimit, number>>;
  /** A campaign's results as CSV, read while they are written. */
  results(
    tenant: { shard: string; account: number },
    campaign: number,
    delimiter: Delimiter,
  ): AsyncIterable<string>;
  /** How campaigns stand. */
  campaigns: CampaignFiguresReader;
  health(): Promise<{ ok: boolean; body: HealthBody }>;
  /** Turns what was thrown into an answer: 503 when a database is away, else 500 with the id of the request. */
  failed(
    error: unknown,
    request: string | undefined,
  ): { http: number; text: string; retryAfterSeconds?: number };
}

/** Which bound applies to a file. */
export type FileLimit = 'list' | 'audio';

/** A file that came with a request, or was made for one. */
export type RequestFile = UploadedFile;

/** Files of one request, in a folder of the service's own. */
export interface RequestFileFolder {
  /** Begins a file. Its writer throws `UploadRefused`: too large, or the disk refuses. */
  begin(about: Pick<UploadedFile, 'name' | 'field' | 'contentType'>): Promise<{
    write(piece: Uint8Array): Promise<void>;
    end(): Promise<RequestFile>;
  }>;
  /** Removes all of them. */
  discard(): Promise<void>;
}

/** Health of the service, as `/mcp/health` shows it too. */
export interface HealthBody {
  status: string;
  service: string;
  version: string;
  /** Seconds since the start. */
  uptime_s: number;
  checks: Readonly<Record<string, { ok: boolean; detail: string }>>;
}

/** Secrets of accounts' callbacks, and their targets. */
export interface CallbackSecretsService extends Pick<WebhookTransport, 'test' | 'targetsOf'> {
  /** A new secret, as it is kept. */
  newSecret(account: number): string;
  /** A secret as the receiver holds it (`whsec_…`); null when another `SECRET_KEY` sealed it. */
  openSecret(account: number, kept: string): string | null;
  sealLogin(account: number, login: CallbackLogin): string;
  /** Null when another `SECRET_KEY` sealed it. */
  openLogin(account: number, sealed: string): CallbackLogin | null;
}

/** What the routes need of the media store. */
export interface AudioFileLinks {
  /** The address under which a file can be fetched. */
  urlOf(account: number, media: string): string;
  /** A file as its response, or the part that `range` names; 404 where there is none, 416 for a range outside it. */
  serve(
    account: number,
    media: string,
    request: { method: string; range: string | undefined },
  ): Promise<{ status: number; headers: Record<string, string>; stream?: Readable }>;
  /** Forgets files, also those that are not there. */
  forget(account: number, media: readonly string[]): Promise<void>;
}

/** Credentials of delivery profiles, and their test. */
export interface DeliveryProfileSealerAndTester {
  /** Credentials as they are kept. */
  seal(account: number, profile: number, secret: DeliveryProfileSecret): string;
  /** Puts a small file there and says what happened. */
  test(
    tenant: { shard: string; account: number },
    profile: number,
  ): Promise<
    | { delivered: true; file: string; host_key?: string; certificate?: string }
    | { delivered: false; reason: string; message: string }
  >;
}

/** Credentials of SMS routes, and how their links fare. */
export interface SmsRouteSealingAndLinkStatus {
  /** Credentials as they are kept. */
  seal(account: number, route: number, secret: object): string;
  /** Routes were made, changed or removed. */
  changed(): void;
  /** How this node's link of a route fares; undefined: it has none open. */
  link(route: { shard: string; account: number; id: number }): { ok: boolean; detail: string } | undefined;
}

/** Credentials of chat lines. */
export interface ChatLineCredentialService {
  /** A credential as it is kept; empty for an empty one. */
  seal(account: number, line: number, secret: ChatLineSecretKind, text: string): string;
  /** Whether all credentials of a line can be opened here. */
  opens(line: ChatLine): boolean;
  /** What lines can send to: the built-in upstream (`SANDBOX`), a real one (`GRAPH_URL`). */
  upstreams: { sandbox: boolean; real: boolean };
  /** A line was made, changed or removed: what is believed of lines is read anew. */
  changed(): void;
}

/** Trunks as rules read them: ways to the telephone network, the servers they are on, and the routes that name them. */
import type { CallingWindows } from '../voice/callingWindows.ts';
import type { CallerIdPool } from './chooseCallerId.ts';

/** `draining`: what is under way goes on, nothing new begins. */
export type TrunkOperatingMode = 'on' | 'draining' | 'off';

export interface TelephonyServer {
  id: number;
  name: string;
  kind: 'asterisk' | 'sandbox';
  state: TrunkOperatingMode;
}

/** What a carrier asks for calls to numbers that begin like this. */
export interface TrunkPrice {
  /** First digits in international format; empty: every number. */
  prefix: string;
  /** Ten-thousandths of the currency. */
  perMinute: bigint;
  /** Paid for at least. */
  firstSeconds: number;
  /** What is longer is paid for in whole steps of so many seconds. */
  stepSeconds: number;
}

/** First digits in international format. */
export interface ClosedPrefixes {
  /** Numbers that begin otherwise are closed; empty: none is closed by this. */
  open: readonly string[];
  /** Numbers that begin like this are closed, also where `open` names them. */
  closed: readonly string[];
}

export interface Trunk {
  id: number;
  /** The text of `route` and `tfix`. */
  name: string;
  /** Id of the server. */
  server: number;
  state: TrunkOperatingMode;
  /** New legs a second. */
  callsPerSecond: number;
  /** Legs at a time. */
  legs: number;
  /** Caller ids that it may show, digits in international format; `*` at the end stands for any rest. Empty: any. */
  callerIds: readonly string[];
  /** SIP statuses after which the next trunk is tried. */
  failover: readonly number[];
  closedPrefixes: ClosedPrefixes;
  /** What its calls may cost in a day, ten-thousandths of the currency; absent: no matter. */
  spendPerDay?: number | null;
  /** Null: at any time. */
  hours: CallingWindows | null;
  prices: readonly TrunkPrice[];
  /** Which far end the sandbox simulates. */
  simulates: 'first' | 'second';
  /** How Asterisk dials, with `{number}`; empty for the sandbox. */
  dialPattern: string;
  /** `5511987654321`, `+5511987654321`, `011987654321`. */
  numberFormat: 'e164' | 'plus' | 'national';
}

/** Which trunks carry which numbers. */
export interface TrunkRoute {
  id: number;
  /** The smallest is taken where two are alike. */
  position: number;
  /** First digits in international format; empty: every number. */
  prefix: string;
  line: 'any' | 'mobile' | 'fixed';
  /** State of the number, two letters; empty: any. */
  region: string;
  /** Null: every account, every campaign. */
  account: number | null;
  campaign: number | null;
  order: 'fixed' | 'share' | 'leastCost';
  /** `share`: percent. */
  trunks: readonly { trunk: string; share?: number }[];
  active: boolean;
}

/** Everything that is chosen from. Trunks come by id. */
export interface TrunkRoutingTable {
  trunks: readonly Trunk[];
  routes: readonly TrunkRoute[];
  servers: readonly TelephonyServer[];
  /** Default none. */
  callerIdPools?: readonly CallerIdPool[];
}

/** A leg that wants a trunk. */
export interface TrunkChoiceRequest {
  /** As it is dialled; a SIP address is in no prefix and no region. */
  number: string;
  account: number;
  campaign?: number;
  /** Empty: the carrier's own. */
  callerId: string;
  /** Any of these may be shown in its place (`chooseTrunksWithPool`). */
  callerIds?: readonly string[];
  /** Names of `tfix`, in order: these and no others. Empty: as the routes say. */
  forced: readonly string[];
  /** 0 ≤ draw < 1, from `randomDrawForAttempt`. */
  draw: number;
  /** Epoch milliseconds. */
  at: number;
  /** The zone in which trunks' hours are read. Default `America/Sao_Paulo`. */
  zone?: string;
  /** Trunks that this attempt was tried on. */
  tried?: readonly string[];
  /** Trunks whose calls of today cost as much as they may. */
  spentOut?: readonly string[];
  /** Trunks whose server cannot be reached: they are left out where another may carry the leg. */
  away?: readonly string[];
  /** Trunks that failed too often of late: they are left out where another may carry the leg. */
  resting?: readonly string[];
}

/** Why a trunk does not carry a leg. `dayLimit`: its calls of today cost as much as they may; `serverOff`: its server takes no calls, or cannot be reached; `resting`: it failed too often of late. */
export type TrunkExclusionReason =
  | 'off'
  | 'draining'
  | 'serverOff'
  | 'closedPrefix'
  | 'hours'
  | 'dayLimit'
  | 'callerId'
  | 'tried'
  | 'notRouted'
  | 'resting';

export interface TrunkCandidates {
  /** The best first. */
  candidates: readonly Trunk[];
  /** Id of the route that named them; absent: trunks were forced, or no route matches. */
  route?: number;
  leftOut: readonly { trunk: string; reason: TrunkExclusionReason }[];
  /** Out of which the caller id is chosen once a trunk is; absent: the call shows its own. */
  pool?: CallerIdPool;
}

/** Trunks of the sandbox say so by their names, so that records do: `sandbox`, `sandbox-b`. */
export const isSandboxTrunk = (name: string): boolean => /^sandbox(?:-|$)/.test(name);

/**
 * What was seen from outside, in the order it was seen. The judge reads this and nothing else, so whatever it says can
 * be shown line by line. Nothing in it is an opinion.
 */
import type { FaultName } from './catalogue.ts';
import type { TrunkSeen } from './trunkEvidence.ts';

/** What a customer can ask for that goes on after the answer. */
export type Work = 'call' | 'sms' | 'chat';

export type Seen =
  /** A customer wants something done. `tag` names the wish: it goes with the request, and the far end sees it. */
  | { kind: 'asked'; work: Work; account: number; tag: string }
  /** One answer to one request. `http` 0: none came. `code`: the status_code of the envelope. */
  | ({ kind: 'answered' } & Answered)
  /** The wish was granted: what the service called it. */
  | { kind: 'acknowledged'; work: Work; account: number; tag: string; id: string }
  /** The service said no, and for good. */
  | { kind: 'refused'; work: Work; account: number; tag: string; code: string; id: string }
  | ({ kind: 'dialled' } & Dialled)
  /** The service hung this leg up: it lived until now. */
  | { kind: 'hungUp'; call: string; leg: string }
  | ({ kind: 'submitted' } & Submitted)
  /** The service confirmed a receipt. */
  | { kind: 'receipted'; carrier: string; tag: string; delivered: boolean }
  | ({ kind: 'calledBack' } & CalledBack)
  /** `http` 0: no answer. */
  | { kind: 'health'; node: string; path: string; http: number; ms: number; said: string }
  | { kind: 'memory'; node: string; bytes: number }
  | { kind: 'started'; node: string; pid: number; ready: boolean }
  /** `ours`: we ended it. */
  | { kind: 'exited'; node: string; pid: number; how: string; ours: boolean; words: string }
  /** `node`: which it hit; empty: all, or none in particular. `count`: how many single things it did. */
  | { kind: 'fault'; fault: FaultName; phase: 'began' | 'ended'; node: string; count: number; note: string }
  /**
   * What became of the database within a fault. `away`: it takes no writes, or nobody hears of them; `whole`: it takes them
   * again, and the journal of every node is at hand. `note`: what of it is known, e.g. how much was lost. `lostFrom`: what
   * was written from this moment on, until it was away, is not in it.
   */
  | { kind: 'database'; fault: FaultName; phase: 'away' | 'whole'; note: string; lostFrom?: number }
  /** What a node wrote to its log within a second. */
  | { kind: 'logged'; node: string; lines: number; bytes: number; sample: string }
  /** A secret stood in a log. `what`: whose; never the secret itself. */
  | { kind: 'leaked'; node: string; what: string; line: string }
  /** No more is done to the service from here on; it should come to rest. */
  | { kind: 'mended' }
  | CampaignSeen
  | TrunkSeen
  /** At the end, by the service's own record. `status` as the record names it. */
  | {
      kind: 'record';
      work: Work;
      account: number;
      id: string;
      tag: string;
      status: string;
      refunded: boolean;
    }
  /** A line of an account's ledger at the end, in ten-thousandths. */
  | { kind: 'entry'; account: number; entry: string; units: number; message: string }
  /** What an account holds at the end, and what its messages cost. */
  | { kind: 'balance'; account: number; units: number; prices: Prices };

/** What was seen of campaigns: what their owner asked for and had acknowledged, and at the end what the service says. */
export type CampaignSeen =
  /** A campaign was acknowledged under its id. */
  | ({ kind: 'campaign' } & CampaignAsked)
  /** A change of it was acknowledged; `askedAt`: when it was asked for first, by the clock of `at`. */
  | { kind: 'changed'; campaign: string; askedAt: number; active?: boolean; perMinute?: number | null }
  /** A number was put on the account's block list. */
  | { kind: 'blocked'; account: number; number: string; askedAt: number }
  /** At the end: where it stands, and what it counts. */
  | { kind: 'standing'; account: number; campaign: string; tag: string; state: string; answered: number }
  /** At the end, a record that is dialled; `call`: its call, empty for none. */
  | {
      kind: 'destination';
      campaign: string;
      number: string;
      call: string;
      state: string;
      status: string;
      reason: string;
    }
  /** At the end, a record that was left out. */
  | { kind: 'skipped'; campaign: string; number: string; reason: string };

/** Times in milliseconds, moments by the clock of `at`. */
export interface CampaignAsked {
  account: number;
  /** Names the wish; it is the campaign's name. */
  tag: string;
  /** What the service called it. */
  campaign: string;
  askedAt: number;
  /** In the order of its list, as the carrier sees them; one that is there twice stands there twice. */
  numbers: readonly string[];
  /** `resends` and one. */
  attempts: number;
  /** Between the end of an attempt and the next. */
  intervalMs: number;
  /** Calls a minute; null: as many as the carrier takes. */
  perMinute: number | null;
  /** `max_answered`; null: no limit. */
  maxAnswered: number | null;
  /** Not before this moment. Absent: from the beginning on. */
  opensAt?: number;
  active: boolean;
}

/** Of a message by its channel, ten-thousandths. */
export interface Prices {
  sms: number;
  chat: number;
}

export interface Answered {
  /** Who asked: `customer`, `innocent`, or the fault. */
  by: string;
  door: string;
  /** The wish that it was about; empty: none. */
  tag: string;
  node: string;
  http: number;
  code: string;
  ms: number;
  /** What was said, or why there was no answer; cut short. */
  said: string;
}

/** The carrier dialled. */
export interface Dialled {
  call: string;
  leg: string;
  attempt: number;
  number: string;
  /** How long it rings at the most before the carrier gives up, milliseconds. */
  rings?: number;
  /** When it says that it took the dial, by the wall clock of the node and the beginning of `at`. */
  took?: number;
}

/** A carrier, gateway or upstream was handed a message. */
export interface Submitted {
  carrier: string;
  tag: string;
  /** `silent`: it took it, and its answer was none, or nonsense. */
  result: 'taken' | 'refused' | 'silent';
  /** Whether it brings a receipt of what it took. */
  receipts: boolean;
}

export interface CalledBack {
  account: number;
  /** `event_id`. */
  id: string;
  /** The call or message it is about. */
  subject: string;
  event: string;
  seq: number;
  final: boolean;
  /** Whether its signature fits. */
  signed: boolean;
  /** Of what it says. */
  digest: string;
  /** What we answered; 0: nothing. */
  answer: number;
}

/** `at`: milliseconds since the beginning, by a clock that nothing here steps. */
export type Evidence = Seen & { at: number };
/** Evidence of one kind. */
export type Of<Kind extends Seen['kind']> = Extract<Seen, { kind: Kind }> & { at: number };

export class Ledger {
  readonly lines: Evidence[] = [];
  readonly #began = performance.now();
  /** Epoch milliseconds of its beginning, by this machine's clock. */
  readonly epoch = Date.now();

  now(): number {
    return Math.round(performance.now() - this.#began);
  }

  /** Of the process that ended last. */
  lastWords(): string {
    return only(this.lines, 'exited').at(-1)?.words ?? '';
  }

  add(seen: Seen): void {
    this.lines.push({ at: this.now(), ...seen });
  }
}

/** The lines of one kind, in order. */
export const only = <Kind extends Seen['kind']>(lines: readonly Evidence[], kind: Kind): Of<Kind>[] =>
  lines.filter((line): line is Of<Kind> => line.kind === kind);

/** Lines by what `key` says of them. */
export const by = <T>(lines: readonly T[], key: (line: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const line of lines) {
    const group = groups.get(key(line));
    if (group) group.push(line);
    else groups.set(key(line), [line]);
  }
  return groups;
};

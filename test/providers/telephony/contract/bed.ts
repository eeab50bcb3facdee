/** What a carrier brings to its contract: an instance of ours, numbers that behave, a count of dials. */
import type { ReportFactToMachine } from '../../../../src/engine/contract/performer.ts';
import type { Telephony } from '../../../../src/providers/contracts/telephony.ts';

/** One running instance of a provider, as one process would have it. */
export interface Instance {
  telephony: Telephony;
  /** Cuts it off as `kill -9` would: no goodbye to the carrier, nothing more reported. */
  abandon(): Promise<void>;
}

/** Numbers of the bed's carrier, by what happens when one dials them. */
export interface BedNumbers {
  answers: string;
  busy: string;
  neverAnswers: string;
  congestion: string;
  unreachable: string;
  machine: string;
  human: string;
  /** Answers and hangs up while the first prompt plays. */
  hangsUp: string;
  /** Answers and presses `digits` while or shortly after a prompt plays. */
  presses: { number: string; digits: string };
  /** Answers and talks, so that recordings have sound. */
  speaks: string;
}

export interface TelephonyBed {
  numbers: BedNumbers;
  /** A new instance against the same carrier, started. May be called again while another runs. */
  start(report: ReportFactToMachine): Promise<Instance>;
  /** How often the carrier was asked to ring for this channel (`legId`), over all instances. */
  dialCount(channel: string): Promise<number>;
  /** The media store that every instance was given. */
  media: {
    put(account: number, id: string, wav: Buffer): Promise<void>;
    read(account: number, id: string): Promise<Buffer>;
  };
  close(): Promise<void>;
}

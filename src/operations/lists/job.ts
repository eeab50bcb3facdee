/** A list that is to be loaded from its file, and what came of it. */
import type { ExclusiveKeyClaimRequest } from '../../engine/contract/api.ts';

/** All that a process must know: plain values. */
export interface ListLoadJob {
  account: number;
  id: number;
  name: string;
  correlation: string;
  /** Epoch milliseconds. */
  at: number;
  maxRecords: number;
  /** A list of which no record is accepted is stored too, so that those that were refused can be corrected. */
  keepsAllRefused: boolean;
  file: { path: string; name: string };
  /** `records`: the parameter `datajson`, which is JSON whatever it is called. */
  as: 'file' | 'records';
}

/** A list that was stored. */
export interface ListLoadSuccess {
  id: number;
  /** Records that were taken, and refused. */
  accepted: number;
  rejected: number;
  /** Records with values beyond the last column, which were not kept. */
  cut: number;
  /** Stored. */
  bytes: number;
}

/**
 * Why there is no list. `executable`: a program; `notJson`: JSON that is none, or holds no records; `broken`: CSV
 * that breaks; `tooMany` records; `empty`: no record was accepted; `claimed`: another owner holds a claim.
 */
export interface ListLoadFailure {
  failed: 'executable' | 'notJson' | 'broken' | 'tooMany' | 'empty' | 'claimed';
  /** A sentence for the caller. */
  why: string;
  /** Of a CSV file that breaks: where (`ListBroken`). */
  line?: number | undefined;
}

/** The claims that are made in the commit which stores the list. */
export type MakeKeyClaimsForList = (loaded: ListLoadSuccess) => Promise<ExclusiveKeyClaimRequest[]>;

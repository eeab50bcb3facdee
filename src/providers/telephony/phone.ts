/** The telephone of a called person, which a page of the console shows; of the sandbox carrier only. */
export interface SimulatedPhone {
  /** A leg as it stands; undefined: it was never dialled, or ended long ago. */
  see(machine: LegOwner, leg: number): PhoneState | undefined;
  /** The person does something; answers as `see`. Rejects with a `Retryable` when the carrier's log cannot be written. */
  act(machine: LegOwner, leg: number, act: SimulatedPersonAction): Promise<PhoneState | undefined>;
}

/**
 * What the called person does. `take`: nothing yet, but from now on the number does nothing by itself. `answer` and `reject`
 * (it is busy) while it rings; `press` while it is up; `hangUp` at any time, before the answer it rejects.
 */
export type SimulatedPersonAction =
  | { what: 'take' | 'answer' | 'reject' | 'hangUp' }
  /** `0` to `9`, `*` or `#`. */
  | { what: 'press'; key: string };

export interface LegOwner {
  shard: string;
  account: number;
  id: number;
}

export interface PhoneState {
  state: 'dialing' | 'ringing' | 'up' | 'ended';
  /** A page has taken it: the number does nothing by itself any more. */
  inHand: boolean;
  /** What is heard now: files by their ids, how long it lasts in all and since when, milliseconds; null: nothing. */
  hears: { playback: string; media: readonly string[]; lastsMs: number; forMs: number } | null;
}

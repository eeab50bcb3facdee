/** What hooks are handed. */
import type { Pool } from 'pg';
import type { MachineEngine } from '../engine/contract/api.ts';
import type { AcknowledgementWaits } from './acknowledgementWaits.ts';
import type { ChatSenderLine } from '../providers/contracts/chat.ts';

export interface ChatHookHandlerDeps {
  engine: Pick<MachineEngine, 'send' | 'start' | 'waitFor' | 'now' | 'standsOpen'>;
  database(shard: string): Pool;
  /** A line by its id alone; undefined: there is none. Throws when it cannot be known now. */
  findLine(id: number): Promise<ChatSenderLine | undefined>;
  /** Another line of the same account and class, by what the upstream calls it. */
  sibling(line: ChatSenderLine, identity: string): Promise<ChatSenderLine | undefined>;
  /** The account's callback URL; empty: none. */
  callbackUrl(account: number): Promise<string>;
  /** Where receipts wait for the acknowledgement of their message. */
  waits: AcknowledgementWaits;
  /**
   * Turns an error into an answer: 503 when the database or the engine is unavailable, else 500 with an incident id.
   */
  failed(error: unknown): { http: number; text: string; retryAfterSeconds?: number };
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
}

/** What happened cannot be taken yet: the upstream must bring it again. */
export class HookMustBeResent extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'HookMustBeResent';
  }
}

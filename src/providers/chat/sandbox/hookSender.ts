/** Brings the hooks of the sandbox upstream: when they are due, signed, and again until they are taken. */
import { createHmac } from 'node:crypto';
import type { ChatSenderLine } from '../../contracts/chat.ts';

export interface SandboxChatHookToSend {
  /** Names it; one that is under way is not brought twice. */
  id: string;
  /** Epoch milliseconds. */
  dueAt: number;
  lines: readonly number[];
  body(line: ChatSenderLine): object;
  /** Called once: every line accepted it, or none will any more. */
  done(): Promise<void>;
}

export interface SandboxChatHookDispatcherOptions {
  line(id: number): Promise<ChatSenderLine | undefined>;
  /** Brings one to this service; settles with the HTTP status. */
  bring(hook: { channel: string; line: number; rawBody: Buffer; signature: string }): Promise<number>;
  clock: { now(): number; after(ms: number, run: () => void): () => void };
}

/** Pauses between attempts, milliseconds; after the last one the hook is forgotten, as upstreams do in the end. */
const pausesMs = [1_000, 3_000, 10_000, 30_000, 120_000, 600_000];

export class SandboxHookLoopbackSender {
  readonly #options: SandboxChatHookDispatcherOptions;
  readonly #alarms = new Map<string, () => void>();
  readonly #underWay = new Set<Promise<void>>();

  constructor(options: SandboxChatHookDispatcherOptions) {
    this.#options = options;
  }

  send(hook: SandboxChatHookToSend, attempt = 0): void {
    const { clock } = this.#options;
    if (attempt === 0 && this.#alarms.has(hook.id)) return;
    const ms = attempt === 0 ? Math.max(0, hook.dueAt - clock.now()) : pausesMs[attempt - 1]!;
    this.#alarms.set(
      hook.id,
      clock.after(ms, () => this.#setOut(hook, attempt)),
    );
  }

  /** Settles when nothing is being brought any more. */
  async stop(): Promise<void> {
    for (const callOff of this.#alarms.values()) callOff();
    this.#alarms.clear();
    await Promise.all(this.#underWay);
  }

  #setOut(hook: SandboxChatHookToSend, attempt: number): void {
    const carried = this.#carry(hook, attempt).finally(() => this.#underWay.delete(carried));
    this.#underWay.add(carried);
  }

  async #carry(hook: SandboxChatHookToSend, attempt: number): Promise<void> {
    const taken = await this.#bringAll(hook).catch(() => false);
    // Called off in the meantime: it comes again after the next start.
    if (!this.#alarms.delete(hook.id)) return;
    if (taken || attempt === pausesMs.length) await hook.done().catch(() => {});
    else this.send(hook, attempt + 1);
  }

  /** A line that cannot check signatures, or is gone, hears nothing. */
  async #bringAll({ lines, body }: SandboxChatHookToSend): Promise<boolean> {
    for (const id of lines) {
      const line = await this.#options.line(id);
      const appSecret = line?.openAppSecret() ?? '';
      if (!line || appSecret === '') continue;
      const rawBody = Buffer.from(JSON.stringify(body(line)));
      const signature = `sha256=${createHmac('sha256', appSecret).update(rawBody).digest('hex')}`;
      const http = await this.#options.bring({ channel: line.class, line: id, rawBody, signature });
      if (http >= 500) return false;
    }
    return true;
  }
}

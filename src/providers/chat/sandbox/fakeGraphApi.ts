/** What the sandbox upstream keeps: messages until the last receipt was taken, and templates. */
import { randomBytes } from 'node:crypto';
import type { ChatLine, LineClass } from '../../chat.ts';
import type { GraphReply } from '../answer.ts';
import type { HookSender } from './hookSender.ts';
import { messageHook, templateHook } from './hooks.ts';
import { type Entry, type MessageEntry, SandboxLog, type TemplateEntry } from './log.ts';
import { answerDelayOf, fateOf, refusalFor } from './simulatedRecipients.ts';
import { invalid, said, unknownObject } from './reply.ts';
import { type PostedMessage, readMessage } from './shapes.ts';
import { readTemplate, refuseUse, reviewOf, shown } from './templates.ts';

export interface FakeGraphApiOptions {
  logFile: string;
  hooks: HookSender;
  clock: { now(): number };
  speed: number;
}

interface At {
  id: string;
  lines: readonly ChatLine[];
}

export class FakeGraphApi {
  readonly #log: SandboxLog;
  readonly #options: FakeGraphApiOptions;
  readonly #templates = new Map<string, TemplateEntry>();

  constructor(options: FakeGraphApiOptions) {
    this.#options = options;
    this.#log = new SandboxLog(options.logFile);
  }

  /** Takes up what was not told by the end of the last process. */
  async start(): Promise<void> {
    const entries = await this.#readOn();
    const told = new Set(entries.flatMap((entry) => (entry.kind === 'told' ? nameOf(entry) : [])));
    for (const entry of entries) if (entry.kind === 'message') this.#expect(entry, told);
    for (const entry of this.#templates.values())
      if (!told.has(nameOf({ id: entry.id, what: 'review' }))) this.#expectReview(entry);
  }

  close(): Promise<void> {
    return this.#log.close();
  }

  /** Answered late to some; the message is taken at once all the same. */
  async post(channel: LineClass, at: At, body: unknown): Promise<{ reply: GraphReply; delayMs: number }> {
    const posted = readMessage(channel, body);
    if ('no' in posted) return { reply: posted.no, delayMs: 0 };
    const { to, template } = posted;
    const no =
      refusalFor(channel, to, template !== undefined) ??
      (template && (await this.#refuseTemplate(at, template)));
    const reply = no ?? (await this.#take(channel, at, posted));
    return { reply, delayMs: answerDelayOf(to) };
  }

  async #take(channel: LineClass, at: At, { to, reference }: PostedMessage): Promise<GraphReply> {
    const now = this.#options.clock.now();
    const isMsgapp = channel === 'msgapp';
    const id = `${isMsgapp ? 'wamid.' : 'm_'}${randomBytes(12).toString('base64url')}`;
    const entry: MessageEntry = {
      ...{ kind: 'message', id, at: now, channel, sender: at.id, to, reference },
      lines: at.lines.map((line) => line.id),
      due: fateOf(channel, to, now, this.#options.speed),
    };
    await this.#log.append(entry);
    this.#expect(entry, new Set());
    if (!isMsgapp) return said({ recipient_id: to, message_id: id });
    const contacts = [{ input: to, wa_id: to }];
    return said({ messaging_product: 'whatsapp', contacts, messages: [{ id }] });
  }

  async #refuseTemplate(
    at: At,
    template: NonNullable<PostedMessage['template']>,
  ): Promise<GraphReply | undefined> {
    await this.#readOn();
    const businesses = new Set(at.lines.map(({ businessId }) => businessId));
    const entry = [...this.#templates.values()].find(
      ({ business, name, language }) =>
        businesses.has(business) && name === template.name && language === template.language.code,
    );
    const isApproved = entry !== undefined && this.#shown(entry)['status'] === 'APPROVED';
    return refuseUse(template, entry, isApproved);
  }

  async template(id: string): Promise<TemplateEntry | undefined> {
    await this.#readOn();
    return this.#templates.get(id);
  }

  async submit(at: At, body: unknown): Promise<GraphReply> {
    const template = readTemplate(body);
    if ('no' in template) return template.no;
    await this.#readOn();
    const { name, language, category, components } = template;
    if (this.#ofBusiness(at.id).some((one) => one.name === name && one.language === language))
      return invalid('Invalid parameter', {
        subcode: 2_388_024,
        userMessage: `There is already ${language} content for this template.`,
      });
    const now = this.#options.clock.now();
    const entry: TemplateEntry = {
      ...{ kind: 'template', at: now, business: at.id, name, language, category, components },
      // Digits that a JSON number holds.
      id: `${now}${String(randomBytes(2).readUInt16BE() % 1000).padStart(3, '0')}`,
      lines: at.lines.map((line) => line.id),
    };
    await this.#log.append(entry);
    this.#expectReview(entry);
    return said({ id: entry.id, status: 'PENDING', category });
  }

  async show(id: string): Promise<GraphReply> {
    const entry = await this.template(id);
    return entry ? said(this.#shown(entry)) : unknownObject(id);
  }

  async list(business: string, query: Readonly<Record<string, string>>): Promise<GraphReply> {
    await this.#readOn();
    const found = this.#ofBusiness(business).filter(({ name }) => name.includes(query['name'] ?? ''));
    return said({ data: found.map((entry) => this.#shown(entry)), paging: { cursors: {} } });
  }

  /** Reviewed anew. */
  async edit(id: string, body: unknown): Promise<GraphReply> {
    const entry = (await this.template(id))!;
    const { name, language, category, components } = entry;
    const changed = readTemplate({ name, language, category, components, ...(body as object) });
    if ('no' in changed) return changed.no;
    const edited = { ...entry, ...changed, at: this.#options.clock.now() };
    await this.#log.append(edited);
    this.#expectReview(edited);
    return said({ success: true });
  }

  async remove(business: string, query: Readonly<Record<string, string>>): Promise<GraphReply> {
    await this.#readOn();
    const { name, hsm_id: one } = query;
    const gone = this.#ofBusiness(business).filter(
      (entry) => entry.name === name && (one === undefined || entry.id === one),
    );
    if (gone.length === 0)
      return invalid('Invalid parameter', { subcode: 2_593_002, userMessage: 'Message template not found' });
    for (const { id } of gone) await this.#log.append({ kind: 'templateDeleted', id });
    return said({ success: true });
  }

  #ofBusiness(business: string): TemplateEntry[] {
    return [...this.#templates.values()].filter((entry) => entry.business === business);
  }

  #shown(entry: TemplateEntry): Record<string, unknown> {
    return shown(entry, this.#options.speed, this.#options.clock.now());
  }

  async #readOn(): Promise<Entry[]> {
    const entries = await this.#log.news();
    for (const entry of entries) {
      if (entry.kind === 'template') this.#templates.set(entry.id, entry);
      if (entry.kind === 'templateDeleted') this.#templates.delete(entry.id);
    }
    return entries;
  }

  #expect(entry: MessageEntry, told: ReadonlySet<string>): void {
    for (const due of entry.due) {
      const id = nameOf({ id: entry.id, what: due.what });
      if (told.has(id)) continue;
      this.#options.hooks.send({
        ...{ id, dueAt: due.at, lines: entry.lines },
        body: (line) => messageHook(entry, due, line),
        done: () => this.#log.append({ kind: 'told', id: entry.id, what: due.what }),
      });
    }
  }

  #expectReview(entry: TemplateEntry): void {
    const review = reviewOf(entry, this.#options.speed);
    const what = 'review';
    this.#options.hooks.send({
      ...{ id: nameOf({ id: entry.id, what }), dueAt: review.at, lines: entry.lines },
      body: () => templateHook(entry, review),
      done: () => this.#log.append({ kind: 'told', id: entry.id, what }),
    });
  }
}

const nameOf = ({ id, what }: { id: string; what: string }): string => `${id} ${what}`;

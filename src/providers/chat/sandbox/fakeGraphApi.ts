/** What the sandbox upstream keeps: messages until the last receipt was taken, and templates. */
import { randomBytes } from 'node:crypto';
import type { ChatSenderLine, ChatChannelKind } from '../../contracts/chat.ts';
import type { GraphApiHttpReply } from '../interpretGraphApiReply.ts';
import type { SandboxHookLoopbackSender } from './hookSender.ts';
import { sandboxMessageWebhookBody, sandboxTemplateWebhookBody } from './webhookBodies.ts';
import {
  type SandboxChatLogEntry,
  type SandboxChatMessage,
  SandboxChatStateLog,
  type SandboxChatTemplate,
} from './sharedStateFile.ts';
import {
  answerDelayForSimulatedRecipient,
  simulatedChatStatusEvents,
  simulatedRecipientRefusal,
} from './simulatedRecipients.ts';
import { graphApiInvalidParameterReply, said, graphApiUnknownObjectReply } from './graphApiReplies.ts';
import { type MessagePostedToSandbox, parseMessagePostedToSandbox } from './postedMessageSchemas.ts';
import {
  parseTemplatePostedToSandbox,
  refuseTemplateUse,
  simulatedTemplateReview,
  sandboxTemplateJson,
} from './fakeGraphApiTemplates.ts';

export interface FakeGraphApiOptions {
  logFile: string;
  hooks: SandboxHookLoopbackSender;
  clock: { now(): number };
  speed: number;
}

interface At {
  id: string;
  lines: readonly ChatSenderLine[];
}

export class FakeGraphApi {
  readonly #log: SandboxChatStateLog;
  readonly #options: FakeGraphApiOptions;
  readonly #templates = new Map<string, SandboxChatTemplate>();

  constructor(options: FakeGraphApiOptions) {
    this.#options = options;
    this.#log = new SandboxChatStateLog(options.logFile);
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
  async post(
    channel: ChatChannelKind,
    at: At,
    body: unknown,
  ): Promise<{ reply: GraphApiHttpReply; delayMs: number }> {
    const posted = parseMessagePostedToSandbox(channel, body);
    if ('no' in posted) return { reply: posted.no, delayMs: 0 };
    const { to, template } = posted;
    const no =
      simulatedRecipientRefusal(channel, to, template !== undefined) ??
      (template && (await this.#refuseTemplate(at, template)));
    const reply = no ?? (await this.#take(channel, at, posted));
    return { reply, delayMs: answerDelayForSimulatedRecipient(to) };
  }

  async #take(
    channel: ChatChannelKind,
    at: At,
    { to, reference }: MessagePostedToSandbox,
  ): Promise<GraphApiHttpReply> {
    const now = this.#options.clock.now();
    const isMsgapp = channel === 'msgapp';
    const id = `${isMsgapp ? 'wamid.' : 'm_'}${randomBytes(12).toString('base64url')}`;
    const entry: SandboxChatMessage = {
      ...{ kind: 'message', id, at: now, channel, sender: at.id, to, reference },
      lines: at.lines.map((line) => line.id),
      due: simulatedChatStatusEvents(channel, to, now, this.#options.speed),
    };
    await this.#log.append(entry);
    this.#expect(entry, new Set());
    if (!isMsgapp) return said({ recipient_id: to, message_id: id });
    const contacts = [{ input: to, wa_id: to }];
    return said({ messaging_product: 'whatsapp', contacts, messages: [{ id }] });
  }

  async #refuseTemplate(
    at: At,
    template: NonNullable<MessagePostedToSandbox['template']>,
  ): Promise<GraphApiHttpReply | undefined> {
    await this.#readOn();
    const businesses = new Set(at.lines.map(({ businessId }) => businessId));
    const entry = [...this.#templates.values()].find(
      ({ business, name, language }) =>
        businesses.has(business) && name === template.name && language === template.language.code,
    );
    const isApproved = entry !== undefined && this.#shown(entry)['status'] === 'APPROVED';
    return refuseTemplateUse(template, entry, isApproved);
  }

  async template(id: string): Promise<SandboxChatTemplate | undefined> {
    await this.#readOn();
    return this.#templates.get(id);
  }

  async submit(at: At, body: unknown): Promise<GraphApiHttpReply> {
    const template = parseTemplatePostedToSandbox(body);
    if ('no' in template) return template.no;
    await this.#readOn();
    const { name, language, category, components } = template;
    if (this.#ofBusiness(at.id).some((one) => one.name === name && one.language === language))
      return graphApiInvalidParameterReply('Invalid parameter', {
        subcode: 2_388_024,
        userMessage: `There is already ${language} content for this template.`,
      });
    const now = this.#options.clock.now();
    const entry: SandboxChatTemplate = {
      ...{ kind: 'template', at: now, business: at.id, name, language, category, components },
      // Digits that a JSON number holds.
      id: `${now}${String(randomBytes(2).readUInt16BE() % 1000).padStart(3, '0')}`,
      lines: at.lines.map((line) => line.id),
    };
    await this.#log.append(entry);
    this.#expectReview(entry);
    return said({ id: entry.id, status: 'PENDING', category });
  }

  async show(id: string): Promise<GraphApiHttpReply> {
    const entry = await this.template(id);
    return entry ? said(this.#shown(entry)) : graphApiUnknownObjectReply(id);
  }

  async list(business: string, query: Readonly<Record<string, string>>): Promise<GraphApiHttpReply> {
    await this.#readOn();
    const found = this.#ofBusiness(business).filter(({ name }) => name.includes(query['name'] ?? ''));
    return said({ data: found.map((entry) => this.#shown(entry)), paging: { cursors: {} } });
  }

  /** Reviewed anew. */
  async edit(id: string, body: unknown): Promise<GraphApiHttpReply> {
    const entry = (await this.template(id))!;
    const { name, language, category, components } = entry;
    const changed = parseTemplatePostedToSandbox({
      name,
      language,
      category,
      components,
      ...(body as object),
    });
    if ('no' in changed) return changed.no;
    const edited = { ...entry, ...changed, at: this.#options.clock.now() };
    await this.#log.append(edited);
    this.#expectReview(edited);
    return said({ success: true });
  }

  async remove(business: string, query: Readonly<Record<string, string>>): Promise<GraphApiHttpReply> {
    await this.#readOn();
    const { name, hsm_id: one } = query;
    const gone = this.#ofBusiness(business).filter(
      (entry) => entry.name === name && (one === undefined || entry.id === one),
    );
    if (gone.length === 0)
      return graphApiInvalidParameterReply('Invalid parameter', {
        subcode: 2_593_002,
        userMessage: 'Message template not found',
      });
    for (const { id } of gone) await this.#log.append({ kind: 'templateDeleted', id });
    return said({ success: true });
  }

  #ofBusiness(business: string): SandboxChatTemplate[] {
    return [...this.#templates.values()].filter((entry) => entry.business === business);
  }

  #shown(entry: SandboxChatTemplate): Record<string, unknown> {
    return sandboxTemplateJson(entry, this.#options.speed, this.#options.clock.now());
  }

  async #readOn(): Promise<SandboxChatLogEntry[]> {
    const entries = await this.#log.news();
    for (const entry of entries) {
      if (entry.kind === 'template') this.#templates.set(entry.id, entry);
      if (entry.kind === 'templateDeleted') this.#templates.delete(entry.id);
    }
    return entries;
  }

  #expect(entry: SandboxChatMessage, told: ReadonlySet<string>): void {
    for (const due of entry.due) {
      const id = nameOf({ id: entry.id, what: due.what });
      if (told.has(id)) continue;
      this.#options.hooks.send({
        ...{ id, dueAt: due.at, lines: entry.lines },
        body: (line) => sandboxMessageWebhookBody(entry, due, line),
        done: () => this.#log.append({ kind: 'told', id: entry.id, what: due.what }),
      });
    }
  }

  #expectReview(entry: SandboxChatTemplate): void {
    const review = simulatedTemplateReview(entry, this.#options.speed);
    const what = 'review';
    this.#options.hooks.send({
      ...{ id: nameOf({ id: entry.id, what }), dueAt: review.at, lines: entry.lines },
      body: () => sandboxTemplateWebhookBody(entry, review),
      done: () => this.#log.append({ kind: 'told', id: entry.id, what }),
    });
  }
}

const nameOf = ({ id, what }: { id: string; what: string }): string => `${id} ${what}`;

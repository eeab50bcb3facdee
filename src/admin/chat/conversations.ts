/**
 * What people wrote to chat lines, by person, with what was sent to them and how far it came, and an answer to it. Opening a
 * conversation stands in the audit log.
 */
import * as z from 'zod';
import { type OperatorReplyResult, sendOperatorReply } from '../../operations/chat/sendOperatorReply.ts';
import { contactIdsWithAndWithoutNinthDigit } from '../../rules/chat/contact.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import { readInboundMessagePage, type InboundMessageRow } from '../../store/inboundMessages.ts';
import {
  type ConversationRow,
  readConversationsPage,
  CONVERSATION_OPEN_MS,
  readMessagesSentToContact,
  type SentChatMessageRow,
} from '../../store/reads/chat/conversations.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { markReadForAudit } from '../admitAndAuditAdministrator.ts';
import { defineRoute, type PathResourceLookup } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import { idIn, maxRecordId, optionalQueryField, text } from '../fieldSchemas.ts';
import { AdminError, notFound, parsePathId } from '../adminErrorsAndRequestParsing.ts';
import {
  conversationSummaryExample,
  openedConversationSchema,
  conversationPageSchema,
} from './conversationSchemas.ts';

const pageSize = 100;
const messagesAtATime = 60;

/** A person that a path names, by a line; whether there is one is asked later. */
const ofPerson: PathResourceLookup<{ account: AccountRow; line: number; contact: string }> = {
  params: { ...accountInPath.params, line: idIn('line'), contact: z.string().max(200) },
  find: async (request) => ({
    ...(await accountInPath.find(request)),
    line: Math.min(parsePathId(request.written['line'], 'line'), maxRecordId),
    contact: (request.written['contact'] ?? '').slice(0, 200),
  }),
};

const lineNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a number')
  .transform(Number)
  .meta({ json: { type: 'integer', minimum: 0 } });

const answer = z.strictObject({ text: text(4_096).min(1) });

/** A page of people, those who were heard of last first. Throws a 400 for a cursor that is none. */
export const listConversations = async (
  deps: AdminDeps,
  { id: account, shard }: AccountRow,
  { line, cursor }: { line?: number | undefined; cursor?: string | undefined },
) => {
  const before = cursor === undefined ? undefined : readCursor(cursor);
  const found = await readConversationsPage(deps.pool(shard), { account, line, before, limit: pageSize + 1 });
  const page = found.slice(0, pageSize);
  return {
    conversations: page.map((row) => show(deps, account, row)),
    cursor: found.length > pageSize ? writeCursor(page.at(-1)!) : null,
  };
};

/** A conversation with a page of its messages, newest first. Throws a 404 where there is none. */
export const readConversation = async (
  deps: AdminDeps,
  account: AccountRow,
  { line, contact, cursor }: { line: number; contact: string; cursor?: string | undefined },
) => {
  const person = await personOf(deps, account, line, contact);
  return { ...person, ...(await messagesOf(deps, account, person, cursor)) };
};

export const conversationRoutes = {
  'GET /accounts/:account/conversations': defineRoute({
    role: 'operator',
    summary: 'Lists people who wrote to chat lines, those who were heard of last first.',
    scope: accountInPath,
    query: z.object({ line: optionalQueryField(lineNumber), cursor: z.string().max(300).optional() }),
    answer: conversationPageSchema,
    example: { answer: { conversations: [conversationSummaryExample], cursor: null } },
    handle: ({ deps, account, query }) => listConversations(deps, account, query),
  }),
  'GET /accounts/:account/conversations/:line/:contact': defineRoute({
    role: 'operator',
    summary:
      'Opens a conversation: what a person wrote and was sent, newest first. It stands in the audit log.',
    scope: ofPerson,
    query: z.object({ cursor: z.string().max(300).optional() }),
    answer: openedConversationSchema,
    example: {
      answer: {
        ...conversationSummaryExample,
        messages: [
          {
            ...{ direction: 'in', id: 'wamid.A1', at: 1_795_325_744_421, mtype: 'text', text: 'Oi' },
            ...{ status: '', status_text: '', delivered_at: null, read_at: null },
          },
        ],
        cursor: null,
      },
    },
    handle: async ({ deps, ctx, account, line, contact, query }) => {
      markReadForAudit(ctx);
      return readConversation(deps, account, { line, contact, cursor: query.cursor });
    },
  }),
  'POST /accounts/:account/conversations/:line/:contact/answers': defineRoute({
    role: 'admin',
    summary: 'Answers a person with a text, by the line that the person wrote to.',
    scope: ofPerson,
    body: answer,
    http: 201,
    answer: z.object({ cdls_id: z.int(), status: z.string(), status_text: z.string() }),
    refuses: {
      409: 'The 24 hours are over, the line cannot send, the balance does not cover it, or the same was sent just now.',
    },
    example: {
      body: { text: 'Bom dia, Ana' },
      answer: { cdls_id: 746_512_037_707_777, status: 'acknowledged', status_text: 'OK' },
    },
    handle: async ({ deps, account, line, contact, body }) => {
      const person = await personOf(deps, account, line, contact);
      if (!person.open)
        throw new AdminError(
          409,
          'text: the 24 hours since this person wrote are over: only a template arrives',
          {
            field: 'text',
          },
        );
      const answered = await sendOperatorReply(deps.services, {
        ...{ account, line, to: person.contact, text: body.text },
      });
      if (answered.outcome !== 'sent') throw refusal(answered);
      const { id, heard } = answered;
      return { cdls_id: id, status: heard.state, status_text: heard.text };
    },
  }),
};

const refusal = (answered: Exclude<OperatorReplyResult, { outcome: 'sent' }>): AdminError => {
  switch (answered.outcome) {
    case 'refused':
      return new AdminError(409, answered.why, { field: answered.field });
    case 'duplicate':
      return new AdminError(409, 'text: the same was sent to this person a moment ago', { field: 'text' });
    case 'insufficientBalance':
      return new AdminError(409, 'the balance of the account or of its reseller does not cover the message');
  }
};

const personOf = async (
  deps: AdminDeps,
  { id: account, shard }: AccountRow,
  line: number,
  contact: string,
) => {
  const contacts = contactIdsWithAndWithoutNinthDigit(contact);
  const [row] = await readConversationsPage(deps.pool(shard), { account, line, contacts, limit: 1 });
  if (!row) throw notFound(`a conversation of line ${line} with ${contact}`, shard);
  return show(deps, account, row);
};

const show = (deps: AdminDeps, account: number, row: ConversationRow) => {
  const openUntil = row.heard_at + CONVERSATION_OPEN_MS;
  return {
    ...{ cdcs_id: account, v8l_id: row.line_id, v8l_class: row.line_class, contact: row.contact },
    ...{
      name: row.name,
      heard_at: row.heard_at,
      open: openUntil > deps.now(),
      open_until: openUntil,
    },
    ...{ last_text: row.last_text, last_type: row.last_type },
  };
};

/** What came in and what was sent, in one order, and where each of the two goes on. */
const messagesOf = async (
  deps: AdminDeps,
  { id: account, shard }: AccountRow,
  { v8l_id: line, contact }: { v8l_id: number; contact: string },
  written: string | undefined,
) => {
  const from = readPlace(written);
  const limit = messagesAtATime + 1;
  const pool = deps.pool(shard);
  const person = { account, line, contacts: contactIdsWithAndWithoutNinthDigit(contact), limit };
  const [came, sent] = await Promise.all([
    readInboundMessagePage(pool, { ...person, before: from.before }),
    readMessagesSentToContact(pool, { ...person, belowId: from.belowId }),
  ]);
  const all = [
    ...came.map((row) => ({ moment: row.received_at, row, shown: cameIn(row) })),
    ...sent.map((row) => ({ moment: row.created_at, row, shown: wentOut(row) })),
  ].toSorted((one, other) => other.moment - one.moment);
  const page = all.slice(0, messagesAtATime);
  const lastCame = page.findLast(({ shown }) => shown.direction === 'in')?.row as
    | InboundMessageRow
    | undefined;
  const lastSent = page.findLast(({ shown }) => shown.direction === 'out')?.row as
    | SentChatMessageRow
    | undefined;
  const next = {
    before: lastCame ? { receivedAt: lastCame.received_at, upstreamId: lastCame.upstream_id } : from.before,
    belowId: lastSent ? lastSent.id : from.belowId,
  };
  return {
    messages: page.map(({ shown }) => shown),
    cursor: all.length > messagesAtATime ? writePlace(next) : null,
  };
};

const cameIn = (row: InboundMessageRow) => ({
  ...{ direction: 'in' as const, id: row.upstream_id, at: row.received_at, mtype: row.content_type },
  ...{ text: row.body, status: '', status_text: '', delivered_at: null, read_at: null },
});

const wentOut = (row: SentChatMessageRow) => ({
  ...{ direction: 'out' as const, id: String(row.id), at: row.created_at, mtype: row.content_type },
  ...{ text: row.body, status: row.state, status_text: row.outcome_text },
  ...{ delivered_at: row.delivered_at, read_at: row.read_at },
});

interface Place {
  before: { receivedAt: number; upstreamId: string } | null;
  belowId: number;
}

const writePlace = ({ before, belowId }: Place): string =>
  `${belowId}.${before?.receivedAt ?? ''}.${before?.upstreamId ?? ''}`;

const readPlace = (written: string | undefined): Place => {
  if (written === undefined) return { before: null, belowId: Number.MAX_SAFE_INTEGER };
  const [, belowId, receivedAt = '', upstreamId = ''] = /^(\d{1,16})\.(\d{0,15})\.(.*)$/s.exec(written) ?? [];
  if (belowId === undefined) throw new AdminError(400, 'cursor: is none of ours', { field: 'cursor' });
  return {
    before: receivedAt === '' ? null : { receivedAt: Number(receivedAt), upstreamId },
    belowId: Number(belowId),
  };
};

const writeCursor = ({ heard_at, line_id, contact }: ConversationRow): string =>
  `${heard_at}.${line_id}.${contact}`;

const readCursor = (written: string): { heardAt: number; line: number; contact: string } => {
  const [, heardAt, line, contact = ''] = /^(\d{1,15})\.(\d{1,9})\.(.*)$/s.exec(written) ?? [];
  if (heardAt === undefined) throw new AdminError(400, 'cursor: is none of ours', { field: 'cursor' });
  return { heardAt: Number(heardAt), line: Number(line), contact };
};

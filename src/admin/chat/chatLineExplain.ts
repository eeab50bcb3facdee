/** Why a chat line does not send or receive, as data and as sentences for people. */
import * as z from 'zod';
import type { ChatLine } from '../../generated/prisma/client.ts';
import { readChatLineActivity } from '../../store/reads/chat/chatLineActivity.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { defineRoute, type PathResourceLookup } from '../routeDeclaration.ts';
import { explainChatLine, type StoredChatLine } from '../explained/chatLine.ts';
import { negotiateLanguage } from '../explained/language.ts';
import { at, idIn, neverRefusedQueryField, maxRecordId } from '../fieldSchemas.ts';
import { notFound, parsePathId } from '../adminErrorsAndRequestParsing.ts';
import { chatLineChannelSchema, accountChatLineTable } from './chatLines.ts';

const ofLine: PathResourceLookup<{ account: AccountRow; line: ChatLine }> = {
  params: { ...accountInPath.params, line: idIn('line') },
  find: async (request) => {
    const { account } = await accountInPath.find(request);
    const id = parsePathId(request.written['line'], 'line');
    const line =
      id <= maxRecordId ? await accountChatLineTable.find({ deps: request.deps, account }, id) : null;
    if (!line) throw notFound(`line ${request.written['line']}`);
    return { account, line };
  },
};

const answer = z.object({
  v8l_id: z.int(),
  cdcs_id: z.int(),
  v8l_class: chatLineChannelSchema,
  sandbox: z.boolean(),
  hook_url: z.string().describe('Where its platform is to bring hooks.'),
  last_incoming: at.nullable().describe('When something came in last; null: never.'),
  last_sent: z.string().nullable().describe('The newest message that went by it; null: none lately.'),
  sends: z.boolean().describe('Nothing that is known here keeps it from sending.'),
  receives: z.boolean().describe('Nothing that is known here keeps it from receiving.'),
  reasons: z.array(z.string()).describe('Why not, by name.'),
  sentences: z.array(z.string()),
});

export const chatLineExplainRoutes = {
  'GET /accounts/:account/lines/:line/explain': defineRoute({
    role: 'operator',
    summary: 'Says why a chat line does not send, or does not receive, and what to do.',
    scope: ofLine,
    query: z.object({
      lang: neverRefusedQueryField.describe('`en` or `pt`; default: as the request accepts, else `en`.'),
    }),
    answer,
    example: {
      answer: {
        ...{ v8l_id: 4, cdcs_id: 3, v8l_class: 'msgapp', sandbox: false },
        ...{ hook_url: 'https://ramal.example.com/hooks/msgapp/4', last_incoming: null, last_sent: null },
        ...{ sends: false, receives: true, reasons: ['noApiKey'] },
        sentences: ['It has no access token. Set the access token of the line.'],
      },
    },
    handle: async ({ deps, ctx, account, line, query }) => {
      const off = await deps.control.switchedOff(account);
      const hookUrl = `${deps.publicUrl}/hooks/${line.class}/${line.id}`;
      const activity = await readChatLineActivity(deps.pool(account.shard), account.id, line.id);
      const facts = {
        ...activity,
        ...{ line: stored(line), opens: deps.chatLines.opens(line), upstreams: deps.chatLines.upstreams },
        off:
          off === undefined ? undefined : off === account.id ? ('account' as const) : ('reseller' as const),
        ...{ hookUrl, forwardUrl: line.forward_url || account.callback_url },
      };
      const language = negotiateLanguage(query.lang, ctx.get('accept-language'));
      return {
        ...{
          v8l_id: line.id,
          cdcs_id: account.id,
          v8l_class: line.class as z.output<typeof chatLineChannelSchema>,
        },
        ...{ sandbox: line.sandbox, hook_url: hookUrl, last_incoming: activity.lastIncoming ?? null },
        last_sent: activity.lastSent ? String(activity.lastSent.id) : null,
        ...explainChatLine(facts, language, account.time_zone),
      };
    },
  }),
};

const stored = (line: ChatLine): StoredChatLine => ({
  ...line,
  has_api_key: line.api_key !== '',
  has_app_secret: line.app_secret !== '',
  has_verify_token: line.verify_token !== '',
});

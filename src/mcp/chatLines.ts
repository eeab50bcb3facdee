/** The Msgapp lines of the account, without their credentials (spec 2.6.1). */
import * as z from 'zod';
import { params } from '../operations/declare.ts';
import type { Services } from '../operations/services.ts';
import { linesOfClass } from '../store/reads/chatLines.ts';
import { found, ownTool } from './ownTool.ts';
import type { Tool } from './tool.ts';

const answer = z.object({
  lines: z.array(
    z.object({
      v8l_id: z.int().describe('Line id: app_id of the other tools.'),
      v8l_wa_number: z.string().describe('Its number; empty: not set up yet.'),
      v8l_wa_app_name: z.string().describe('Its name upstream; empty: not set up yet.'),
      active: z.boolean().describe('Only active lines send.'),
    }),
  ),
});

export const msgappLines = ({ database }: Pick<Services, 'database'>): Tool =>
  ownTool({
    name: 'get_msgapp_lines',
    title: 'List the chat-app lines',
    says:
      'Lists the chat-app lines of the account; changes nothing. v8l_id is what send_msgapp and get_msgapp_templates take' +
      ' as app_id.',
    permission: 'msgapp',
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    params: params({}),
    answer,
    example: {},
    async handle(_, { caller: { account } }) {
      const lines = await linesOfClass(database(account.shard), account.id, 'msgapp');
      return found({
        lines: lines.map(({ id, number, app_name, active }) => ({
          ...{ v8l_id: id, v8l_wa_number: number, v8l_wa_app_name: app_name },
          active,
        })),
      });
    },
  });

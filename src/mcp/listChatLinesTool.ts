/** The chat lines of the account, without their credentials (spec 2.6.1): a tool for each channel. */
import * as z from 'zod';
import type { TokenPermission } from '../operations/declare.ts';
import type { Services } from '../operations/services.ts';
import { chatLinesOfClass, type PublicChatLine } from '../store/reads/chat/chatLinesForSending.ts';
import { toolSuccess, customTool } from './defineCustomTool.ts';
import type { Tool } from './tool.ts';
import { defineParams } from '../operations/param.ts';

interface Channel {
  permission: Extract<TokenPermission, 'msgapp' | 'pagechat' | 'photodm'>;
  title: string;
  /** The tools that take such a line. */
  users: string;
  /** What of a line tells people which one it is, under the words of the interface. */
  shape: Record<string, z.ZodString>;
  write(line: PublicChatLine): Record<string, string>;
}

const orEmpty = (what: string): z.ZodString => z.string().describe(`${what}; empty: not set up yet.`);

const channels: readonly Channel[] = [
  {
    permission: 'msgapp',
    title: 'List the chat-app lines',
    users: 'send_msgapp and get_msgapp_templates',
    shape: { v8l_wa_number: orEmpty('Its number'), v8l_wa_app_name: orEmpty('Its id upstream') },
    write: ({ number, app_name }) => ({ v8l_wa_number: number, v8l_wa_app_name: app_name }),
  },
  {
    permission: 'pagechat',
    title: 'List the page lines',
    users: 'send_pagechat',
    shape: { v8l_fb_page_id: orEmpty('Its page') },
    write: ({ page_id }) => ({ v8l_fb_page_id: page_id }),
  },
  {
    permission: 'photodm',
    title: 'List the photo lines',
    users: 'send_photodm',
    shape: { v8l_ig_account_id: orEmpty('Its photo account') },
    write: ({ photo_account_id }) => ({ v8l_ig_account_id: photo_account_id }),
  },
];

export const chatLineTools = (services: Pick<Services, 'database'>): Tool[] =>
  channels.map((channel) => linesTool(channel, services));

const linesTool = (
  { permission, title, users, shape, write }: Channel,
  { database }: Pick<Services, 'database'>,
): Tool =>
  customTool({
    name: `get_${permission}_lines`,
    title,
    description: `v8l_id is the app_id of ${users}. Changes nothing.`,
    permission,
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    params: defineParams({}),
    answer: z.object({
      lines: z.array(
        z.object({ v8l_id: z.int(), ...shape, active: z.boolean().describe('Only active lines send.') }),
      ),
    }),
    example: {},
    async handle(_, { caller: { account } }) {
      const lines = await chatLinesOfClass(database(account.shard), account.id, permission);
      return toolSuccess({
        lines: lines.map((line) => ({ v8l_id: line.id, ...write(line), active: line.active })),
      });
    },
  });

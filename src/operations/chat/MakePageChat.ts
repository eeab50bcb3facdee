/** Send a page message (spec 4.20). */
import { maxChatJsonCharacters } from '../../rules/chat/chatJsonAndUrlChecks.ts';
import { buildPageChatMessageBody, socialPageMessageTypes } from '../../rules/chat/pageChatPhotoDm.ts';
import {
  socialMessageAnswerShape,
  socialMessageErrors,
  failedSocialMessageResponseFields,
  socialMessageParams,
  buildPageOrPhotoDmTool,
  handleSocialMessageRequest,
} from './sharedByPageChatAndPhotoDm.ts';
import { defineOperation } from '../declare.ts';
import { wordChoiceSchema, text } from '../parameterValueSchemas.ts';
import { defineParams } from '../param.ts';

export const MakePageChatOperation = defineOperation({
  name: 'MakePageChat',
  section: '4.20',
  topic: 'pages',
  summary: 'Send a message to a person who wrote to a page within 24 hours.',
  permission: 'pagechat',
  creates: true,
  numericCodes: true,
  params: defineParams({
    ...socialMessageParams,
    type: {
      rest: 'mtype',
      tool: 'mtype',
      schema: wordChoiceSchema(socialPageMessageTypes).default('text'),
      description: 'What it is; file and document are the same.',
    },
    caption: {
      rest: 'mcaption',
      schema: text(maxChatJsonCharacters).optional(),
      description: 'Taken, and not sent: pages show none.',
    },
  }),
  errors: {
    ...socialMessageErrors('pagechat'),
    noPage: { code: '234', text: 'the page id of the line is empty' },
  } as const,
  answer: socialMessageAnswerShape,
  tools: [
    buildPageOrPhotoDmTool({
      name: 'send_pagechat',
      title: 'Send a page message',
      sender: 'a page',
      example: { app_id: 2, dest: '7015550100', mdata: 'We have your message' },
    }),
  ],
  failure: failedSocialMessageResponseFields,
  example: {
    request: {
      tsid: 'DEMO0token0DEMO0token0DEMO0tok',
      app_id: 2,
      dest: '7015550100',
      mdata: 'We have your message',
    },
    response: {
      return: { status: 'OK', status_code: 200, messageId: 'm_7Qk2x', cdls_id: 746511306801152 },
    },
  },

  handle: (ctx) =>
    handleSocialMessageRequest(ctx, {
      name: 'MakePageChat',
      class: 'pagechat',
      type: ctx.params.type,
      refuseLine: ({ pageId }) => (pageId === '' ? ctx.refuse('noPage') : undefined),
      build: ({ to, data }) => buildPageChatMessageBody({ to, data, type: ctx.params.type }),
    }),
});

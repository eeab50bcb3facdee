/** Send a message of a photo account (spec 4.21). */
import { buildPhotoAccountMessage, photoDmMessageTypes } from '../../rules/chat/pageChatPhotoDm.ts';
import {
  socialMessageAnswerShape,
  socialMessageErrors,
  failedSocialMessageResponseFields,
  socialMessageParams,
  buildPageOrPhotoDmTool,
  handleSocialMessageRequest,
} from './sharedByPageChatAndPhotoDm.ts';
import { defineOperation } from '../declare.ts';
import { wordChoiceSchema } from '../parameterValueSchemas.ts';
import { defineParams } from '../param.ts';

export const MakePhotoDmOperation = defineOperation({
  name: 'MakePhotoDm',
  section: '4.21',
  topic: 'pages',
  summary: 'Send a message to a person who wrote to a photo account within 24 hours.',
  permission: 'photodm',
  creates: true,
  numericCodes: true,
  params: defineParams({
    ...socialMessageParams,
    type: {
      rest: 'mtype',
      tool: 'mtype',
      schema: wordChoiceSchema(photoDmMessageTypes).default('text'),
      description: 'What it is.',
    },
  }),
  errors: socialMessageErrors('photodm'),
  answer: socialMessageAnswerShape,
  tools: [
    buildPageOrPhotoDmTool({
      name: 'send_photodm',
      title: 'Send a direct message of a photo account',
      sender: 'a photo account',
      example: { app_id: 3, dest: '17841400000000100', mdata: 'We have your message' },
    }),
  ],
  failure: failedSocialMessageResponseFields,
  example: {
    request: {
      tsid: 'DEMO0token0DEMO0token0DEMO0tok',
      app_id: 3,
      dest: '17841400000000100',
      mdata: 'We have your message',
    },
    response: {
      return: { status: 'OK', status_code: 200, messageId: 'm_9Lp4z', cdls_id: 746511306801153 },
    },
  },

  handle: (ctx) =>
    handleSocialMessageRequest(ctx, {
      name: 'MakePhotoDm',
      class: 'photodm',
      type: ctx.params.type,
      // The interface has no code for it; the sentence says what is missing.
      refuseLine: ({ photoAccountId }) =>
        photoAccountId === ''
          ? ctx.refuse('unknownLine', 'v8l_ig_account_id of the line is empty')
          : undefined,
      build: ({ to, data }) => buildPhotoAccountMessage({ to, data, type: ctx.params.type }),
    }),
});

/** Bodies of chat messages, as the upstream wants them. */
import { describe, expect, test } from 'vitest';
import {
  isWebAddress,
  parseChatJsonParameter,
  maxChatJsonCharacters,
} from '../../../src/rules/chat/chatJsonAndUrlChecks.ts';
import {
  buildMsgappUpstreamMessage,
  isTemplateBody,
  type MsgappContent,
} from '../../../src/rules/chat/buildMsgappMessage.ts';
import {
  buildPageChatMessageBody,
  buildPhotoAccountMessage,
} from '../../../src/rules/chat/pageChatPhotoDm.ts';

const content = (more: Partial<MsgappContent>): MsgappContent => ({
  ...{ to: '5511987650000', type: 'text', data: 'x', caption: undefined, template: undefined },
  ...more,
});
const headed = { messaging_product: 'whatsapp', recipient_type: 'individual', to: '5511987650000' };
const link = 'https://files.example/a%20b.png?c=1';

describe('Msgapp', () => {
  test('a file has its caption under the key of its type, and none where there is none', () => {
    expect(buildMsgappUpstreamMessage(content({ type: 'file', data: link, caption: 'a.pdf' }))).toEqual({
      body: { ...headed, type: 'document', document: { link, filename: 'a.pdf' } },
      shown: link,
    });
    expect(buildMsgappUpstreamMessage(content({ type: 'sticker', data: link, caption: 'a' }))).toMatchObject({
      body: { sticker: { link } },
    });
    expect(buildMsgappUpstreamMessage(content({ type: 'image', data: link }))).toMatchObject({
      body: { image: { link } },
    });
  });

  test('a whole message keeps what it says, but not to whom', () => {
    const data = JSON.stringify({
      type: 'reaction',
      reaction: { message_id: 'w', emoji: '👍' },
      to: '1',
      context: {},
    });
    expect(buildMsgappUpstreamMessage(content({ type: 'wabody', data }))).toEqual({
      body: { ...headed, type: 'reaction', reaction: { message_id: 'w', emoji: '👍' }, context: {} },
      shown: data,
    });
  });

  test('a template stands in the log by its name', () => {
    expect(
      buildMsgappUpstreamMessage(content({ type: 'template', template: '{"name":"hello"}' })),
    ).toMatchObject({
      shown: 'hello',
    });
    expect(buildMsgappUpstreamMessage(content({ type: 'template', template: '{}' }))).toMatchObject({
      shown: '',
    });
  });

  test.each([
    [{ data: undefined }, 'mdata is required for mtype text'],
    [{ type: 'video', data: 'file:///etc/passwd' }, 'mdata must be an http or https address for mtype video'],
    [{ type: 'wabody', data: '"x"' }, 'mdata must be the JSON object of a message for mtype wabody'],
    [{ type: 'template', template: undefined }, 'template is required for a template message'],
    [{ type: 'template', template: '[]' }, 'template must be a JSON object'],
  ] as const)('%j is wrong', (more, wrong) => {
    expect(buildMsgappUpstreamMessage(content(more as Partial<MsgappContent>))).toEqual({ wrong });
  });
});

describe('whether a body is a template', () => {
  const template = { name: 't', language: { code: 'pt_BR' } };
  test.each([
    [{ type: 'template', template }, true],
    [{ type: ' TEMPLATE ' }, true],
    [{ template }, true],
    [{ type: 'text', text: { body: 'template' } }, false],
    [{ type: ['template'] }, false],
    [{}, false],
  ])('%j: %s', (body, is) => expect(isTemplateBody(body)).toBe(is));
});

describe('pages', () => {
  const addressed = (message: object) => ({ recipient: { id: '9' }, messaging_type: 'RESPONSE', message });
  test('text and attachments', () => {
    const text = { to: '9', type: 'text', data: 'Olá' } as const;
    expect(buildPageChatMessageBody(text)).toEqual({ body: addressed({ text: 'Olá' }), shown: 'Olá' });
    expect(buildPageChatMessageBody({ to: '9', type: 'document', data: link })).toEqual({
      body: addressed({ attachment: { type: 'file', payload: { url: link } } }),
      shown: link,
    });
    expect(buildPhotoAccountMessage({ to: '9', type: 'image', data: 'nothing' })).toEqual({
      wrong: 'mdata must be an http or https address for mtype image',
    });
  });

  test('pages count characters, photo accounts count bytes', () => {
    const of = (data: string) => ({ to: '9', type: 'text', data }) as const;
    expect(buildPageChatMessageBody(of('é'.repeat(2_000)))).toHaveProperty('body');
    expect(buildPageChatMessageBody(of('😀'.repeat(2_000)))).toHaveProperty('body');
    expect(buildPageChatMessageBody(of('😀'.repeat(2_001)))).toHaveProperty('wrong');
    expect(buildPageChatMessageBody(of('é'.repeat(2_001)))).toHaveProperty('wrong');
    expect(buildPhotoAccountMessage(of('é'.repeat(500)))).toHaveProperty('body');
    expect(buildPhotoAccountMessage(of('é'.repeat(501)))).toHaveProperty('wrong');
  });
});

describe('JSON from outside', () => {
  test('is an object, or the text of one', () => {
    expect(parseChatJsonParameter({ a: 1 })).toEqual({ a: 1 });
    expect(parseChatJsonParameter('{"a":{"b":[null,true]}}')).toEqual({ a: { b: [null, true] } });
    for (const given of ['', '[]', 'null', '1', '{', undefined, null, 5, ['a']])
      expect(parseChatJsonParameter(given)).toBeUndefined();
  });

  test('holds nothing that no database takes, is not nested beyond reason, and not too long', () => {
    expect(parseChatJsonParameter('{"a":["\\u0000"]}')).toBeUndefined();
    expect(parseChatJsonParameter('{"\\ud800":1}')).toBeUndefined();
    expect(parseChatJsonParameter(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)).toBeUndefined();
    expect(parseChatJsonParameter({ a: 'x'.repeat(maxChatJsonCharacters) })).toBeUndefined();
    expect(parseChatJsonParameter({ a: 'x'.repeat(maxChatJsonCharacters - 10) })).toBeDefined();
  });

  test('addresses are http or https, with a host and no blanks', () => {
    for (const good of ['http://a', 'HTTPS://a.example/b?c#d', 'https://[::1]/x'])
      expect(isWebAddress(good)).toBe(true);
    for (const bad of ['', 'a.png', 'ftp://a/b', 'http://', 'javascript:x', 'https://a /b', 'https:///b'])
      expect(isWebAddress(bad)).toBe(false);
  });
});

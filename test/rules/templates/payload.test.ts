import { describe, expect, it } from 'vitest';
import type { TemplateDefinition } from '../../../machines/contracts/template.ts';
import { type TemplateFaultCode, TemplateFault } from '../../../src/rules/templates/definition.ts';
import {
  buildTemplateSubmissionPayload,
  buildTemplateSubmissionJson,
} from '../../../src/rules/templates/payload.ts';

const empty: TemplateDefinition = {
  name: 'order_ready',
  category: 'UTILITY',
  language: 'pt_BR',
  bodyText: 'Seu pedido está pronto.',
  headerType: '',
  headerText: '',
  footerText: '',
  variablesExamples: '',
  buttonType: '',
  buttonConfig: '',
};
const components = (given: Partial<TemplateDefinition>): unknown[] =>
  buildTemplateSubmissionPayload({ ...empty, ...given }).components;
const body = (given: Partial<TemplateDefinition>): unknown => components(given)[0];

const faultOf = (given: Partial<TemplateDefinition>): TemplateFaultCode | undefined => {
  try {
    buildTemplateSubmissionJson({ ...empty, ...given }, undefined);
    return undefined;
  } catch (error) {
    if (error instanceof TemplateFault) return error.fault;
    throw error;
  }
};

describe('the payload of a template', () => {
  it('writes placeholders with blanks as upstream reads them', () => {
    const given = { bodyText: 'Olá {{ 1 }}, oi.', variablesExamples: '{"body_text":["Ana"]}' };
    expect(body(given)).toMatchObject({ text: 'Olá {{1}}, oi.', example: { body_text: [['Ana']] } });
  });

  it('has name, category, language and the parts that there are, in upstream’s order', () => {
    expect(
      buildTemplateSubmissionPayload({
        ...empty,
        category: 'utility',
        headerType: 'TEXT',
        headerText: 'Pedido',
        footerText: 'Loja',
        buttonType: 'QUICK_REPLY',
        buttonConfig: '[{"text":"Sim"},{"text":"Não"}]',
      }),
    ).toEqual({
      name: 'order_ready',
      category: 'UTILITY',
      language: 'pt_BR',
      components: [
        { type: 'HEADER', format: 'TEXT', text: 'Pedido' },
        { type: 'BODY', text: 'Seu pedido está pronto.' },
        { type: 'FOOTER', text: 'Loja' },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'QUICK_REPLY', text: 'Sim' },
            { type: 'QUICK_REPLY', text: 'Não' },
          ],
        },
      ],
    });
    expect(buildTemplateSubmissionPayload({ ...empty, category: 'Something_New' }).category).toBe(
      'Something_New',
    );
  });

  it('nests the examples of the body, stored flat or nested, and takes as many as there are placeholders', () => {
    const text = { bodyText: 'Olá {{1}}, pedido {{2}}.' };
    const wanted = { type: 'BODY', text: text.bodyText, example: { body_text: [['Ana', '17']] } };
    for (const variablesExamples of [
      '{"body_text":["Ana","17"]}',
      '{"body_text":[["Ana","17"]]}',
      '{"body_text":["Ana",17,"too many"]}',
      '{"body_text":[["Ana","17"],["Eva","18"]]}',
    ])
      expect(body({ ...text, variablesExamples })).toEqual(wanted);
  });

  it('has no examples where there are no placeholders, whatever is stored', () => {
    expect(body({ variablesExamples: 'not JSON' })).toEqual({ type: 'BODY', text: empty.bodyText });
  });

  it('gives a header its text with an example, its upload handle, or nothing', () => {
    const header = (headerType: string, headerText: string, variablesExamples = ''): unknown =>
      components({ headerType, headerText, variablesExamples })[0];
    expect(header('TEXT', 'Olá {{1}}', '{"header_text":["Ana"]}')).toEqual({
      ...{ type: 'HEADER', format: 'TEXT', text: 'Olá {{1}}' },
      example: { header_text: ['Ana'] },
    });
    for (const format of ['IMAGE', 'VIDEO', 'DOCUMENT'])
      expect(header(format, '4::aW')).toEqual({
        ...{ type: 'HEADER', format },
        example: { header_handle: ['4::aW'] },
      });
    expect(header('location', '')).toEqual({ type: 'HEADER', format: 'LOCATION' });
    for (const none of ['', 'NONE', 'TEXT']) expect(header(none, '')).toMatchObject({ type: 'BODY' });
  });

  it('knows the buttons of each type, and leaves out keys that upstream refuses', () => {
    const buttons = (buttonType: string, config: unknown): unknown =>
      (
        components({ buttonType, buttonConfig: JSON.stringify(config) })[1] as
          | { buttons: unknown }
          | undefined
      )?.buttons;
    expect(buttons('URL', { text: 'Ver', url: 'https://x.example/a', id: 7 })).toEqual([
      { type: 'URL', text: 'Ver', url: 'https://x.example/a' },
    ]);
    expect(buttons('URL', [{ text: 'Ver', url: 'https://x.example/{{1}}', example: '17' }])).toEqual([
      { type: 'URL', text: 'Ver', url: 'https://x.example/{{1}}', example: ['https://x.example/17'] },
    ]);
    expect(
      buttons('URL', { buttons: [{ text: 'V', url: 'https://x/{{1}}', example: ['https://x/9'] }] }),
    ).toEqual([{ type: 'URL', text: 'V', url: 'https://x/{{1}}', example: ['https://x/9'] }]);
    expect(buttons('PHONE_NUMBER', { text: 'Ligar', phone_number: '+5511' })).toEqual([
      { type: 'PHONE_NUMBER', text: 'Ligar', phone_number: '+5511' },
    ]);
    expect(buttons('COPY_CODE', { example: '25OFF' })).toEqual([{ type: 'COPY_CODE', example: '25OFF' }]);
    expect(buttons('URL', [{ type: 'quick_reply', text: 'Sim' }])).toEqual([
      { type: 'QUICK_REPLY', text: 'Sim' },
    ]);
    expect(buttons('FLOW', { text: 'Ir', flow_id: '1' })).toEqual([
      { type: 'FLOW', text: 'Ir', flow_id: '1' },
    ]);
    expect(buttons('NONE', { text: 'Ver' })).toBeUndefined();
  });

  it('of an authentication template has no text of ours', () => {
    const code = { category: 'AUTHENTICATION', bodyText: '{{1}} é o seu código.' };
    expect(components(code)).toEqual([
      { type: 'BODY', add_security_recommendation: true },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
    ]);
    const buttonConfig = JSON.stringify({
      buttons: [{ otp_type: 'ONE_TAP', text: 'Copiar', package_name: 'a.b', signature_hash: 'K8' }],
      add_security_recommendation: false,
    });
    expect(components({ ...code, footerText: 'Vale 10 minutos.', buttonType: 'OTP', buttonConfig })).toEqual([
      { type: 'BODY', add_security_recommendation: false },
      { type: 'FOOTER', code_expiration_minutes: 10 },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'OTP', otp_type: 'ONE_TAP', text: 'Copiar', package_name: 'a.b', signature_hash: 'K8' },
        ],
      },
    ]);
  });

  it('shows the public address in the place of the upload handle in its copy only', () => {
    const media = { ...empty, headerType: 'IMAGE', headerText: '4::aW' };
    const { json, jsonWithUrls } = buildTemplateSubmissionJson(media, 'https://cdn.example/a.png');
    expect(json).toContain('{"header_handle":["4::aW"]}');
    expect(jsonWithUrls).toBe(json.replace('4::aW', 'https://cdn.example/a.png'));
    expect(buildTemplateSubmissionJson(media, undefined).jsonWithUrls).toBe(json);
    const text = buildTemplateSubmissionJson(empty, 'https://cdn.example/a.png');
    expect(text.jsonWithUrls).toBe(text.json);
  });
});

describe('a template that cannot be submitted', () => {
  it.each<[TemplateFaultCode, Partial<TemplateDefinition>]>([
    ['noName', { name: ' ' }],
    ['noCategory', { category: '' }],
    ['noLanguage', { language: '' }],
    ['noBody', { bodyText: '' }],
    ['noExamples', { bodyText: '{{1}} x' }],
    ['noExamples', { headerType: 'TEXT', headerText: '{{1}}' }],
    ['examplesNotJson', { bodyText: '{{1}} x', variablesExamples: '{body_text' }],
    ['examplesNotJson', { bodyText: '{{1}} x', variablesExamples: '["Ana"]' }],
    ['examplesNotJson', { bodyText: '{{1}} x', variablesExamples: '{"body_text":{"1":"Ana"}}' }],
    ['tooFewExamples', { bodyText: '{{1}} {{2}} x', variablesExamples: '{"body_text":["Ana"]}' }],
    ['tooFewExamples', { bodyText: '{{1}} x', variablesExamples: '{}' }],
    ['tooFewExamples', { buttonType: 'URL', buttonConfig: '{"url":"https://x/{{1}}"}' }],
    ['emptyExample', { bodyText: '{{1}} x', variablesExamples: '{"body_text":[" "]}' }],
    ['emptyExample', { bodyText: '{{1}} x', variablesExamples: '{"body_text":[null]}' }],
    ['emptyExample', { buttonType: 'URL', buttonConfig: '{"url":"https://x/{{1}}","example":""}' }],
    ['notEncodable', { buttonType: 'URL', buttonConfig: '{text' }],
    ['notEncodable', { buttonType: 'URL', buttonConfig: '"text"' }],
    ['notEncodable', { buttonType: 'URL', buttonConfig: '["text"]' }],
    ['notEncodable', { buttonType: 'URL', buttonConfig: String.raw`{"text":"\ud800"}` }],
    ['notEncodable', { bodyText: 'x'.repeat(300_000) }],
  ])('is %s: %j', (fault, given) => {
    expect(faultOf(given)).toBe(fault);
  });
});

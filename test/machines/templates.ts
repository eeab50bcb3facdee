/** A template's stories, told from where they begin. */
import { templateStateMachine } from '../../machines/template.ts';
import { findTemplateRequestAnswer } from '../../machines/template/answers.ts';
import type { TemplateContext, TemplateRequestAnswer } from '../../machines/template/context.ts';
import { templateRecordTable } from '../../machines/template/record.ts';
import { Story } from './story.ts';

export const definition = {
  name: 'order_ready',
  category: 'UTILITY',
  language: 'pt_BR',
  bodyText: 'Olá {{1}}, o pedido {{2}} está pronto.',
  headerType: '',
  headerText: '',
  footerText: '',
  variablesExamples: '{"body_text":["Ana","17"]}',
  buttonType: '',
  buttonConfig: '',
};
export const payload = {
  ...{ name: 'order_ready', category: 'UTILITY', language: 'pt_BR' },
  components: [{ type: 'BODY', text: definition.bodyText }],
};

export const contextOf = (told: Story): TemplateContext => told.snapshot.context as TemplateContext;
export const record = (told: Story): Record<string, unknown> =>
  templateRecordTable.onUpdate(told.context, told.state);
export const changes = (told: Story): string[] =>
  contextOf(told).changes.map(({ by, status }) => `${by} ${status}`);
export const answer = (told: Story, ask: string): TemplateRequestAnswer | undefined =>
  findTemplateRequestAnswer(contextOf(told), ask);

export const stored = (): Story => new Story(templateStateMachine, { line: 5, definition });
export const submits = (told: Story, ask = 's'): Story =>
  told.hears('submit', {
    ask,
    editedAt: contextOf(told).editedAt,
    json: JSON.stringify(payload),
    jsonWithUrls: '{}',
  });
export const submission = (told: Story): number => contextOf(told).submission;
export const accepted = (told: Story, status = 'PENDING', upstreamId = '9001'): Story =>
  told.hears('templateAccepted', {
    submission: submission(told),
    upstreamId,
    status,
    answer: '{"id":"9001"}',
  });
export const pending = (): Story => accepted(submits(stored()));
export const checked = (told: Story, status: string, reason = ''): Story =>
  told.hears('templateChecked', {
    check: contextOf(told).check,
    status,
    name: 'order_ready',
    reason,
  });

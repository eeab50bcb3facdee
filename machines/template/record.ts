/** What can be seen of a template: the row of the table `templates` (spec 2.5.1). */
import type { MachineRecordTable } from '../../src/engine/contract/kind.ts';
import type { TemplateContext } from './context.ts';

export const templateRecordTable: MachineRecordTable = {
  table: 'templates',
  insertColumns: { created_at: 'bigint', line_id: 'integer' },
  updateColumns: {
    name: 'text',
    category: 'text',
    language: 'text',
    body_text: 'text',
    header_type: 'text',
    header_text: 'text',
    footer_text: 'text',
    variables_examples: 'text',
    button_type: 'text',
    button_config: 'text',
    updated_at: 'bigint',
    state: 'text',
    status: 'text',
    told_status: 'text',
    upstream_id: 'text',
    former_upstream_id: 'text',
    rejection_reason: 'text',
    upstream_category: 'text',
    quality: 'text',
    meta_json: 'text',
    meta_json_with_urls: 'text',
    changes: 'text',
    checked_at: 'bigint',
    removed: 'boolean',
  },

  onInsert: (given) => {
    const { bornAt, line } = given as TemplateContext;
    return { created_at: bornAt, line_id: line };
  },

  onUpdate: (given, state) => {
    const context = given as TemplateContext;
    const { definition } = context;
    return {
      name: definition.name,
      category: definition.category,
      language: definition.language,
      body_text: definition.bodyText,
      header_type: definition.headerType,
      header_text: definition.headerText,
      footer_text: definition.footerText,
      variables_examples: definition.variablesExamples,
      button_type: definition.buttonType,
      button_config: definition.buttonConfig,
      updated_at: context.editedAt,
      state: stateOf(state, context),
      status: context.status,
      told_status: context.toldStatus,
      // One that was remembered before ids were bounded may be longer than the table takes.
      upstream_id: context.upstreamId.slice(0, 255),
      former_upstream_id: context.former?.upstreamId.slice(0, 255) ?? '',
      rejection_reason: context.rejectionReason,
      upstream_category: context.traits?.category?.word ?? '',
      quality: context.traits?.quality?.word ?? '',
      meta_json: context.json,
      meta_json_with_urls: context.jsonWithUrls,
      changes: JSON.stringify(context.changes),
      checked_at: context.checkedAt || null,
      removed: state === 'removed',
    };
  },
};

/** The word for where the chart stands. */
const stateOf = (state: string, { status }: TemplateContext): string => {
  const [word = ''] = state.split('.');
  if (word === 'checking') return status === 'DELETED' ? 'deleted' : 'submitted';
  return word;
};

/** A Msgapp template as the interface shows it (spec 2.5.1), and as its row is read into a definition. */
import type { TemplateDefinition } from '../../machines/vocabulary/template.ts';
import type { TemplateRow } from '../store/reads/templates.ts';

/** The words of the interface for what is written of a template. */
export const templateWords = {
  cwt_name: 'name',
  cwt_category: 'category',
  cwt_language: 'language',
  cwt_body_text: 'bodyText',
  cwt_header_type: 'headerType',
  cwt_header_text: 'headerText',
  cwt_footer_text: 'footerText',
  cwt_variables_examples: 'variablesExamples',
  cwt_button_type: 'buttonType',
  cwt_button_config: 'buttonConfig',
} as const satisfies Record<string, keyof TemplateDefinition>;

/** As GetMsgappTemplates lists it (spec 4.19). */
export interface TemplateRecord {
  cwt_id: number;
  cwt_name: string;
  cwt_category: string;
  cwt_language: string;
  cwt_status: string;
  cwt_body_text: string;
  cwt_header_type: string;
  cwt_header_text: string;
  cwt_footer_text: string;
  cwt_variables_examples: string;
  cwt_button_type: string;
  cwt_button_config: string;
}

export const writeTemplateRecord = (row: TemplateRow): TemplateRecord => ({
  cwt_id: row.id,
  cwt_name: row.name,
  cwt_category: row.category,
  cwt_language: row.language,
  cwt_status: row.status,
  cwt_body_text: row.body_text,
  cwt_header_type: row.header_type,
  cwt_header_text: row.header_text,
  cwt_footer_text: row.footer_text,
  cwt_variables_examples: row.variables_examples,
  cwt_button_type: row.button_type,
  cwt_button_config: row.button_config,
});

/** All of it, for operators. */
export interface WholeTemplate extends TemplateRecord {
  v8l_id: number;
  cwt_template_id: string;
  cwt_rejection_reason: string;
  cwt_meta_json: string;
  cwt_meta_json_with_urls: string;
  /** stored, submitting, submitted, deleting, deleted. */
  state: string;
  /** Epoch milliseconds. */
  created_at: number;
  updated_at: number;
  checked_at: number | null;
}

export const writeWholeTemplate = (row: TemplateRow): WholeTemplate => ({
  ...writeTemplateRecord(row),
  v8l_id: row.line_id,
  cwt_template_id: row.upstream_id,
  cwt_rejection_reason: row.rejection_reason,
  cwt_meta_json: row.meta_json,
  cwt_meta_json_with_urls: row.meta_json_with_urls,
  state: row.state,
  created_at: row.created_at,
  updated_at: row.updated_at,
  checked_at: row.checked_at,
});

/** What was written of a template, from its row. */
export const readDefinition = (row: TemplateRow): TemplateDefinition => ({
  name: row.name,
  category: row.category,
  language: row.language,
  bodyText: row.body_text,
  headerType: row.header_type,
  headerText: row.header_text,
  footerText: row.footer_text,
  variablesExamples: row.variables_examples,
  buttonType: row.button_type,
  buttonConfig: row.button_config,
});

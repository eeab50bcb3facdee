/** A Msgapp template as the interface shows it (spec 2.5.1), and as its row is read into a definition. */
import * as z from 'zod';
import type { TemplateDefinition } from '../../machines/contracts/template.ts';
import type { TemplateRow } from '../store/reads/templates/templates.ts';

/** The words of the interface for what is written of a template. */
export const templateFieldsByRestName = {
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
export const templateRecordSchema = z.object({
  cwt_id: z.int().describe('Template id, as `template_id` takes it.'),
  cwt_name: z.string().describe('Name.'),
  cwt_category: z
    .string()
    .describe('Category: AUTHENTICATION, MARKETING, UTILITY, or another one of the upstream.'),
  cwt_language: z.string().describe('Language, as pt_BR.'),
  cwt_status: z.string().describe('Status of the upstream; an open set.'),
  cwt_body_text: z.string().describe('Body; placeholders are {{1}}, {{2}} and so on.'),
  cwt_header_type: z.string().describe('Type of the header; empty: none.'),
  cwt_header_text: z.string().describe('Text of the header.'),
  cwt_footer_text: z.string().describe('Text of the footer.'),
  cwt_variables_examples: z.string().describe('JSON text with an example for each placeholder.'),
  cwt_button_type: z.string().describe('Type of the buttons; empty: none.'),
  cwt_button_config: z.string().describe('JSON text of the buttons.'),
});
export type TemplateApiRecord = z.output<typeof templateRecordSchema>;

export const formatTemplateRecord = (row: TemplateRow): TemplateApiRecord => ({
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
export interface FullTemplateRecord extends TemplateApiRecord {
  v8l_id: number;
  cwt_template_id: string;
  /** The id under which upstream still has what was edited: the next submission edits that. Empty: none. */
  former_template_id: string;
  cwt_rejection_reason: string;
  /** What upstream takes it for by now, in its own words; empty: it has not said. `cwt_category` stays what was asked for. */
  upstream_category: string;
  quality: string;
  cwt_meta_json: string;
  cwt_meta_json_with_urls: string;
  /** stored, submitting, submitted, deleting, deleted. */
  state: string;
  /** Epoch milliseconds. */
  created_at: number;
  updated_at: number;
  checked_at: number | null;
}

export const formatFullTemplateRecord = (row: TemplateRow): FullTemplateRecord => ({
  ...formatTemplateRecord(row),
  v8l_id: row.line_id,
  cwt_template_id: row.upstream_id,
  former_template_id: row.former_upstream_id,
  cwt_rejection_reason: row.rejection_reason,
  upstream_category: row.upstream_category,
  quality: row.quality,
  cwt_meta_json: row.meta_json,
  cwt_meta_json_with_urls: row.meta_json_with_urls,
  state: row.state,
  created_at: row.created_at,
  updated_at: row.updated_at,
  checked_at: row.checked_at,
});

/** What was written of a template, from its row. */
export const templateDefinitionOfRow = (row: TemplateRow): TemplateDefinition => ({
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

/** Msgapp templates by the questions that are asked of them. One that was deleted here is never found. */
import type { Pool } from 'pg';

/** A template's record (spec 2.5.1). */
export interface TemplateRow {
  id: number;
  /** Epoch milliseconds. */
  created_at: number;
  line_id: number;
  name: string;
  category: string;
  language: string;
  body_text: string;
  header_type: string;
  header_text: string;
  footer_text: string;
  variables_examples: string;
  button_type: string;
  button_config: string;
  /** When what was written was written last, epoch milliseconds. */
  updated_at: number;
  /** stored, submitting, submitted, deleting, deleted. */
  state: string;
  status: string;
  told_status: string;
  upstream_id: string;
  /** What upstream has of it from before an edit; empty: nothing. */
  former_upstream_id: string;
  rejection_reason: string;
  /** Upstream's own words for what it takes it for by now; empty: it has not said. */
  upstream_category: string;
  quality: string;
  meta_json: string;
  meta_json_with_urls: string;
  /** JSON text. */
  changes: string;
  checked_at: number | null;
}

const columns = `id, created_at, line_id, name, category, language, body_text, header_type, header_text, footer_text,
  variables_examples, button_type, button_config, updated_at, state, status, told_status, upstream_id,
  former_upstream_id, rejection_reason, upstream_category, quality, meta_json, meta_json_with_urls, changes,
  checked_at`;

/** One template of the account; undefined: it has none with this id. */
export const findTemplateById = async (
  pool: Pool,
  account: number,
  id: number,
): Promise<TemplateRow | undefined> => {
  const { rows } = await pool.query<TemplateRow>({
    name: 'template of account',
    text: `SELECT ${columns} FROM templates WHERE account_id = $1 AND id = $2 AND NOT removed`,
    values: [account, id],
  });
  return rows[0];
};

/** Those of a line that can be sent, oldest first. */
export const approvedChatLineTemplates = async (
  pool: Pool,
  account: number,
  line: number,
): Promise<TemplateRow[]> => {
  const { rows } = await pool.query<TemplateRow>({
    name: 'approved templates of line',
    text: `SELECT ${columns} FROM templates
      WHERE account_id = $1 AND line_id = $2 AND status = 'APPROVED' AND NOT removed ORDER BY id`,
    values: [account, line],
  });
  return rows;
};

/** A page of an account's templates, newest first: ids below `belowId`. */
export const readTemplatePage = async (
  pool: Pool,
  account: number,
  { belowId, limit }: { belowId: number; limit: number },
): Promise<TemplateRow[]> => {
  const { rows } = await pool.query<TemplateRow>({
    name: 'templates page',
    text: `SELECT ${columns} FROM templates
      WHERE account_id = $1 AND id < $2 AND NOT removed ORDER BY id DESC LIMIT $3`,
    values: [account, belowId, limit],
  });
  return rows;
};

export const countTemplates = async (pool: Pool, account: number): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>({
    name: 'count templates',
    text: 'SELECT count(*)::int AS count FROM templates WHERE account_id = $1 AND NOT removed',
    values: [account],
  });
  return rows[0]!.count;
};

/** The public address of a media file of the account; undefined: it has none such. */
export const findTemplateMediaFileUrl = async (
  pool: Pool,
  account: number,
  id: number,
): Promise<string | undefined> => {
  const { rows } = await pool.query<{ file_path: string }>({
    name: 'template media',
    text: 'SELECT file_path FROM template_media WHERE account_id = $1 AND id = $2',
    values: [account, id],
  });
  return rows[0]?.file_path;
};

/** What upstream says of templates, read from its answers. */
import { isProviderId } from '../sms/providerId.ts';

type Json = Readonly<Record<string, unknown>>;

/** A template as upstream tells it; a field it left out is empty. */
export interface UpstreamTemplate {
  /** Empty as well for what can be no id. */
  id: string;
  name: string;
  language: string;
  /** An open set, kept as it comes. */
  status: string;
  /** Empty: none, also where upstream says NONE. */
  reason: string;
  /** Text of its body; undefined: not told. */
  bodyText: string | undefined;
}

/** The fields that `parseUpstreamTemplate` reads. */
export const upstreamTemplateFieldList = 'name,status,category,language,components,rejected_reason';

export const parseUpstreamTemplate = (json: Json): UpstreamTemplate => ({
  id: idOf(textOf(json['id'])),
  name: textOf(json['name']),
  language: textOf(json['language']),
  status: textOf(json['status']).slice(0, LONGEST_STATUS),
  reason: textOf(json['rejected_reason'])
    .replace(/^NONE$/, '')
    .slice(0, LONGEST_REASON)
    .toWellFormed(),
  bodyText: bodyOf(json['components']),
});

/** Characters; every change of a status is kept with its reason. */
const LONGEST_STATUS = 50;
const LONGEST_REASON = 500;

const idOf = (text: string): string => (isProviderId(text) ? text : '');

/** A page of templates. */
export const parseUpstreamTemplatePage = (
  json: Json,
): { templates: UpstreamTemplate[]; after: string | undefined } => {
  const rows = Array.isArray(json['data']) ? (json['data'] as unknown[]) : [];
  const paging = objectOf(json['paging']);
  const after = textOf(objectOf(paging['cursors'])['after']);
  const more = paging['next'] !== undefined && after !== '';
  return {
    templates: rows.map((row) => parseUpstreamTemplate(objectOf(row))),
    after: more ? after : undefined,
  };
};

const bodyOf = (components: unknown): string | undefined => {
  if (!Array.isArray(components)) return undefined;
  const body = components.map(objectOf).find(({ type }) => textOf(type).toUpperCase() === 'BODY');
  return typeof body?.['text'] === 'string' ? body['text'] : undefined;
};

const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

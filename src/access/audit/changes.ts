/** What the audit log keeps of an administrative change. */
import { truncateForLog } from '../../lib/truncateForLog.ts';
import { withoutSecrets } from '../../lib/redactSecretFields.ts';

export interface Sent {
  query: Readonly<Record<string, unknown>>;
  body: unknown;
}

const longestDetail = 8_000;

/** What was sent, as JSON without secrets and cut to a size; empty when nothing was. */
export const redactedAuditDetailJson = ({ query, body }: Sent): string => {
  const sent = {
    ...(Object.keys(query).length > 0 && { query }),
    ...(isSomething(body) && { body }),
  };
  if (Object.keys(sent).length === 0) return '';
  const text = JSON.stringify(truncateForLog(withoutSecrets(sent)));
  return text.length <= longestDetail
    ? text
    : JSON.stringify({ cut: `${text.slice(0, longestDetail / 2)}…`, characters: text.length });
};

const isSomething = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && Object.keys(body).length > 0;

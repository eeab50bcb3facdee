/** What was sent with an audited request, a line each; all of it as JSON on hover. */
import type { JSX } from 'preact';
import { toTextOrJson } from '../../../toTextOrJson.ts';
import { FieldName } from '../../../ui/translatedApiDescriptions.tsx';
import type { FieldViewProps } from '../extras.ts';
import { NoValue } from '../recordFieldValue.tsx';
import { fieldsOfDetail } from './fieldsOfDetail.ts';

export const AuditedDetail = ({ value }: FieldViewProps): JSX.Element => {
  const fields = fieldsOfDetail(value);
  if (fields.length === 0) return <NoValue />;
  return (
    <dl class="kv values" title={JSON.stringify(value)}>
      {fields.map(([path, sent]) => (
        <>
          <dt>
            <FieldName name={path} />
          </dt>
          <dd class="foreign">{toTextOrJson(sent)}</dd>
        </>
      ))}
    </dl>
  );
};

/** The part of a body that stays in memory, once its long parameters are out. */
import { decodeUtf8OrLatin1 } from '../../lib/clientTextEncoding.ts';
import { parseUrlEncodedForm, parseJsonObjectText } from '../body.ts';
import { UploadRefused } from './refused.ts';
import type { UploadedContents } from './uploadRequestState.ts';

/** What the rest of a body says once its long parameters are out. Throws `UploadRefused`. */
export const parseBodyWithoutLongParams = (
  kind: 'json' | 'form',
  rest: Buffer,
  contentType: string,
): UploadedContents['body'] => {
  if (kind === 'json') {
    const provided = parseJsonObjectText(decodeUtf8OrLatin1(rest));
    if (provided) return { kind, provided };
  }
  const text = rest.toString('latin1');
  if (text.trim() === '') return { kind: 'form', provided: {} };
  if (kind === 'json' || /[/+]json\b/i.test(contentType) || !text.includes('='))
    throw new UploadRefused('unreadable');
  return { kind: 'form', provided: parseUrlEncodedForm(text) };
};

/** The part of a body that stays in memory, once its long parameters are out. */
import { guessBytes } from '../../lib/encoding.ts';
import { readForm, readJson } from '../body.ts';
import { UploadRefused } from './refused.ts';
import type { Contents } from './uploadSession.ts';

/** What the rest of a body says once its long parameters are out. Throws `UploadRefused`. */
export const readRest = (kind: 'json' | 'form', rest: Buffer, contentType: string): Contents['body'] => {
  if (kind === 'json') {
    const provided = readJson(guessBytes(rest));
    if (provided) return { kind, provided };
  }
  const text = rest.toString('latin1');
  if (text.trim() === '') return { kind: 'form', provided: {} };
  if (kind === 'json' || /[/+]json\b/i.test(contentType) || !text.includes('='))
    throw new UploadRefused('unreadable');
  return { kind: 'form', provided: readForm(text) };
};

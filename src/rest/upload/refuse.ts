/** How an upload that is not taken is answered: by the operation's own word where it has one. */
import type { AnyOperation } from '../../operations/declare.ts';
import {
  type OperationResponse,
  answerWithDeclaredRefusal,
  buildRefusalResponse,
} from '../../operations/run.ts';
import type { UploadRules } from '../../operations/operationUploadTypes.ts';
import type { UploadRefusalReason } from './refused.ts';

/** Said with `Retry-After`. */
export const tooManyLargeRequestsText = 'too many large requests at a time: send them again later';

interface Wording {
  code: string;
  http: number;
  text: string;
  word?: keyof NonNullable<UploadRules['refusedAs']>;
}

/** The numbers of upload errors are those that clients know from PHP. `maxBytes`: of a file. */
const wordings = (maxBytes: number): Readonly<Record<UploadRefusalReason, Wording>> => ({
  tooLarge: {
    word: 'tooLarge',
    code: '413',
    http: 413,
    text: `upload error 2: the file is larger than ${maxBytes} bytes`,
  },
  discarded: {
    word: 'discarded',
    code: '413',
    http: 413,
    text: 'the body was discarded: it, its fields or their number are beyond the limits',
  },
  partial: {
    word: 'partial',
    code: '100',
    http: 400,
    text: 'upload error 3: the body ended before its end',
  },
  notStored: {
    word: 'notStored',
    code: '503',
    http: 503,
    text: 'upload error 7: the file could not be written to disk',
  },
  several: { word: 'several', code: '100', http: 400, text: 'there is more than one file; send one alone' },
  noRoom: { code: '503', http: 503, text: tooManyLargeRequestsText },
  unreadable: { code: '100', http: 400, text: 'the body is neither JSON nor a form, nor readable multipart' },
});

export const refuseUpload = (
  op: AnyOperation,
  rules: UploadRules,
  why: UploadRefusalReason,
  maxBytes: number,
): OperationResponse => {
  const { word, code, http, text } = wordings(maxBytes)[why];
  const declared = word && rules.refusedAs?.[word];
  if (declared !== undefined) return answerWithDeclaredRefusal(op, declared, text, http);
  // 100 is a code of authentication, for which an operation may have another.
  return code === '100' && op.accessRefusedAs !== undefined
    ? buildRefusalResponse(op, op.accessRefusedAs, `${code}: ${text}`, http)
    : buildRefusalResponse(op, code, text, http);
};

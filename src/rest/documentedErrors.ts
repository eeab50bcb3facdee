/** Every refusal that the REST door can answer for an operation, in the order of HTTP status and code. */
import { accessErrors } from '../access/authenticate.ts';
import type { AnyOperation } from '../operations/declare.ts';
import type { UploadRules } from '../operations/operationUploadTypes.ts';
import type { DeclaredError } from '../operations/refused.ts';

export interface DocumentedRestError {
  code: string;
  text: string;
  http: number;
  /** What its answer carries in `return` besides. */
  fields?: Readonly<Record<string, unknown>>;
  passesUpstream?: true;
}

/** Codes of every operation, beside those of access. */
const endpointErrors: readonly DocumentedRestError[] = [
  { code: '100', text: 'the body is neither JSON nor a form', http: 400 },
  { code: '299', text: 'a parameter has the wrong type or is out of range; `status` names it', http: 400 },
  { code: '404', text: 'unknown endpoint', http: 404 },
  { code: '405', text: 'use POST', http: 405 },
  { code: '408', text: 'the body did not come in time', http: 408 },
  { code: '413', text: 'the body is too large', http: 413 },
  { code: '415', text: 'compressed bodies are not taken', http: 415 },
  { code: '500', text: 'internal error; `status` carries an incident id', http: 500 },
  { code: '503', text: 'not now; `Retry-After` says when', http: 503 },
];

/** Those that every operation shares. */
export const sharedRestErrors: readonly DocumentedRestError[] = [
  ...Object.values(accessErrors),
  ...endpointErrors,
];

/** Those that the operation declares. */
export const declaredOperationErrors = (op: AnyOperation): DocumentedRestError[] =>
  inOrder(Object.values(op.errors as Record<string, DeclaredError>).map(listed));

/** All that this operation may be answered with, each code once under each HTTP status. */
export const allErrorsOfOperation = (op: AnyOperation): DocumentedRestError[] => {
  const all = [
    ...declaredOperationErrors(op),
    ...uploadErrors(op),
    ...Object.values(accessErrors).map((error) => accessError(op, error)),
    ...endpointErrors.map((error) => (error.code === '100' ? accessError(op, error) : error)),
  ];
  const seen = new Map<string, DocumentedRestError>();
  for (const error of all) {
    const key = `${error.http} ${error.code}`;
    const before = seen.get(key);
    seen.set(key, before ? joined(before, error) : error);
  }
  return inOrder([...seen.values()]);
};

const listed = ({ fields, http = 400, ...error }: DeclaredError): DocumentedRestError => ({
  ...error,
  http,
  ...(fields && { fields: fields(error.text) }),
});

const joined = (one: DocumentedRestError, other: DocumentedRestError): DocumentedRestError =>
  one.text.includes(other.text) ? one : { ...one, text: `${one.text}; or ${other.text}` };

/** An operation may have one code for all refusals of access; a request too many is not one of them. */
const accessError = ({ accessRefusedAs }: AnyOperation, error: DocumentedRestError): DocumentedRestError =>
  accessRefusedAs === undefined || error.http === 429
    ? error
    : { ...error, code: accessRefusedAs, text: `${error.code}: ${error.text}` };

const uploadStatus: Readonly<Record<keyof NonNullable<UploadRules['refusedAs']>, number>> = {
  tooLarge: 413,
  discarded: 413,
  partial: 400,
  notStored: 503,
  several: 400,
};

const uploadErrors = ({ upload, errors }: AnyOperation): DocumentedRestError[] => {
  const declared = errors as Record<string, DeclaredError>;
  const refusedAs = (upload as UploadRules | undefined)?.refusedAs ?? {};
  return Object.entries(refusedAs).map(([why, word]) => ({
    ...listed(declared[word]!),
    http: uploadStatus[why as keyof typeof uploadStatus],
  }));
};

const inOrder = (errors: DocumentedRestError[]): DocumentedRestError[] =>
  errors.toSorted((one, other) => one.http - other.http || Number(one.code) - Number(other.code));

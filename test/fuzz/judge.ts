/** What must hold of every answer, whatever was sent. */
import { holdToDeclaration } from '../helpers/answers.ts';
import { documentSchemas } from '../helpers/documentSchemas.ts';
import type { Described } from './plan.ts';

export interface FuzzAnswer {
  http: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

/** Throws a sentence when an answer breaks a promise. */
export type Judge = (operation: string, answer: FuzzAnswer) => void;

export const judgeBy = (document: {
  paths: Record<string, { post: Described }>;
  components: { schemas: object };
}): Judge => {
  const schemas = documentSchemas(document);
  return (operation, { http, headers, text }) => {
    // On a machine that is busy with other things the service may say so.
    const isBusy = http === 503 && headers['retry-after'] !== undefined;
    if (http >= 500 && !isBusy) throw new Error(`${operation} answered ${http}: ${text.slice(0, 300)}`);
    const declared = document.paths[`/api/v2/${operation}.php`]!.post.responses[http];
    if (!declared) throw new Error(`${operation} answered HTTP ${http}, which it does not declare`);
    const body = bodyOf(operation, text);
    const wrong = schemas.against(declared.content['application/json']!.schema, body);
    if (wrong.length > 0)
      throw new Error(
        `${operation} answered ${http} with what does not fit: ${wrong.join()}\n${text.slice(0, 600)}`,
      );
    holdToDeclaration(operation, http, body);
    if (http === 429 && headers['retry-after'] === undefined) throw new Error('429 without Retry-After');
    if (/\n\s+at |node_modules|PrismaClient|SELECT |\/src\//.test(text))
      throw new Error(`${operation} tells of its inside: ${text.slice(0, 300)}`);
  };
};

const bodyOf = (operation: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${operation} answered no JSON: ${text.slice(0, 200)}`);
  }
};

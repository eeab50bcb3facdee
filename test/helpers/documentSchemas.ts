/** The schemas of an OpenAPI document, to hold values against. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

export interface DocumentSchemas {
  compile(schema: object): ValidateFunction;
  /** What a schema of the document says against a value; empty: nothing. */
  against(schema: object, value: unknown): string[];
}

export const documentSchemas = (document: { components: { schemas: object } }): DocumentSchemas => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
  // The plugin is CommonJS; its types take its default export for the module.
  (formats as unknown as (to: Ajv2020) => void)(ajv);
  // What a value is besides its type, for forms: every value of the type fits.
  for (const name of ['binary', 'decimal', 'epoch-milliseconds', 'moment']) ajv.addFormat(name, true);
  // Which records a field names: forms offer them, and no value is refused for it.
  ajv.addKeyword('x-refers-to');
  ajv.addKeyword('x-alias-of');
  ajv.addKeyword('x-examples-of');
  ajv.addSchema(anchored({ $id: 'document', $defs: document.components.schemas }));
  const compiled = new Map<object, ValidateFunction>();
  const compile = (schema: object): ValidateFunction => {
    const known = compiled.get(schema);
    if (known) return known;
    const check = ajv.compile(anchored(schema));
    compiled.set(schema, check);
    return check;
  };
  return {
    compile,
    against: (schema, value) => {
      const check = compile(schema);
      return check(value) ? [] : [ajv.errorsText(check.errors)];
    },
  };
};

/** References to components, as the validator finds them. */
const anchored = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"document#/$defs/')) as object;

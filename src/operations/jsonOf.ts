/** JSON Schema of one value, as every door shows it. */
import * as z from 'zod';

/** The schema a client sees: the fields of `fields.ts` carry it, because they also take form strings. */
export const jsonOf = (schema: z.ZodType): Record<string, unknown> => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const meta = z.globalRegistry.get(zodSchema as unknown as z.ZodType) as { json?: object } | undefined;
      if (!meta?.json) return;
      for (const key of Object.keys(jsonSchema)) delete (jsonSchema as Record<string, unknown>)[key];
      Object.assign(jsonSchema, meta.json);
    },
  });
  return json;
};

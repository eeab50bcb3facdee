/** The records of a list as a tool takes them (spec 2.4). */
const text = (description: string) => ({ type: 'string', description });

export const destinationListRecordsToolSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      phone: text('Number.'),
      name: text('Spoken for <NOME>.'),
      cod_cli: text('Spoken for <COD_CLI>.'),
      extra1: text('Spoken for <EXTRA1>.'),
      extra2: text('Spoken for <EXTRA2>.'),
      extra3: text('Spoken for <EXTRA3>.'),
      extra4: text('Spoken for <EXTRA4>.'),
    },
    required: ['phone'],
  },
} as const;

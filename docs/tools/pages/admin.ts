/** The reference of the admin API, made from the declarations of its routes: a page for each subject. */
import type { AnyAdminRoute, AdminRouteTable } from '../../../src/admin/routeDeclaration.ts';
import {
  type AdminOpenApiOperation,
  type AdminOpenApiParameter,
  adminOpenApi,
} from '../../../src/admin/openapi.ts';
import { adminRouteGroups } from '../../../src/admin/routes.ts';
import { routeGroupTitles } from '../../../src/admin/subjects.ts';
import type { Json } from '../../../src/operations/jsonSchema.ts';
import type { Generated } from '../generated.ts';
import { code, table } from './table.ts';
import { valueOf } from './value.ts';

const folder = 'docs/admin';

type Subject = keyof typeof adminRouteGroups;

/** A page for each subject, and the list of all routes. */
export const adminPages = (): Generated[] => [
  { path: `${folder}/README.md`, content: listPage() },
  ...(Object.keys(adminRouteGroups) as Subject[]).map((subject) => ({
    path: `${folder}/${subject}.md`,
    content: subjectPage(subject),
  })),
];

const { paths } = adminOpenApi('http://localhost:8080', '');

interface Described {
  key: string;
  declared: AnyAdminRoute;
  operation: AdminOpenApiOperation;
}

const routesOf = (subject: Subject): Described[] =>
  Object.entries<AnyAdminRoute>(adminRouteGroups[subject] as AdminRouteTable).map(([key, declared]) => {
    const [method = '', path = ''] = key.split(' ');
    const operation = paths[path.replaceAll(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!;
    return { key, declared, operation };
  });

const listPage = (): string =>
  page([
    '# Routes of the admin API',
    'Made from `src/admin` by `npm run docs`; edit there. The running service shows the same at `/docs?api=admin`, and as OpenAPI 3.1 at `/admin/openapi.json`.',
    'Paths are below `/admin/api`. Requests show the admin token or an operator’s key, `Authorization: Bearer …`; [who may do what](../guides/who-may-do-what.md) tells of both. A mistake is answered with `{"error": "<a sentence>", "field": "<what is wrong>"}`; where several fields are wrong, `problems` lists all of them, each as `{field, error}`. Moments are epoch milliseconds; bodies take ISO 8601 too.',
    ...(Object.keys(adminRouteGroups) as Subject[]).flatMap((subject) => [
      `## [${routeGroupTitles[subject]}](${subject}.md)`,
      table(
        ['route', 'role', ''],
        routesOf(subject).map(({ key, declared }) => [code(key), roles[declared.role], declared.summary]),
      ),
    ]),
  ]);

const roles = { anybody: 'none', operator: 'operator', admin: 'admin' } as const;

const subjectPage = (subject: Subject): string => {
  const told = new Map<string, string>();
  return page([
    `# ${routeGroupTitles[subject]}`,
    'Made from `src/admin` by `npm run docs`; edit there. All routes are [listed together](README.md).',
    ...routesOf(subject).flatMap((route) => routePart(route, told)),
  ]);
};

/** `told`: answers that the page has told of already, and with which route. */
const routePart = ({ key, declared, operation }: Described, told: Map<string, string>): string[] => [
  `## ${key}`,
  [declared.summary, declared.description ?? '', `Role: ${roles[declared.role]}.`].filter(Boolean).join(' '),
  table(['parameter', 'in', 'value', 'meaning'], operation.parameters.map(parameterRow)),
  ...bodyPart(operation, declared),
  ...answerPart(key, operation, told),
  table(['HTTP', 'meaning'], Object.entries({ ...declared.also, ...declared.refuses })),
];

const parameterRow = ({ name, in: place, schema, description = '' }: AdminOpenApiParameter): string[] => [
  code(name),
  place,
  valueOf(schema),
  description,
];

const bodyPart = ({ requestBody }: AdminOpenApiOperation, { file, example }: AnyAdminRoute): string[] => {
  if (file) return ['The body is a CSV file (`text/csv`), or a form with one.'];
  const schema = requestBody?.content['application/json']?.schema;
  if (!schema) return [];
  return ['What it takes:', fieldsTable(schema), json(example.body)];
};

const answerPart = (
  key: string,
  { responses }: AdminOpenApiOperation,
  told: Map<string, string>,
): string[] => {
  const [http = '', success] = Object.entries(responses).find(([status]) => Number(status) < 300) ?? [];
  const content = success?.content?.['application/json'];
  if (http === '') return [];
  const [media] = Object.keys(success?.content ?? {});
  if (media !== undefined && !content) return [`A success is HTTP ${http} with a file, \`${media}\`.`];
  if (!content) return [`A success is HTTP ${http} without a body.`];
  const shape = JSON.stringify(content.schema);
  const before = told.get(shape);
  if (before !== undefined) return [`A success is HTTP ${http}, with what \`${before}\` answers.`];
  told.set(shape, key);
  return [`A success is HTTP ${http}:`, fieldsTable(content.schema), json(content.example)];
};

const fieldsTable = (schema: Json): string => table(['field', 'value', 'meaning'], fieldRows(schema, ''));

/** Fields of objects and of the objects in lists, each under its whole name. */
const fieldRows = (schema: Json, before: string): string[][] => {
  const { properties, required = [] } = schema as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(properties ?? {}).flatMap(([name, one]) => {
    const optional = required.includes(name) ? '' : ' (optional)';
    const inner = one['type'] === 'array' ? (one['items'] as Json | undefined) : one;
    const whole = `${before}${name}`;
    return [
      [`${code(whole)}${optional}`, valueOf(one), (one['description'] as string | undefined) ?? ''],
      ...(inner ? fieldRows(inner, `${whole}${inner === one ? '' : '[]'}.`) : []),
    ];
  });
};

const json = (example: unknown): string =>
  example === undefined ? '' : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``;

const page = (parts: readonly string[]): string => `${parts.filter((part) => part !== '').join('\n\n')}\n`;

/**
 * Templates at the strict upstream: what is created is looked at key by key as the real one would, kept, reviewed
 * when the test says so, and deleted. Mounted by `startGraphServer(templatesUpstream(…).routes)`.
 */
import * as z from 'zod';
import { graphError, type GraphReaction, type GraphRoute, type GraphSeen } from './graphServer.ts';

/** How long a template takes to be created, and whether the answer comes back. */
export interface Creating {
  cut?: 'unanswered' | 'halfway';
  /** A gateway answers instead; the template was created all the same. */
  gateway?: number;
  afterMs?: number;
}

export interface KeptTemplate {
  id: string;
  name: string;
  language: string;
  category: string;
  status: string;
  rejected_reason: string;
  components: unknown[];
}

export interface TemplatesUpstream {
  routes: GraphRoute[];
  /** What it has, oldest first. */
  kept: KeptTemplate[];
  /** Templates that it was asked to create, those that exist already too. */
  posts: number;
  /** What happens to the next that is created. */
  creating: Creating;
  /** The status that the next is created with. Default PENDING. */
  review(template: string, status: string, reason?: string): void;
}

const variable = /\{\{(\d+)\}\}/g;
const countOf = (text: string): number => [...text.matchAll(variable)].length;

/** Placeholders count up from 1, each has an example, and the examples of a body are nested. */
const body = z
  .strictObject({
    type: z.literal('BODY'),
    text: z.string().min(1).max(1024),
    example: z.strictObject({ body_text: z.tuple([z.array(z.string().min(1))]) }).optional(),
  })
  .refine(
    ({ text, example }) => countOf(text) === (example?.body_text[0].length ?? 0),
    'examples of the body',
  );

const header = z.union([
  z
    .strictObject({
      type: z.literal('HEADER'),
      format: z.literal('TEXT'),
      text: z.string().min(1).max(60),
      example: z.strictObject({ header_text: z.array(z.string().min(1)).length(1) }).optional(),
    })
    .refine(({ text, example }) => countOf(text) === (example ? 1 : 0), 'examples of the header'),
  z.strictObject({
    type: z.literal('HEADER'),
    format: z.enum(['IMAGE', 'VIDEO', 'DOCUMENT']),
    // An upload handle, never an address.
    example: z.strictObject({ header_handle: z.tuple([z.string().regex(/^\d+::/)]) }),
  }),
  z.strictObject({ type: z.literal('HEADER'), format: z.literal('LOCATION') }),
]);

const label = z.string().min(1).max(25);
const button = z.union([
  z.strictObject({ type: z.literal('QUICK_REPLY'), text: label }),
  z
    .strictObject({
      type: z.literal('URL'),
      text: label,
      url: z.string().regex(/^https?:\/\//),
      example: z.tuple([z.string().regex(/^https?:\/\/[^{]+$/)]).optional(),
    })
    .refine(({ url, example }) => countOf(url) === (example ? 1 : 0), 'example of the url'),
  z.strictObject({ type: z.literal('PHONE_NUMBER'), text: label, phone_number: z.string() }),
  z.strictObject({ type: z.literal('COPY_CODE'), example: z.string().max(15) }),
]);

const buttons = z.strictObject({ type: z.literal('BUTTONS'), buttons: z.array(button).min(1).max(10) });
const footer = z.strictObject({ type: z.literal('FOOTER'), text: z.string().max(60) });

const named = {
  name: z.string().regex(/^[a-z0-9_]{1,512}$/),
  language: z.string().regex(/^[a-z]{2}(_[A-Z]{2})?$/),
};

const code = z.strictObject({
  ...named,
  category: z.literal('AUTHENTICATION'),
  components: z.tuple([
    z.strictObject({ type: z.literal('BODY'), add_security_recommendation: z.boolean() }),
    z.strictObject({ type: z.literal('FOOTER'), code_expiration_minutes: z.int().min(1).max(90) }),
    z.strictObject({
      type: z.literal('BUTTONS'),
      buttons: z.tuple([z.strictObject({ type: z.literal('OTP'), otp_type: z.literal('COPY_CODE') })]),
    }),
  ]),
});

const templateOf = z.union([
  z.strictObject({
    ...named,
    category: z.enum(['MARKETING', 'UTILITY']),
    components: z.array(z.union([header, body, footer, buttons])).min(1),
  }),
  code,
]);

const fields = 'name,status,category,language,components,rejected_reason';

export const templatesUpstream = (business: string): TemplatesUpstream => {
  const edge = new RegExp(`^${business}/message_templates$`);
  const upstream: TemplatesUpstream = {
    routes: [],
    kept: [],
    posts: 0,
    creating: {},
    review: (id, status, reason = 'NONE') => {
      Object.assign(
        upstream.kept.find((one) => one.id === id)!,
        { status, rejected_reason: reason },
      );
    },
  };
  upstream.routes = [
    { method: 'POST', path: edge, body: templateOf, answer: (seen) => create(upstream, seen) },
    {
      method: 'GET',
      path: edge,
      query: z.strictObject({ name: z.string(), fields: z.literal(`id,${fields}`), limit: z.literal('100') }),
      answer: ({ query }) => ({
        status: 200,
        json: {
          data: upstream.kept.filter(({ name }) => name.includes(query['name']!)),
          paging: { cursors: { before: 'b', after: 'a' } },
        },
      }),
    },
    {
      method: 'GET',
      path: /^9\d{14}$/,
      query: z.strictObject({ fields: z.literal(fields) }),
      answer: ({ path }) => {
        const found = upstream.kept.find(({ id }) => id === path);
        return found ? { status: 200, json: found } : missing();
      },
    },
    {
      method: 'POST',
      path: /^9\d{14}$/,
      // A name and a language cannot be edited.
      body: z.strictObject({ category: z.string(), components: z.array(z.looseObject({})).min(1) }),
      answer: ({ path, body: changed }) => {
        const found = upstream.kept.find(({ id }) => id === path);
        if (!found) return missing();
        Object.assign(found, changed, { status: 'PENDING', rejected_reason: 'NONE' });
        return { status: 200, json: { success: true } };
      },
    },
    {
      method: 'DELETE',
      path: edge,
      query: z.strictObject({ name: z.string(), hsm_id: z.string() }),
      answer: ({ query }) => remove(upstream, query),
    },
  ];
  return upstream;
};

/**
 * The name of the template that a request is about; undefined where it is about none. A template under review is asked
 * for by itself, and one in doubt is looked for.
 */
export const templateAsked =
  (upstream: TemplatesUpstream) =>
  ({ path, query, body: given }: GraphSeen): string | undefined =>
    query['name'] ??
    (given as { name?: string } | undefined)?.name ??
    upstream.kept.find(({ id }) => id === path)?.name;

const create = (upstream: TemplatesUpstream, { body: given }: GraphSeen): GraphReaction => {
  upstream.posts += 1;
  const { cut, gateway, afterMs } = upstream.creating;
  upstream.creating = {};
  const { name, language, category, components } = given as KeptTemplate;
  if (upstream.kept.some((one) => one.name === name && one.language === language))
    return graphError(400, 100, 'Invalid parameter', {
      error_subcode: 2_388_024,
      error_user_title: 'Content in this language already exists',
      error_user_msg: `There is already ${language} content for this template.`,
    });
  const id = String(900_000_000_000_000 + upstream.posts);
  upstream.kept.push({
    id,
    name,
    language,
    category,
    components,
    status: 'PENDING',
    rejected_reason: 'NONE',
  });
  if (cut) return { cut };
  if (gateway !== undefined) return { status: gateway, html: '<html>Bad gateway</html>' };
  return {
    status: 200,
    json: { id, status: 'PENDING', category },
    ...(afterMs !== undefined && { afterMs }),
  };
};

const missing = (): GraphReaction =>
  graphError(400, 100, 'Unsupported get request. Object does not exist', { error_subcode: 33 });

const remove = (upstream: TemplatesUpstream, { name, hsm_id: id }: Record<string, string>): GraphReaction => {
  const at = upstream.kept.findIndex((one) => one.name === name && one.id === id);
  if (at < 0)
    return graphError(400, 100, 'Invalid parameter', {
      error_subcode: 2_593_002,
      error_user_msg: 'The message template could not be found.',
    });
  upstream.kept.splice(at, 1);
  return { status: 200, json: { success: true } };
};

/**
 * Templates at the upstream of their line: submitted, looked for, checked, deleted (spec 4.16 to 4.18). What is
 * posted was made by the operation; what upstream says is told as it came.
 */
import type { TemplateEffects, TemplateEvent } from '../../../machines/contracts/template.ts';
import {
  parseUpstreamTemplate,
  parseUpstreamTemplatePage,
  upstreamTemplateFieldList,
  type UpstreamTemplate,
} from '../../rules/templates/parseUpstreamTemplates.ts';
import type {
  ChatSenderLine,
  FindChatSenderLine,
  GraphApiClient,
  GraphApiAnswer,
} from '../contracts/chat.ts';
import {
  type EffectCall,
  type EffectResult,
  type EffectPerformer,
  Retryable,
  NotRetryable,
} from '../../engine/contract/performer.ts';

export interface TemplateManagerOptions {
  graph: GraphApiClient;
  line: FindChatSenderLine;
  /** The upstream is given up, milliseconds. Default 20,000. */
  timeoutMs?: number;
}

export type TemplatePerformers = { [Name in keyof TemplateEffects]: EffectPerformer<TemplateEffects[Name]> };

/** Pages of a listing that are read, and templates on each. */
const PAGES = 10;
const PAGE_SIZE = 100;

export const openTemplateManager = (options: TemplateManagerOptions): { performers: TemplatePerformers } => ({
  performers: {
    submitTemplate: async (call) => told(await submit(await upstreamOf(options, call), call.params)),
    findTemplate: async (call) => told(await find(await upstreamOf(options, call), call.params)),
    checkTemplate: async (call) => told(await check(await upstreamOf(options, call), call.params)),
    deleteTemplate: async (call) =>
      told(await remove(await upstreamOf(options, call), call.params, mayBeGone(call))),
  },
});

const told = (event: TemplateEvent): EffectResult => ({ events: [event] });

/** The upstream as one line sees it. */
interface Upstream {
  business: string;
  ask(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    more?: { query?: Readonly<Record<string, string>>; body?: object },
  ): Promise<GraphApiAnswer>;
}

const upstreamOf = async (
  { graph, line, timeoutMs = 20_000 }: TemplateManagerOptions,
  { machine, params, signal }: EffectCall<{ line: number }>,
): Promise<Upstream> => {
  const found = await line(machine, params.line).catch((cause: unknown) => {
    throw new Retryable('the line could not be read', { cause });
  });
  const token = tokenOf(found, params.line);
  return {
    business: found!.businessId,
    ask: (method, path, more = {}) =>
      graph.ask({ ...more, method, path, token, timeoutMs, signal, sandbox: found!.sandbox }),
  };
};

const tokenOf = (line: ChatSenderLine | undefined, id: number): string => {
  if (!line?.active || line.class !== 'msgapp')
    throw new NotRetryable('noLine', `line ${id} is gone or inactive`);
  return line.openApiKey();
};

const submit = async (
  { business, ask }: Upstream,
  { submission, body, edits }: TemplateEffects['submitTemplate'],
): Promise<TemplateEvent> => {
  const answer =
    edits === undefined
      ? await ask('POST', `${business}/message_templates`, { body })
      : await ask('POST', edits, { body: editable(body) });
  if (answer.outcome === 'ok') return acceptance(submission, answer, edits);
  const raw = answer.outcome === 'refused' ? answer.raw : '';
  const what = { submission, text: answer.text, answer: raw };
  if (isDoubtful(answer)) return { type: 'templateUnsettled', ...what };
  return {
    type: 'templateRefused',
    ...what,
    ...(edits !== undefined && isMissing(answer) && { gone: true }),
  };
};

/** Its name and its language stay. */
const editable = ({ category, components }: Record<string, unknown>) => ({ category, components });

/** A success without an id is one all the same: it is looked for. */
const acceptance = (
  submission: number,
  { json, raw }: GraphApiAnswer & { outcome: 'ok' },
  edits?: string,
): TemplateEvent => {
  if (edits !== undefined && json['success'] === false)
    return { type: 'templateRefused', submission, text: 'upstream did not edit it', answer: raw };
  const { id: named, status } = parseUpstreamTemplate(json);
  const id = edits ?? named;
  if (id !== '')
    return { type: 'templateAccepted', submission, upstreamId: id, status: status || PENDING, answer: raw };
  return { type: 'templateUnsettled', submission, text: 'upstream named no id', answer: raw };
};

/** Upstream's word for one that it has just taken. */
const PENDING = 'PENDING';

/** Upstream may have done it: the answer was lost, or a gateway between us answered in its place. */
const isDoubtful = (answer: GraphApiAnswer): boolean =>
  answer.outcome === 'unknown' ||
  (answer.outcome === 'refused' && answer.http >= 500 && answer.code === undefined);

const find = async (
  upstream: Upstream,
  { submission, name, language, bodyText }: TemplateEffects['findTemplate'],
): Promise<TemplateEvent> => {
  for await (const { templates, raw } of listing(upstream, name)) {
    const found = templates.find((one) => one.name === name && one.language === language);
    if (!found) continue;
    if (!isSameText(found, bodyText))
      return { type: 'templateRefused', submission, text: another(found), answer: raw };
    const { id: upstreamId, status } = found;
    return { type: 'templateFound', submission, upstreamId, status: status || PENDING, answer: '' };
  }
  return { type: 'templateMissing', submission };
};

const another = ({ id, name, language }: UpstreamTemplate): string =>
  `upstream has another template ${name} in ${language} (${id})`;

/** Upstream finds by a part of the name. */
async function* listing({ business, ask }: Upstream, name: string) {
  let after: string | undefined;
  for (let page = 0; page < PAGES; page += 1) {
    const query = {
      ...{ name, fields: `id,${upstreamTemplateFieldList}`, limit: String(PAGE_SIZE) },
      ...(after !== undefined && { after }),
    };
    const answer = await ask('GET', `${business}/message_templates`, { query });
    if (answer.outcome !== 'ok') throw new Retryable(answer.text);
    const { templates, after: next } = parseUpstreamTemplatePage(answer.json);
    yield { templates, raw: answer.raw };
    if (next === undefined) return;
    after = next;
  }
}

const isSameText = ({ bodyText }: UpstreamTemplate, text: string): boolean =>
  text === '' || bodyText === undefined || even(bodyText) === even(text);

/** Upstream trims, and has line breaks of its own. */
const even = (text: string): string => text.replaceAll('\r\n', '\n').trim();

const check = async (
  { ask }: Upstream,
  { upstreamId, check: nth }: TemplateEffects['checkTemplate'],
): Promise<TemplateEvent> => {
  const answer = await ask('GET', upstreamId, { query: { fields: upstreamTemplateFieldList } });
  if (answer.outcome !== 'ok') return { type: 'templateUnchecked', check: nth, text: answer.text };
  const { status, name, reason } = parseUpstreamTemplate(answer.json);
  if (status === '') return { type: 'templateUnchecked', check: nth, text: 'upstream named no status' };
  return { type: 'templateChecked', check: nth, status, name, reason };
};

/** Its deletion was asked for before, and may have been done; or upstream has none by then anyway. */
const mayBeGone = ({ attempt, params }: EffectCall<TemplateEffects['deleteTemplate']>): boolean =>
  attempt > 1 || params.known === 'deleted';

const remove = async (
  { business, ask }: Upstream,
  { upstreamId, name }: TemplateEffects['deleteTemplate'],
  mayHaveGone: boolean,
): Promise<TemplateEvent> => {
  const answer = await ask('DELETE', `${business}/message_templates`, {
    query: { name, hsm_id: upstreamId },
  });
  if (answer.outcome === 'ok') {
    if (answer.json['success'] !== false) return { type: 'templateGone', upstreamId };
    return { type: 'templateKept', upstreamId, text: 'upstream did not delete it' };
  }
  if (mayHaveGone && isMissing(answer)) return { type: 'templateGone', upstreamId };
  // Deleting twice does no harm: a request whose outcome is unknown, or that may have succeeded before, is repeated.
  if (isDoubtful(answer) || (mayHaveGone && answer.outcome === 'unreachable'))
    throw new Retryable(answer.text);
  return { type: 'templateKept', upstreamId, text: answer.text };
};

/** Upstream does not know it: subcode 2593002 by its name, 33 by its id. */
const isMissing = (answer: GraphApiAnswer): boolean =>
  answer.outcome === 'refused' && answer.code === 100 && [33, 2_593_002].includes(answer.subcode ?? 0);

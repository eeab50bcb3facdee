/** Templates through the REST door and the admin API, against a strict upstream over HTTP. */
import { expect } from 'vitest';
import { type GraphServer, graphToken, registered, startGraphServer } from '../helpers/graphServer.ts';
import { templateAsked, templatesUpstream, type TemplatesUpstream } from '../helpers/graphTemplates.ts';
import { demoAccount, type RestAnswer, startTestService, type TestService } from '../helpers/service.ts';

export interface TemplateBed {
  on: TestService;
  server: GraphServer;
  upstream: TemplatesUpstream;
  /** A line that lacks nothing. */
  line: number;
  makeLine(body?: object, account?: number): Promise<number>;
  /** Stores a template; its id. */
  store(body?: object): Promise<number>;
  /** Its row, as operators see it. */
  row(id: number): Promise<RestAnswer['body']>;
  /** CreateMsgappTemplate; what is given replaces the parameters of the usual one. */
  create(id: number, body?: object, headers?: Record<string, string>): Promise<RestAnswer>;
  check(id: number, body?: object): Promise<RestAnswer>;
  remove(id: number, mode?: string, body?: object): Promise<RestAnswer>;
  list(body?: object): Promise<RestAnswer>;
  /** A template that upstream took; what was posted is forgotten. */
  submitted(body?: object): Promise<{ id: number; upstreamId: string; name: string }>;
  /** Upstream tells of it by a hook. */
  hook(id: number, facts: object): Promise<unknown>;
  statusOf(id: number): Promise<string>;
  /** Who changed its status to what, oldest first. */
  changesOf(id: number): Promise<string[]>;
  stop(): Promise<void>;
}

export const wholeLine = {
  v8l_class: 'msgapp',
  v8l_wa_provider: 'cloud',
  v8l_wa_app_name: registered.phone,
  v8l_wa_api_key: graphToken,
  v8l_wa_number: registered.number,
  v8l_wa_business_id: registered.business,
};

let named = 0;

/** One that upstream takes, of a name that no other has. */
export const aTemplate = (): Record<string, unknown> => {
  named += 1;
  return {
    cwt_name: `order_ready_${named}`,
    cwt_category: 'UTILITY',
    cwt_language: 'pt_BR',
    cwt_body_text: 'Olá {{1}}, o pedido {{2}} está pronto.',
    cwt_variables_examples: '{"body_text":["Ana","17"]}',
  };
};

export const openTemplateBed = async (env: Record<string, string> = {}): Promise<TemplateBed> => {
  const upstream = templatesUpstream(registered.business);
  const server = await startGraphServer(upstream.routes, templateAsked(upstream));
  const on = await startTestService({ GRAPH_URL: server.url, ...env });
  const makeLine: TemplateBed['makeLine'] = async (body = {}, account = demoAccount) =>
    (await on.admin('POST', `/accounts/${account}/lines`, { ...wholeLine, ...body })).body.v8l_id;
  const line = await makeLine();
  const row: TemplateBed['row'] = async (id) => (await on.admin('GET', `${templatesPath}/${id}`)).body;
  const store: TemplateBed['store'] = async (body = {}) =>
    (await on.admin('POST', templatesPath, { v8l_id: line, ...aTemplate(), ...body })).body.cwt_id;
  const create: TemplateBed['create'] = (id, body = {}, headers = {}) =>
    on.post('CreateMsgappTemplate', { template_id: id, app_id: line, action: 'create', ...body }, headers);
  return {
    ...{ on, server, upstream, line, makeLine, row, store, create },
    check: (id, body = {}) => on.post('CheckTemplateStatus', { template_id: id, v8l_id: line, ...body }),
    remove: (id, mode, body = {}) =>
      on.post('DeleteMsgappTemplate', {
        ...{ template_id: id, v8l_id: line, ...(mode !== undefined && { delete_mode: mode }) },
        ...body,
      }),
    list: (body = {}) => on.post('GetMsgappTemplates', { app_id: line, ...body }),
    submitted: async (body = {}) => {
      const id = await store(body);
      const answer = await create(id);
      expect(codeOf(answer)).toEqual([201, '0']);
      server.seen.length = 0;
      const { cwt_name: name } = await row(id);
      return { id, upstreamId: answer.body.return.meta_template_id, name };
    },
    hook: (id, facts) => on.service.engine.send(templateRef(id), { type: 'statusTold', ...facts }),
    statusOf: async (id) => (await row(id)).cwt_status,
    changesOf: async (id) =>
      (await row(id)).changes.map(({ by, status }: Record<string, string>) => `${by} ${status}`),
    stop: async () => {
      await on.stop();
      await server.stop();
    },
  };
};

/** Templates of the demo account in the admin API. */
export const templatesPath = `/accounts/${demoAccount}/templates`;
/** The machine of a template of the demo account. */
export const templateRef = (id: number) => ({ shard: 'a', account: demoAccount, id });
export const resultOf = ({ body }: RestAnswer) => body.return.result;

/** HTTP status and code of an answer. */
export const codeOf = ({ http, body }: RestAnswer): [number, string] => [http, body.return.status_code];

/** Templates through the REST door and the admin API, against a strict upstream over HTTP. */
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
  const path = `/accounts/${demoAccount}/templates`;
  return {
    ...{ on, server, upstream, line, makeLine },
    store: async (body = {}) =>
      (await on.admin('POST', path, { v8l_id: line, ...aTemplate(), ...body })).body.cwt_id,
    row: async (id) => (await on.admin('GET', `${path}/${id}`)).body,
    create: (id, body = {}, headers = {}) =>
      on.post('CreateMsgappTemplate', { template_id: id, app_id: line, action: 'create', ...body }, headers),
    check: (id, body = {}) => on.post('CheckTemplateStatus', { template_id: id, v8l_id: line, ...body }),
    remove: (id, mode, body = {}) =>
      on.post('DeleteMsgappTemplate', {
        ...{ template_id: id, v8l_id: line, ...(mode !== undefined && { delete_mode: mode }) },
        ...body,
      }),
    list: (body = {}) => on.post('GetMsgappTemplates', { app_id: line, ...body }),
    stop: async () => {
      await on.stop();
      await server.stop();
    },
  };
};

/** HTTP status and code of an answer. */
export const codeOf = ({ http, body }: RestAnswer): [number, string] => [http, body.return.status_code];

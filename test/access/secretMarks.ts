/** Secrets that can be told apart wherever they turn up, brought in by every door that takes one. */
import { ramal } from '../cli/terminal.ts';
import { callTool, postTool, rpc } from '../mcp/bed.ts';
import { adminToken, demoAccount, demoToken, type TestService } from '../helpers/service.ts';

export interface Marks {
  /** Kept sealed or as a digest, or not at all: they stand nowhere. */
  sealed: Record<string, string>;
  /** Kept as they are, for they are used so: they stand in the tables that use them, and nowhere else. */
  plain: Record<string, { mark: string; tables: readonly string[] }>;
  /** Shown to administrators by design. */
  webhookSecrets: string[];
  /** What the command line said meanwhile. */
  said: string[];
  /** Ids by the part of a path that stands before them. */
  ids: Record<string, string>;
  operatorKey: string;
}

let count = 0;
const mark = (name: string): string => `mk${(count += 1)}q7${name}`;

/** A machine carries what it works with: its row, its history, and what waits for it. */
const machines = ['machines', 'history', 'inbox', 'redo'];

const account = `/accounts/${demoAccount}`;

/** `dead`: an address where nobody listens. */
export const bringMarks = async (on: TestService, dead: string): Promise<Marks> => {
  const marks: Marks = {
    ...{ sealed: {}, plain: {}, webhookSecrets: [], said: [], ids: { accounts: String(demoAccount) } },
    operatorKey: '',
  };
  const sealed = (name: string): string => (marks.sealed[name] = mark(name));
  const plain = (name: string, ...tables: string[]): string =>
    (marks.plain[name] = { mark: mark(name), tables }).mark;
  const made = async (path: string, body: object, id?: string): Promise<Record<string, string>> => {
    const { http, body: answer } = await on.admin('POST', path, body);
    if (http >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    if (id) marks.ids[path.split('/').at(-1)!] = String(answer[id]);
    return answer;
  };

  // Administration.
  const wrong = { sms_night_cap: 'many', callback_password: sealed('refusedPassword') };
  await on.admin('PATCH', account, wrong);
  marks.webhookSecrets.push((await on.admin('GET', account)).body.webhook_secret);
  marks.webhookSecrets.push((await made(`${account}/webhook-secret`, {}))['webhook_secret']!);
  const login = { callback_user: sealed('callbackUser'), callback_password: sealed('callbackPassword') };
  const { http } = await on.admin('PATCH', account, {
    ...login,
    callback_headers: `X-Key: ${sealed('callbackHeader')}`,
    callback_url: `${dead}/${plain('callbackPath', 'accounts')}?k=${plain('callbackQuery', 'accounts')}`,
    settings: { partner_token: plain('accountSetting', 'accounts') },
  });
  if (http !== 200) throw new Error(`the account cannot be changed: HTTP ${http}`);
  const line = {
    v8l_class: 'msgapp',
    v8l_wa_api_key: sealed('lineApiKey'),
    app_secret: sealed('lineAppSecret'),
    verify_token: sealed('lineVerifyToken'),
    forward_url: `${dead}/${plain('forwardPath', 'chat_lines')}`,
  };
  await made(`${account}/lines`, line, 'v8l_id');
  const gateway = {
    url: `https://gateway.example/${plain('gatewayPath', 'sms_routes')}/send?key=${plain('gatewayQuery', 'sms_routes')}`,
    headers: { 'X-Gateway': plain('gatewayHeader', 'sms_routes') },
    body: `{"to":"{to}","pass":"${plain('gatewayBody', 'sms_routes')}"}`,
    receipts: { id: { path: 'id' }, status: { path: 'status' } },
  };
  const secret = { user: sealed('gatewayUser'), receipt_token: sealed('receiptToken') };
  const route = { name: 'gateway', kind: 'http', prefix: '1', settings: gateway, secret };
  await made(`${account}/sms-routes`, route, 'route_id');
  const sftp = { name: 'sftp', kind: 'sftp', settings: { host: '127.0.0.1', port: 1, user: 'u' } };
  await made(
    `${account}/delivery-profiles`,
    { ...sftp, secret: { password: sealed('sftpPassword') } },
    'profile_id',
  );
  const bucket = { endpoint: 'http://127.0.0.1:1', bucket: 'files' };
  const s3 = { access_key: sealed('s3AccessKey'), secret_key: sealed('s3SecretKey') };
  await made(`${account}/delivery-profiles`, { name: 's3', kind: 's3', settings: bucket, secret: s3 });
  const socket = `${plain('agentPassword', 'agents', ...machines)}@ai.example/${plain('agentPath', 'agents', ...machines)}`;
  const agent = { kind: 'websocket', target: `wss://ai:${socket}` };
  const headers = { 'X-Key': plain('agentHeader', 'agents', ...machines) };
  await made(`${account}/agents`, { ...agent, headers }, 'ccba_id');
  const phone = `sip:ana:${plain('sipPassword', 'queues', ...machines)}@phones.example`;
  await made(`${account}/queues`, { name: 'Desk', members: [{ target: phone }] }, 'queue_id');
  const token = await made(`${account}/tokens`, { label: 'marked' }, 'token_id');
  marks.sealed['token'] = token['token']!;
  const operator = await made('/operators', { name: 'Ana', role: 'operator' }, 'operator_id');
  marks.operatorKey = marks.sealed['operatorKey'] = operator['key']!;
  await on.admin('POST', '/sessions', { token: sealed('wrongKey') });

  // REST.
  const rurl = `${dead}/${plain('rurlPath', ...machines)}?token=${plain('rurlQuery', ...machines)}`;
  const placed = await on.post('MakeTTSCall', { dest: '11987650000', text: 'Oi', rurl, rurl_events: 'all' });
  await on.ended(placed.body.return.cd_id);
  await on.post('GetCallStatus', {
    ...{ maxreg: 1, rurl: `${dead}/${plain('pushPath', ...machines)}`, rurl_user: sealed('pushUser') },
    ...{ rurl_password: sealed('pushPassword'), rurl_headers: `X-Push: ${sealed('pushHeader')}` },
  });
  await on.post('GetTTSVoices', { tsid: sealed('wrongTsid') });

  // Tools.
  await postTool(on, rpc('tools/list'), { token: sealed('wrongToolToken') });
  await callTool(on, 'send_sms', { dest: '11987650000', text: 'x', token: sealed('toolArgument') });

  // Hooks.
  const { lines, 'sms-routes': routeId } = marks.ids;
  const verify = `hub.mode=subscribe&hub.challenge=1&hub.verify_token=${sealed('wrongVerify')}`;
  await fetch(`${on.url}/hooks/msgapp/${lines}?${verify}`);
  await fetch(`${on.url}/hooks/sms/${routeId}?token=${marks.sealed['receiptToken']}&id=1&status=x`);
  await fetch(`${on.url}/hooks/sms/${routeId}?token=${sealed('wrongReceiptToken')}`);

  // The command line.
  const env = { RAMAL_URL: on.url, ADMIN_TOKEN: adminToken, RAMAL_TOKEN: demoToken };
  const secrets = `v8l_wa_api_key=${sealed('cliApiKey')}\napp_secret=${sealed('cliAppSecret')}\n`;
  const words = ['--account', String(demoAccount)];
  const run = async (command: string[], input = ''): Promise<void> => {
    const { exit, out, err } = await ramal([...command, ...words], { env, input });
    if (exit !== 0) throw new Error(`${command.join(' ')}: ${err}`);
    marks.said.push(out, err);
  };
  await run(['line', 'add', '--class', 'pagechat', '--page-id', '77', '--secrets-stdin'], secrets);
  for (const json of [[], ['--json']]) {
    await run(['line', 'ls', ...json]);
    await run(['account', 'show', ...json]);
    await run(['token', 'ls', ...json]);
  }
  return marks;
};

/** The built service as a process of its own, with something of everything in it, so that its death can be seen. */
import { readFileSync } from 'node:fs';
import { aWav } from '../../helpers/wav.ts';
import { adminToken, demoToken, type RunningService, startService } from '../../service/service.ts';
import type { Known } from './seeds.ts';

export interface BytesWorld {
  service: RunningService;
  port: number;
  known: Known;
  /** Resident memory of the process, megabytes. */
  memory(): number;
  /** What ended it; undefined: it lives. */
  death(): string | undefined;
}

const appSecret = 'app-secret-of-the-byte-fuzzer';
const receiptToken = 'receipts-of-the-byte-fuzzer';

/** `databaseUrl` absent: the embedded PostgreSQL in `dataDir`. */
export const openWorld = async (dataDir: string, databaseUrl?: string): Promise<BytesWorld> => {
  const service = await startService({
    dataDir,
    ...(databaseUrl !== undefined && { databaseUrl }),
    env: {
      SECRET_KEY: 'SecretKeyOfTheByteFuzzer000000',
      REQUESTS_PER_SECOND: '100000',
      SANDBOX_SPEED: '50',
      ARCHIVE_AFTER_MINUTES: '1',
      MAX_LIST_BYTES: '2000000',
      MAX_AUDIO_BYTES: '2000000',
    },
  });
  let death: string | undefined;
  service.process.once('exit', (code, signal) => (death = `it ended with ${code ?? signal}`));
  return {
    service,
    port: Number(new URL(service.url).port),
    known: await furnish(service),
    memory: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    death: () => death,
  };
};

const furnish = async (service: RunningService): Promise<Known> => {
  const account = '/accounts/3';
  const make = async (path: string, body: object) => {
    const answer = await service.admin('POST', `${account}/${path}`, body);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body as Record<string, unknown>;
  };
  const { lines } = (await service.admin('GET', `${account}/lines`)).body as unknown as {
    lines: { v8l_id: number; v8l_class: string }[];
  };
  const lineOf = (name: string) => lines.find((line) => line.v8l_class === name)!.v8l_id;
  await make('credits', { amount: '100000000' });
  await make('queues', { name: 'Sales', members: [{ number: '11987650009' }] });
  await make('groups', { name: 'spring' });
  const patched = await service.admin('PATCH', `${account}/lines/${lineOf('msgapp')}`, {
    app_secret: appSecret,
    verify_token: receiptToken,
  });
  if (patched.status >= 300) throw new Error(JSON.stringify(patched.body));
  const route = await make('sms-routes', {
    ...{ name: 'gateway', kind: 'http', prefix: '999', secret: { receipt_token: receiptToken } },
    settings: {
      url: 'https://gateway.example/send',
      receipts: { id: { path: 'id' }, status: { path: 'status' } },
    },
  });
  const sound = aWav(0.3).toString('base64');
  const called = async (name: string, body: Record<string, unknown>) =>
    (await service.call(name, body)).body.return;
  const audio = (await called('CreateAudioFile', { audio64: sound, name_up: 'tone.wav' }))['cdw_file']!;
  const list = (
    await called('CreateDestinationBase', { name: 'x', datajson: [{ phone: '11987650000', name: 'Ana' }] })
  )['cdlc_id']!;
  const campaign = (
    await called('CreateCampaign', { name: 'base', cdlc_id: list, content: audio, cp_ativo: 0 })
  )['cp_id']!;
  const call = (await called('MakeTTSCall', { dest: '11987650000', text: 'Oi' }))['cd_id']!;
  const audios = (await service.admin('GET', `${account}/audios`)).body as unknown as {
    audios: { url: string; mp3_url: string }[];
  };
  const listed = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${demoToken}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
  const { result } = (await listed.json()) as { result: { tools: Known['tools'] } };
  const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search;
  return {
    ...{ demoToken, adminToken, tools: result.tools, graphToken: 'sandbox' },
    media: [pathOf(audios.audios[0]!.url), pathOf(audios.audios[0]!.mp3_url)],
    hooks: {
      line: lineOf('msgapp'),
      appSecret,
      verifyToken: receiptToken,
      route: Number(route['route_id']),
      receiptToken,
    },
    values: {
      ...{
        cd_id: call,
        cp_id: Number(campaign),
        cdlc_id: Number(list),
        app_id: lineOf('msgapp'),
        v8l_id: lineOf('msgapp'),
        name: 'x',
      },
    },
  };
};

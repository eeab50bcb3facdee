/** A carrier that wants a login and a registration: another Asterisk, which answers every call after a second. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LoneAsterisk, loneAsterisk } from './bed.ts';

const root = join(import.meta.dirname, '../..');

/** Ports of an Asterisk by its shift, as those of the beds. */
export const portsOf = (shift: number): Record<string, string> => ({
  ...{ HTTP_BIND: '127.0.0.1', HTTP_PORT: String(8088 + shift), SIP_BIND: `127.0.0.1:${5060 + shift}` },
  ...{ RTP_START: String(20_000 + (shift % 11) * 4_000), RTP_END: String(23_999 + (shift % 11) * 4_000) },
  MANAGER_PORT: String(9388 + shift),
});

/** The login that it knows. */
export const carrierLogin = { user: '5511400', password: 'trunk-password' };

const filesOf = (shift: number): Record<string, string> => ({
  'pjsip.conf': `${transport('udp', shift)}${transport('tcp', shift)}[5511400]
type=endpoint
context=calls
disallow=all
allow=ulaw,alaw
direct_media=no
auth=login
aors=5511400
[login]
type=auth
auth_type=userpass
username=${carrierLogin.user}
password=${carrierLogin.password}
[5511400]
type=aor
max_contacts=1
remove_existing=yes
`,
  'extensions.conf': `[calls]
exten => _X.,1,Set(GLOBAL(CALLED)=\${EXTEN} by \${CHANNEL(name)})
 same => n,Set(GLOBAL(CALLS)=$[0\${GLOBAL(CALLS)} + 1])
 same => n,Ringing()
 same => n,Wait(1)
 same => n,Answer()
 same => n,Wait(60)
`,
});

const transport = (protocol: string, shift: number): string => `[transport-${protocol}]
type=transport
protocol=${protocol}
bind=127.0.0.1:${5060 + shift}
`;

/** Starts it and waits until it is ready, as a unit of the system does. */
export const ready = ({ start, folder }: ReturnType<typeof loneAsterisk>): string =>
  `${start} && until '${folder}/rasterisk' -x 'core waitfullybooted' 2>/dev/null | grep -q 'fully booted'; do sleep 0.1; done`;

/** Throws what it complained of where it does not come up. */
export const startRegistrar = (shift: number): LoneAsterisk => {
  const registrar = loneAsterisk(shift);
  const etc = join(registrar.folder, 'etc');
  const env = { ...process.env, ...portsOf(shift), ARI_PASSWORD: 'of-the-registrar' };
  const rendered = spawnSync(join(root, 'docker/asterisk/render'), [etc], { env, encoding: 'utf8' });
  if (rendered.status !== 0) throw new Error(rendered.stderr);
  for (const [name, content] of Object.entries(filesOf(shift))) writeFileSync(join(etc, name), content);
  const started = spawnSync('bash', ['-c', ready(registrar)], { encoding: 'utf8' });
  if (started.status !== 0) throw new Error(`the registrar did not start: ${started.stderr}`);
  return registrar;
};

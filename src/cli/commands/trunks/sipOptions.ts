/** How the carrier of a trunk is reached by SIP, as options. */
import type { Command } from 'commander';
import type { AdminBody } from '../../../admin/client.ts';
import { type CommandContext, parseWholeNumberOption } from '../../commandActionWrapper.ts';
import { wrongUsageFailure } from '../../failure.ts';
import { askForSecrets, type PromptedSecret } from '../../readCommandSecrets.ts';

type SipBody = Pick<
  AdminBody<'PATCH /trunks/:id'>,
  Extract<keyof AdminBody<'PATCH /trunks/:id'>, `sip_${string}`>
>;

export interface SipTrunkOptions {
  sipHost?: string;
  sipUser?: string;
  sipRegister?: string;
  sipRegistrar?: string;
  sipExpiry?: string;
  sipTransport?: SipBody['sip_transport'];
  sipProxy?: string;
  sipFromUser?: string;
  sipFromDomain?: string;
  sipCodecs?: string;
  sipPing?: string;
  passwordStdin?: boolean;
}

const password: PromptedSecret = {
  name: 'password',
  question: 'Password at the carrier',
  variable: 'RAMAL_TRUNK_PASSWORD',
};

/** Says where the password comes from, for the help of a command that has these options. */
export const sipPasswordHelp = `
With --sip-user the password at the carrier is asked for where a person sits,
or comes from RAMAL_TRUNK_PASSWORD, or with --password-stdin as one line
  password=…`;

export const addSipOptions = (command: Command): Command =>
  command
    .option('--sip-host <host>', 'of the carrier, and its port: sip.example.net:5060')
    .option('--sip-user <user>', 'the login at the carrier; empty: by our address')
    .option('--sip-register <yes|no>', 'whether it registers (default: with a login)')
    .option('--sip-registrar <host>', 'where it registers (default: the host)')
    .option('--sip-expiry <seconds>', 'for how long it registers at a time (default: 300)')
    .option('--sip-transport <which>', 'udp (default) or tcp')
    .option('--sip-proxy <host>', 'requests go by it')
    .option('--sip-from-user <user>', 'in our own address; *: the caller id')
    .option('--sip-from-domain <host>', 'in our own address')
    .option('--sip-codecs <list>', 'in their order, commas between: ulaw,alaw')
    .option('--sip-ping <seconds>', 'asks the carrier whether it is there; 0: never')
    .option('--password-stdin', 'read the password from standard input');

/** What was said; a user that is named brings a password. */
export const readSipCommandOptions = async (
  { shell }: CommandContext,
  options: SipTrunkOptions,
): Promise<SipBody> => {
  const { sipHost, sipUser, sipRegister, sipRegistrar, sipTransport, sipProxy } = options;
  const { sipFromUser, sipFromDomain, sipCodecs, sipExpiry, sipPing, passwordStdin = false } = options;
  const secret =
    sipUser || passwordStdin
      ? (await askForSecrets(shell, [password], passwordStdin))['password']
      : undefined;
  const body = {
    ...{ sip_host: sipHost, sip_user: sipUser, sip_password: secret, sip_registrar: sipRegistrar },
    ...{ sip_transport: sipTransport, sip_proxy: sipProxy, sip_from_user: sipFromUser },
    ...{ sip_from_domain: sipFromDomain, sip_codecs: codecsOf(sipCodecs) },
    sip_register: sipRegister === undefined ? undefined : isYes(sipRegister),
    sip_expiry_seconds:
      sipExpiry === undefined ? undefined : parseWholeNumberOption(sipExpiry, '--sip-expiry'),
    sip_ping_seconds: sipPing === undefined ? undefined : parseWholeNumberOption(sipPing, '--sip-ping'),
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
};

const isYes = (text: string): boolean => {
  if (text !== 'yes' && text !== 'no') throw wrongUsageFailure('--sip-register is yes or no');
  return text === 'yes';
};

/** One that there is not is refused by the service. */
const codecsOf = (text: string | undefined): SipBody['sip_codecs'] =>
  text?.split(',').map((part) => part.trim()) as SipBody['sip_codecs'];

/** What a person sees at the start: where everything is, and one command that places a call. */
import type { Config } from '../config.ts';
import { isChatSandboxOnlyUpstream } from '../config/isChatSandboxOnlyUpstream.ts';
import type { Secrets } from '../loadOrCreateSecrets.ts';

/**
 * Which parts are sandboxes as the service is set up; empty: none. Routes and lines of accounts are marked themselves.
 */
export const sandboxSentence = ({ carrier, sandbox, graphUrl }: Config): string =>
  [
    ...(carrier.kind === 'sandbox' ? ['calls ring nowhere (CARRIER)'] : []),
    ...(sandbox ? ['SMS reach no telephone until an account has a route of its own (SANDBOX)'] : []),
    ...(isChatSandboxOnlyUpstream({ sandbox, graphUrl })
      ? ['chat lines of the sandbox reach no person (GRAPH_URL)']
      : []),
  ].join('; ');

/** `others`: nodes that shared the work before this one came. `console`: the address that signs a browser in, once. */
export const startupBanner = (
  config: Config,
  { secrets, others, console }: { secrets: Secrets; others: number; console: string },
): string => {
  const shown = secrets.made.includes('adminToken')
    ? secrets.adminToken
    : 'as given, or in DATA_DIR/admin-token';
  const firstCall = firstCallBy(config);
  return `
  Ramal is up       ${config.publicUrl}${joined(config, others)}
  in a browser      ${ownAddress(config)}
  console           ${console}
                    (signs in once, within ten minutes; npx ramal console makes another)
  administration    ${config.publicUrl}/admin/api
  reference         ${config.publicUrl}/docs
  command line      npx ramal --help
  admin token       ${shown}
  demo token        ${secrets.demoToken}
  sandboxes         ${sandboxSentence(config) || 'none'}

  ${firstCall.says}

  curl -s ${config.publicUrl}/api/v2/MakeTTSCall.php -H 'Content-Type: application/json' -d '{"tsid":"${secrets.demoToken}","dest":"${firstCall.number}","text":"Hello from Ramal"}'

  and what became of it:

  curl -s ${config.publicUrl}/api/v2/GetCallStatus.php -H 'Content-Type: application/json' -d '{"tsid":"${secrets.demoToken}","maxreg":1}'

`;
};

/** Where a browser of this machine finds the page with the test call. */
const ownAddress = ({ host, port }: Config): string => {
  const name =
    host === undefined || ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host) ? 'localhost' : host;
  return `http://${name}:${port}/`;
};

/** A real carrier would ring a telephone: the number is left to the reader. */
const firstCallBy = ({ carrier }: Config): { says: string; number: string } =>
  carrier.kind === 'sandbox'
    ? { says: 'A first call (the sandbox carrier answers it):', number: '11987650000' }
    : { says: 'A first call (a real one: to a number of yours):', number: '<number>' };

const joined = ({ nodeName }: Config, others: number): string => {
  if (others === 0) return '';
  const which = ['second', 'third', 'fourth', 'fifth'][others - 1] ?? `${others + 1}th`;
  return `\n  joined            as the ${which} node, ${nodeName}: the same accounts, calls and campaigns, the work shared`;
};

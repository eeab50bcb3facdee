/** What a person sees at the start: where everything is, and one command that places a call. */
import type { Config } from '../config.ts';
import type { Secrets } from '../secrets.ts';

/** `others`: nodes that shared the work before this one came. */
export const banner = (config: Config, secrets: Secrets, others: number): string => {
  const shown = secrets.made.includes('adminToken')
    ? secrets.adminToken
    : 'as given, or in DATA_DIR/admin-token';
  return `
  Ramal is up       ${config.publicUrl}${joined(config, others)}
  administration    ${config.publicUrl}/admin/api
  reference         ${config.publicUrl}/docs
  command line      npx ramal --help
  admin token       ${shown}
  demo token        ${secrets.demoToken}

  A first call (the sandbox carrier answers it):

  curl -s ${config.publicUrl}/api/v2/MakeTTSCall.php -H 'Content-Type: application/json' -d '{"tsid":"${secrets.demoToken}","dest":"11987650000","text":"Hello from Ramal"}'

  and what became of it:

  curl -s ${config.publicUrl}/api/v2/GetCallStatus.php -H 'Content-Type: application/json' -d '{"tsid":"${secrets.demoToken}","maxreg":1}'

`;
};

const joined = ({ nodeName }: Config, others: number): string => {
  if (others === 0) return '';
  const which = ['second', 'third', 'fourth', 'fifth'][others - 1] ?? `${others + 1}th`;
  return `\n  joined            as the ${which} node, ${nodeName}: the same accounts, calls and campaigns, the work shared`;
};

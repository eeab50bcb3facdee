/** What a person sees at the start: where everything is, and one command that places a call. */
import type { Config } from '../config.ts';
import type { Secrets } from '../secrets.ts';

export const banner = (config: Config, secrets: Secrets): string => {
  const shown = secrets.made.includes('adminToken')
    ? secrets.adminToken
    : 'as given, or in DATA_DIR/admin-token';
  return `
  Ramal is up       ${config.publicUrl}
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
